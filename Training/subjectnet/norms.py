"""Measures the batch norms of a network whose weights are a mean.

The statistics belong to the activations, and those of mean weights are not the mean of the runs' own. With the mean
statistics of two runs, the error on the validation photos was higher than that of either run; measured again, lower (Izmailov
et al. 2018, "Averaging Weights Leads to Wider Optima and Better Generalization", section 3.2).
"""
import math
from itertools import islice

import torch

from .augmentation import relit, roughened, viewed
from .batches import Batches
from .network import INPUT_SIDE, ConvBlock, normalized
from .training import as_masks, as_photos

SIZE = 16  # photos of a batch
SEED = 1


def training_views(data, photos, side):
    """At least `photos` training photos in batches, augmented and normalized as in training.

    `data` is what `prepare.py` wrote.
    """
    if photos < 1:
        raise ValueError("The norms cannot be measured without photos")
    torch.manual_seed(SEED)
    size = min(SIZE, photos)
    for batch in islice(Batches(data, size, SEED), math.ceil(photos / size)):
        views, _ = viewed(as_photos(batch.photos, "cpu"), as_masks(batch.masks, "cpu"), side)
        yield normalized(roughened(relit(views)))


@torch.no_grad()
def measure_norms(network, data, photos, side=INPUT_SIDE):
    """Replaces the statistics of the pyramid's norms by those of `photos` training photos.

    The encoder's norms keep ImageNet's, as in training.
    """
    norms = [module[1] for module in network.modules() if isinstance(module, ConvBlock)]
    network.eval()
    for norm in norms:
        norm.reset_running_stats()
        norm.momentum = None  # the mean of all batches
        norm.train()
    for views in training_views(data, photos, side):
        network(views)
    network.eval()
