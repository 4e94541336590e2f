"""Pieces of photos whose masks are known: crops through the subject, and rectangles of the background.

Masks are arrays of bools; boxes are (left, top, right, bottom) in pixels, as in Pillow. Sides are measured in those of
the photo, because the network sees every photo as a square.
"""
import numpy as np

KEPT = (0.3, 0.7)  # of the subject's area in a crop
SMALLEST_SHARE = 0.08  # of the crop that the subject covers
SMALLEST_CUT = 0.05  # of the crop's outline that runs through the subject
SIDES = (3 / 8, 0.9)  # of a crop; those of a background have no upper limit
MOST_UNEQUAL = 2  # the longer side of a piece by the shorter one
TRIES = 400
MARGIN = 1 / 25  # between the subject and its background


def cut(mask, box):
    """How many pixels of the box's outline are subject on both sides, so that the box cuts through it."""
    left, top, right, bottom = box
    height, width = mask.shape
    length = 0
    for near, far, inside in ((left, left - 1, left > 0), (right - 1, right, right < width)):
        length += (mask[top:bottom, near] & mask[top:bottom, far]).sum() if inside else 0
    for near, far, inside in ((top, top - 1, top > 0), (bottom - 1, bottom, bottom < height)):
        length += (mask[near, left:right] & mask[far, left:right]).sum() if inside else 0
    return int(length)


def crop_through(mask, dice):
    """A random box that keeps only a part of the subject and cuts through it, or None if none was found."""
    height, width = mask.shape
    for _ in range(TRIES):
        shares = dice.uniform(*SIDES, 2)
        wide, high = round(width * shares[0]), round(height * shares[1])
        left, top = int(dice.integers(width - wide + 1)), int(dice.integers(height - high + 1))
        if shares.max() > MOST_UNEQUAL * shares.min():
            continue
        box = (left, top, left + wide, top + high)
        kept = mask[top:top + high, left:left + wide].sum()
        if (KEPT[0] * mask.sum() <= kept <= KEPT[1] * mask.sum() and kept >= SMALLEST_SHARE * wide * high
                and cut(mask, box) >= SMALLEST_CUT * 2 * (wide + high)):
            return box
    return None


def widened(mask):
    """The mask and its margin on all sides."""
    for axis, side in enumerate(mask.shape):
        margin = round(MARGIN * side)
        padded = np.pad(mask, [(margin, margin) if a == axis else (0, 0) for a in (0, 1)])
        mask = np.lib.stride_tricks.sliding_window_view(padded, 2 * margin + 1, axis).any(-1)
    return mask


def free_rectangles(mask):
    """The boxes without subject that cannot be enlarged downwards or sideways; some more than once."""
    heights = np.zeros(mask.shape[1] + 1, int)  # of the free columns above a row; the last one ends every box
    for bottom, row in enumerate(mask, 1):
        heights[:-1] = np.where(row, 0, heights[:-1] + 1)
        open_boxes = []  # (left side, height), the heights rising
        for right, height in enumerate(heights.tolist()):
            left = right
            while open_boxes and open_boxes[-1][1] >= height:
                left, ended = open_boxes.pop()
                yield left, bottom - ended, right, bottom
            open_boxes.append((left, height))


def background(mask):
    """The largest box with a margin to the subject, or None if all are too small or too narrow."""
    height, width = mask.shape

    def area(box):
        wide, high = (box[2] - box[0]) / width, (box[3] - box[1]) / height
        good = min(wide, high) >= SIDES[0] and max(wide, high) <= MOST_UNEQUAL * min(wide, high)
        return wide * high if good else 0

    best = max(free_rectangles(widened(mask)), key=area)
    return best if area(best) else None
