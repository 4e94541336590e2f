"""What training makes small."""
import torch.nn.functional as F

LEVEL_WEIGHTS = (1, 0.6, 0.4, 0.3, 0.3)  # finest level first
OVERLAP_WEIGHT = 0.6


def overlap_loss(logits, truth):
    """One minus the soft intersection over union, per picture: small subjects count as much as large ones."""
    probability = logits.sigmoid()
    both = (probability * truth).sum((1, 2, 3))
    either = (probability + truth).sum((1, 2, 3)) - both
    return (1 - (both + 1) / (either + 1)).mean()


def subject_loss(levels, truth):
    """Cross-entropy plus overlap at every level of the pyramid, against the truth averaged down to its size."""
    total = 0
    for weight, logits in zip(LEVEL_WEIGHTS, levels, strict=True):
        logits = logits.float()
        reduced = F.interpolate(truth, size=logits.shape[-2:], mode="area")
        total = total + weight * (
            F.binary_cross_entropy_with_logits(logits, reduced) + OVERLAP_WEIGHT * overlap_loss(logits, reduced))
    return total
