"""Measures of finished stickers, and sheets to look at them."""

import cv2
import numpy as np
from PIL import Image
from scipy import ndimage

#: The grounds of messengers: light, dark, and a wallpaper.
GROUNDS = ((255, 255, 255), (32, 36, 44), (214, 40, 110))
#: The side of a cell on a sheet, in pixels.
CELL = 200
#: The stickers of a row.
COLUMNS = 10


def at_usual_size(picture):
    """With 512 pixels on its longer side."""
    scale = 512 / max(picture.size)
    return picture.resize([max(1, round(side * scale)) for side in picture.size], Image.Resampling.BILINEAR)


def turning(alpha):
    """How often the longest outer contour turns around, bumps counted both ways: a circle's does once."""
    visible = np.pad(alpha > 127, 30).astype(np.uint8)
    contours, _ = cv2.findContours(visible, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not contours:
        return 0.0
    points = max(contours, key=len)[:, 0] @ np.array([1, 1j])
    smooth = ndimage.gaussian_filter1d(points.real, 3, mode="wrap") + 1j * ndimage.gaussian_filter1d(
        points.imag, 3, mode="wrap")
    steps = np.gradient(smooth)
    return np.abs(np.angle(steps[1:] / steps[:-1])).sum() / (2 * np.pi)


def contour_count(alpha):
    return ndimage.label(alpha > 127)[1]


def sheet(rows):
    """A picture of cells; each row has the pictures of one sticker, all on the ground that its number gives it."""
    across = max(1, COLUMNS // max(len(row) for row in rows))
    width = max(len(row) for row in rows)
    result = Image.new("RGB", (across * width * CELL, -(-len(rows) // across) * CELL))
    for number, row in enumerate(rows):
        ground = GROUNDS[number % len(GROUNDS)]
        for column in range(width):
            place = ((number % across * width + column) * CELL, number // across * CELL)
            result.paste(ground, (*place, place[0] + CELL, place[1] + CELL))
            if column >= len(row) or row[column] is None:
                continue
            picture = Image.open(row[column]).convert("RGBA")
            picture.thumbnail((CELL - 8, CELL - 8))
            result.paste(
                picture, (place[0] + (CELL - picture.width) // 2, place[1] + (CELL - picture.height) // 2), picture)
    return result
