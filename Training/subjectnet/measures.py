"""The measures that papers on salient object detection use.

A mask is 8-bit grey; its truth is true for the subject's pixels.

- MAE: mean absolute difference, 0...1.
- maxF: precision and recall at each of the 256 thresholds, averaged over the set; the best F-measure with
  beta^2 = 0.3 (Achanta et al. 2009).
- S: structure measure, half by subject and half by region (Fan et al. 2017).
- IoU: intersection over union, the mask cut at one half.
- bIoU: the same for the inner bands along both outlines, 2 % of the diagonal wide (Cheng et al. 2021).
"""
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F

BETA_SQUARED = 0.3
BAND = 0.02
TINY = 1e-8


@dataclass(frozen=True)
class PictureScore:
    """One picture's figures; precision and recall are arrays over the thresholds 0...255, or None without a subject."""
    mae: float
    structure: float
    overlap: float
    boundary_overlap: float
    precision: np.ndarray | None
    recall: np.ndarray | None


@dataclass(frozen=True)
class SetScore:
    mae: float
    max_f: float
    structure: float
    overlap: float
    boundary_overlap: float

    def __str__(self):
        return (f"MAE {self.mae:.4f}  maxF {self.max_f:.4f}  S {self.structure:.4f}  "
                f"IoU {self.overlap:.4f}  bIoU {self.boundary_overlap:.4f}")


def picture_score(mask, truth):
    soft, cut = mask / 255.0, mask >= 128
    precision, recall = precision_and_recall(mask, truth) if truth.any() else (None, None)
    width = max(1, round(BAND * float(np.hypot(*truth.shape))))
    return PictureScore(
        mae=float(np.abs(soft - truth).mean()), structure=structure(soft, truth), overlap=overlap(cut, truth),
        boundary_overlap=overlap(inner_band(cut, width), inner_band(truth, width)),
        precision=precision, recall=recall)


def set_score(scores):
    def mean(figure):
        return float(np.mean([getattr(score, figure) for score in scores]))
    precision, recall = (
        np.mean([getattr(score, figure) for score in scores if getattr(score, figure) is not None], axis=0)
        for figure in ("precision", "recall"))
    f = (1 + BETA_SQUARED) * precision * recall / np.maximum(BETA_SQUARED * precision + recall, TINY)
    return SetScore(mean("mae"), float(f.max()), mean("structure"), mean("overlap"), mean("boundary_overlap"))


def precision_and_recall(mask, truth):
    """Precision and recall of the pixels at or above each threshold."""
    thresholds = np.arange(256)
    subject, rest = (np.sort(mask[where]) for where in (truth, ~truth))
    found, wrong = (values.size - np.searchsorted(values, thresholds) for values in (subject, rest))
    return found / np.maximum(found + wrong, 1), found / subject.size


def overlap(one, other):
    either = np.count_nonzero(one | other)
    return np.count_nonzero(one & other) / either if either else 1.0


def inner_band(shape, width):
    """The part of a shape at most `width` pixels (along rows, columns or both) from its outside or the picture's."""
    outside = F.pad(torch.from_numpy(~shape)[None, None].float(), [width] * 4, value=1)
    for kernel in ((2 * width + 1, 1), (1, 2 * width + 1)):
        outside = F.max_pool2d(outside, kernel, stride=1)
    return shape & (outside[0, 0].numpy() > 0)


def structure(soft, truth):
    share = truth.mean()
    if share in (0, 1):
        return float(1 - soft.mean() if share == 0 else soft.mean())
    by_subject = share * evenness(soft[truth]) + (1 - share) * evenness(1 - soft[~truth])
    return float(max(0, (by_subject + by_region(soft, truth)) / 2))


def evenness(values):
    """The similarity of values to one, from their mean and deviation."""
    mean, deviation = values.mean(), values.std(ddof=1) if values.size > 1 else 0
    return 2 * mean / (mean ** 2 + 1 + deviation + TINY)


def by_region(soft, truth):
    """Structural similarity of the four parts that meet in the subject's center, weighted by their areas."""
    row, column = (int(round(axis.mean())) + 1 for axis in np.nonzero(truth))
    total = 0.0
    for rows in (slice(0, row), slice(row, None)):
        for columns in (slice(0, column), slice(column, None)):
            part = soft[rows, columns]
            total += part.size / soft.size * similarity(part.ravel(), truth[rows, columns].ravel().astype(float))
    return total


def similarity(one, other):
    if one.size < 2:
        return 1.0
    (spread, together), (_, other_spread) = np.cov(one, other)
    mean, other_mean = one.mean(), other.mean()
    above = 4 * mean * other_mean * together
    below = (mean ** 2 + other_mean ** 2) * (spread + other_spread)
    if above == 0:
        return 1.0 if below == 0 else 0.0
    return above / (below + TINY)
