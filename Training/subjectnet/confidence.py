"""The score for a mask that shows a clear subject: fits the constants of stickerd's `SubjectConfidence`.

Masks are arrays [INPUT_SIDE, INPUT_SIDE] of 0...1. Half of the photos, by their names, are used to fit, the other half to
report.
"""
import math
import zlib

import numpy as np

from .network import INPUT_SIDE

SPOTS = INPUT_SIDE // 8  # along a side
LEAST_DOUBT = 1e-4
LEAST_AGREEMENT, LEAST_FREE_BORDER = 0.5, 0.2
REFUSED_WHEN_FITTED = 0.005  # of the fitting photos with a subject; the rate on others may be twice that


def fits(stem):
    """Whether a photo belongs to the half used for fitting."""
    return zlib.crc32(stem.encode()) // 20 % 2 == 0


def certainty(mask):
    """The log-odds of the most certain spot, a forty-fourth of a side."""
    size = len(mask) // SPOTS
    surest = mask.reshape(SPOTS, size, SPOTS, size).mean((1, 3)).max()
    surest = min(max(float(surest), LEAST_DOUBT), 1 - LEAST_DOUBT)
    return math.log(surest / (1 - surest))


def decidedness(mask):
    """1, or less for a mask that is smeared over the photo or fills it."""
    inside = mask >= 0.5
    agreement = mask[inside].sum() / (inside.sum() + mask[~inside].sum() + 1e-12)
    border = np.concatenate([inside[0], inside[-1], inside[:, 0], inside[:, -1]]).mean()
    return min(agreement / LEAST_AGREEMENT, 1) * min((1 - border) / LEAST_FREE_BORDER, 1)


def logistic_fit(groups):
    """Slope and bias of a logistic function of certainty, by Newton's method.

    `groups` lists (certainties, whether they are of subjects). Both sides, with and without subjects, have the same
    weight, and so have the groups of each side.
    """
    x = np.concatenate([values for values, _ in groups])
    y = np.concatenate([np.full(len(values), float(subject)) for values, subject in groups])
    sides = [subject for _, subject in groups]
    weights = np.concatenate([
        np.full(len(values), 0.5 / len(values) / sides.count(subject)) for values, subject in groups])
    design, answer = np.stack([x, np.ones_like(x)], 1), np.zeros(2)
    for _ in range(50):
        p = 1 / (1 + np.exp(-design @ answer))
        slope = design.T @ (weights * (p - y))
        curve = (design * (weights * p * (1 - p) + 1e-9)[:, None]).T @ design
        answer -= np.linalg.solve(curve, slope)
    return answer


def confidence(certainties, decided, slope, bias):
    return decided / (1 + np.exp(-(slope * certainties + bias)))


def fitted(with_subject, without_subject):
    """Slope and bias so that at a confidence of 0.5 the desired share of the fitting photos is refused.

    Both are lists of (certainties, decidednesses) of the fitting halves, one for each kind of photo; refusals
    are counted in the first of those with a subject.
    """
    slope, bias = logistic_fit(
        [(certainties, True) for certainties, _ in with_subject]
        + [(certainties, False) for certainties, _ in without_subject])
    threshold = np.quantile(confidence(*with_subject[0], slope, bias), REFUSED_WHEN_FITTED)
    return slope, bias - math.log(threshold / (1 - threshold))
