"""The loss: cross-entropy and overlap at every level of the pyramid, weighted most near the edge.

The weighting of pixels follows F3Net (Wei et al. 2020): the more a pixel differs from the mean around it in the truth,
the more it counts.
"""
import torch.nn.functional as F

LEVEL_WEIGHTS = (1, 0.6, 0.4, 0.3, 0.3)  # finest level first
OVERLAP_WEIGHT = 0.7
EDGE_WEIGHT = 4  # a pixel at the edge counts up to 1 + this
EDGE_REACH = 10  # the mean is over about this part of the side


def edge_weights(truth):
    """1 far from every edge, up to 1 + EDGE_WEIGHT at one."""
    window = max(3, truth.shape[-1] // EDGE_REACH | 1)
    along = F.avg_pool2d(truth, (1, window), 1, (0, window // 2), count_include_pad=False)
    around = F.avg_pool2d(along, (window, 1), 1, (window // 2, 0), count_include_pad=False)
    return 1 + EDGE_WEIGHT * (around - truth).abs()


def level_loss(logits, truth):
    """Per picture, so that small subjects count as much as large ones. A picture without a subject has an overlap of
    one with an empty mask, and less with any other."""
    weights, probability = edge_weights(truth), logits.sigmoid()
    entropy = F.binary_cross_entropy_with_logits(logits, truth, reduction="none")
    entropy = (weights * entropy).sum((1, 2, 3)) / weights.sum((1, 2, 3))
    both = (weights * probability * truth).sum((1, 2, 3))
    either = (weights * (probability + truth)).sum((1, 2, 3)) - both
    return (entropy + OVERLAP_WEIGHT * (1 - (both + 1) / (either + 1))).mean()


def subject_loss(levels, truth):
    """The loss at all levels, each against the truth averaged down to its size."""
    return sum(weight * level_loss(logits.float(), F.interpolate(truth, size=logits.shape[-2:], mode="area"))
               for weight, logits in zip(LEVEL_WEIGHTS, levels, strict=True))
