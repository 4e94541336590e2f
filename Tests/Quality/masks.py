"""Measures of masks against true masks, as papers on salient object detection use them, and of the parts that such means
hide: thin ones, openings, fog and scraps. A mask is floats in 0...1, a truth booleans, both of the photo's size."""

import numpy as np
from scipy import ndimage

THRESHOLDS = np.arange(256) / 255
#: Weights precision more than recall (Achanta et al. 2009).
BETA_SQUARED = 0.3
#: The band along an outline, as a fraction of the diagonal (Cheng et al. 2021, "Boundary IoU").
BAND = 0.02
#: The radius of an opening whose residue is thin, as a fraction of the subject's longer side.
THIN = 0.02
#: The least size of a hole that counts, as a fraction of the subject.
HOLE = 0.004


def overlap(one, other):
    union = (one | other).sum()
    return (one & other).sum() / union if union else 1.0


def inner_band(mask):
    width = max(1, round(BAND * np.hypot(*mask.shape)))
    return mask & ~ndimage.minimum_filter(mask, 2 * width + 1, mode="constant", cval=False)


def likeness(mask, truth):
    """The structural similarity of a region (Wang et al. 2004) as the structure measure takes it."""
    if mask.size < 2:
        return 1.0
    means, variances = (mask.mean(), truth.mean()), (mask.var(ddof=1), truth.var(ddof=1))
    shared = ((mask - means[0]) * (truth - means[1])).sum() / (mask.size - 1)
    above = 4 * means[0] * means[1] * shared
    below = (means[0] ** 2 + means[1] ** 2) * (variances[0] + variances[1])
    return above / (below + 1e-8) if above else float(below == 0)


def structure(mask, truth):
    """Half by subject and background, half by the four regions around the subject's center (Fan et al. 2017)."""
    share = truth.mean()
    if share in (0, 1):
        return mask.mean() if share else 1 - mask.mean()

    def sure(values):
        spread = values.std(ddof=1) if values.size > 1 else 0
        return 2 * values.mean() / (values.mean() ** 2 + 1 + spread + 1e-8)

    by_object = share * sure(mask[truth]) + (1 - share) * sure(1 - mask[~truth])
    row, column = (int(round(place.mean())) + 1 for place in np.nonzero(truth))
    by_region = 0
    for rows in (slice(0, row), slice(row, None)):
        for columns in (slice(0, column), slice(column, None)):
            part = mask[rows, columns]
            if part.size:
                by_region += part.size / mask.size * likeness(part, truth[rows, columns].astype(float))
    return max(0, (by_object + by_region) / 2)


def scores(pairs):
    """MAE, maxF, S, IoU and boundary IoU over pairs of mask and truth."""
    figures, curves = [], []
    for mask, truth in pairs:
        inside = mask >= 0.5
        figures.append((
            abs(mask - truth).mean(), structure(mask, truth), overlap(inside, truth),
            overlap(inner_band(inside), inner_band(truth))))
        if truth.any():
            levels = np.round(mask * 255).astype(int)
            found, false = (np.bincount(levels[area], minlength=256)[::-1].cumsum() for area in (truth, ~truth))
            curves.append((found / np.maximum(found + false, 1), found / truth.sum()))
    mae, structures, overlaps, boundaries = np.mean(figures, axis=0)
    precision, recall = np.mean(curves, axis=0)
    best = ((1 + BETA_SQUARED) * precision * recall / np.maximum(BETA_SQUARED * precision + recall, 1e-9)).max()
    return {"MAE": mae, "maxF": best, "S": structures, "IoU": overlaps, "bIoU": boundaries}


def holes(mask, least):
    label, count = ndimage.label(ndimage.binary_fill_holes(mask) & ~mask)
    sizes = np.bincount(label.ravel(), minlength=count + 1)
    return [label == number for number in range(1, count + 1) if sizes[number] > least]


def thin_parts(truth):
    """What an opening removes of the subject (legs, tails, masts), in pieces that are no roughness of its edge."""
    rows, columns = np.nonzero(truth)
    radius = max(2, int(THIN * (max(np.ptp(rows), np.ptp(columns)) + 1)))
    label, _ = ndimage.label(truth & ~ndimage.binary_opening(truth, iterations=radius))
    sizes = np.bincount(label.ravel())
    sizes[0] = 0
    return np.isin(label, np.nonzero(sizes >= 4 * radius * radius)[0])


def part_scores(pairs):
    """The recall of thin parts, and how many openings of the subject are filled and how many photos have a false one."""
    recalls, filled, openings, false, found = [], 0, 0, 0, 0
    for mask, truth in pairs:
        inside = mask >= 0.5
        if not truth.any():
            continue
        thin = thin_parts(truth)
        if thin.sum() > 30 and inside.any():
            recalls.append((inside & thin).sum() / thin.sum())
        # Of another subject, neither says anything.
        if overlap(inside, truth) < 0.6:
            continue
        found += 1
        least = HOLE * truth.sum()
        for hole in holes(truth, least):
            openings += 1
            filled += (inside & hole).sum() > 0.6 * hole.sum()
        false += any((hole & truth).sum() > least for hole in holes(inside, least))
    return (
        f"thin parts' recall {np.mean(recalls):.3f} of {len(recalls)}, openings filled {filled} of {openings}, "
        f"false holes in {false} of {found}")


def is_foggy(mask):
    """Whether half-transparent areas at least 6 pixels wide are more than a tenth of the subject; for masks whose longer
    side has 512 pixels."""
    disc = np.hypot(*np.mgrid[-3:4, -3:4]) <= 3
    return ndimage.binary_opening((mask > 0.15) & (mask < 0.85), disc).sum() > 0.1 * (mask > 0.5).sum()


def has_scraps(mask):
    """Whether a piece is smaller than 3 % of the largest."""
    sizes = np.bincount(ndimage.label(mask > 0.5)[0].ravel())[1:]
    return sizes.size > 0 and sizes.min() < 0.03 * sizes.max()
