"""Changes to single photos before they become a batch: other backgrounds, JPEG artefacts, low light.

Photos are arrays [side, side, 3] and masks [side, side] of bytes; `dice` is a numpy generator.
"""
import io

import numpy as np
from PIL import Image, ImageFilter

SOFTNESS = 0.7  # pixels: the softness of a pasted subject's edge, about that of a photo
QUALITIES = (12, 60)  # of JPEG: from strong to hardly visible artefacts
LIGHT = (0.15, 0.5)  # of the photo's own
SENSOR_NOISE = (2, 7)  # levels of 255, in low light


def touches_border(mask):
    return any(edge.max() > 127 for edge in (mask[0], mask[-1], mask[:, 0], mask[:, -1]))


def moved(photo, mask, dice):
    """Moves and scales subject and mask within the picture; leaves them unchanged if the picture cuts the subject."""
    rows, columns = (np.flatnonzero(mask.max(axis) > 127) for axis in (1, 0))
    if not len(rows) or touches_border(mask):
        return photo, mask
    side = len(mask)
    top, bottom, left, right = rows[0], rows[-1] + 1, columns[0], columns[-1] + 1
    scale = min(dice.uniform(0.5, 1.4), 0.95 * side / max(bottom - top, right - left))
    # Chosen so that the subject's box can be anywhere inside the picture.
    x, y = (dice.uniform(-scale * low, side - scale * high) for low, high in ((left, right), (top, bottom)))
    inverse = (1 / scale, 0, -x / scale, 0, 1 / scale, -y / scale)
    return tuple(
        np.asarray(Image.fromarray(picture).transform((side, side), Image.Transform.AFFINE, inverse,
                                                      Image.Resampling.BILINEAR))
        for picture in (photo, mask))


def pasted(photo, mask, ground, dice):
    """The subject cut out and pasted on another photo, in slightly other light."""
    photo, mask = moved(photo, mask, dice)
    if dice.random() < 0.5:
        ground = ground[:, ::-1]
    tint = 1 + dice.normal(0, 0.08, 3)
    alpha = np.asarray(Image.fromarray(mask).filter(ImageFilter.GaussianBlur(SOFTNESS)), np.float32)[..., None] / 255
    mixed = np.clip(photo * tint, 0, 255) * alpha + ground * (1 - alpha)
    return mixed.astype(np.uint8), mask


def compressed(photo, dice):
    """The photo with artefacts of strong JPEG compression."""
    data = io.BytesIO()
    Image.fromarray(photo).save(data, "JPEG", quality=int(dice.integers(*QUALITIES)))
    return np.asarray(Image.open(data).convert("RGB"))


def dimmed(photo, dice):
    """The photo in low light: dark, with sensor noise."""
    dark = photo * dice.uniform(*LIGHT)
    return np.clip(dark + dice.normal(0, dice.uniform(*SENSOR_NOISE), dark.shape), 0, 255).astype(np.uint8)
