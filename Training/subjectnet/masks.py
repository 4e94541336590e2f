"""Makes the subject's mask of what annotators drew: labels of parts, frames, undecided outlines.

Each function takes a photo and its annotation as pictures, and returns booleans [height, width], or None if the
annotation cannot become a good mask.
"""
import cv2
import numpy as np
from PIL import Image

FRAME = 3  # pixels along the border where some annotations have a line
SMALLEST_PART = 0.004  # of the picture: less is a speck beside the subject

FLOWER = 1  # label
SMALLEST_FLOWER = 0.02  # of the picture: the largest part of a mask is at least this
SMALLEST_PETAL, FEWEST_PETAL_PIXELS = 0.1, 60  # of the largest part; parts smaller than either are specks
MOST_FLOWERS = 5  # more parts than these are a flower bed, or a mask in pieces
LEAST_WITHOUT_SPECKS = 0.85  # of what is labeled: with less, the mask is in pieces
SMALLEST_HOLE = 40  # pixels: less is a speck, also at the border
LARGEST_HOLE = 0.02  # of the picture: a bee, or a shadow between petals

PET, GROUND, UNDECIDED = 0, 1, 2  # labels
CUT_SIDE = 192  # pixels: the pets' outlines are cut at this size
FEWEST_DECIDED = 50  # pixels of pet and of ground from which GrabCut learns colors
CUT_ROUNDS = 2
SMALLEST_STRAY = 0.01  # of the picture


def components(plane):
    """The connected components of a plane's nonzero pixels: their labels [height, width], and (label, box, area)."""
    count, labels, statistics, _ = cv2.connectedComponentsWithStats(plane.astype(np.uint8))
    return labels, [(label, statistics[label, :4], int(statistics[label, cv2.CC_STAT_AREA]))
                    for label in range(1, count)]


def marked(photo, annotation):
    """Everything that is neither black nor transparent: both masks and colored parts."""
    mask = np.asarray(annotation.convert("RGB")).max(2) > 0
    if annotation.has_transparency_data:
        mask &= np.asarray(annotation.convert("RGBA"))[..., 3] > 0
    return mask


def unframed(photo, annotation):
    """What is marked, without lines along the border and specks."""
    mask = marked(photo, annotation)
    inner = np.zeros_like(mask)
    inner[FRAME:-FRAME, FRAME:-FRAME] = mask[FRAME:-FRAME, FRAME:-FRAME]
    labels, parts = components(inner)
    large = np.isin(labels, [label for label, _, area in parts if area >= SMALLEST_PART * mask.size])
    # What was cut off a part that does reach the border comes back.
    reach = np.ones((2 * FRAME + 1, 2 * FRAME + 1), np.uint8)
    return mask & (cv2.dilate(large.astype(np.uint8), reach) > 0)


def whole_flower(photo, annotation):
    """The flower without the specks and holes that scaling the labels left; None if it is small or in many pieces."""
    mask = cv2.medianBlur((np.asarray(annotation) == FLOWER) * np.uint8(255), 3)
    labels, parts = components(mask)
    largest = max((area for _, _, area in parts), default=0)
    if largest < SMALLEST_FLOWER * mask.size:
        return None
    kept = {label: area for label, _, area in parts if area >= max(SMALLEST_PETAL * largest, FEWEST_PETAL_PIXELS)}
    if len(kept) > MOST_FLOWERS or sum(kept.values()) < LEAST_WITHOUT_SPECKS * sum(area for *_, area in parts):
        return None
    flower = np.isin(labels, list(kept))
    labels, holes = components(~flower)
    height, width = mask.shape
    for label, (left, top, wide, high), area in holes:
        at_border = left == 0 or top == 0 or left + wide == width or top + high == height
        if area < SMALLEST_HOLE or (not at_border and area < LARGEST_HOLE * mask.size):
            flower[labels == label] = True
    return flower


def decided(photo, trimap):
    """The pet, cut by its colors in the band along its outline that the annotators left undecided.

    Of CUT_SIDE x CUT_SIDE. None if the annotators decided on almost no pet, or on almost no ground. GrabCut: Rother,
    Kolmogorov & Blake 2004.
    """
    colors = np.asarray(photo.convert("RGB").resize((CUT_SIDE, CUT_SIDE), Image.Resampling.BICUBIC))[..., ::-1].copy()
    trimap = np.asarray(trimap.resize((CUT_SIDE, CUT_SIDE), Image.Resampling.NEAREST))
    pet, ground = trimap == PET, trimap == GROUND
    if min(pet.sum(), ground.sum()) < FEWEST_DECIDED:
        return None
    to_pet, to_ground = (cv2.distanceTransform((~plane).astype(np.uint8), cv2.DIST_L2, 3) for plane in (pet, ground))
    guess = np.where(to_pet <= to_ground, cv2.GC_PR_FGD, cv2.GC_PR_BGD)
    cut = np.select([pet, ground], [cv2.GC_FGD, cv2.GC_BGD], guess).astype(np.uint8)
    cv2.setRNGSeed(0)  # GrabCut's clusters of colors begin at random
    cv2.grabCut(colors, cut, None, np.zeros((1, 65)), np.zeros((1, 65)), CUT_ROUNDS, cv2.GC_INIT_WITH_MASK)
    mask = cv2.medianBlur(np.isin(cut, (cv2.GC_FGD, cv2.GC_PR_FGD)) * np.uint8(255), 5) > 0
    labels, parts = components(mask)
    for label, _, area in parts:
        if area < SMALLEST_STRAY * mask.size and not pet[labels == label].any():
            mask[labels == label] = False
    return mask
