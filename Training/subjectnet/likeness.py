"""Finds near duplicates: photos that another set has too, in another size, compressed again, or mirrored.

The hash of a photo is whether each of its 16x16 mean grays is above their mean: 256 bits.
"""
import numpy as np
from PIL import Image

from .pictures import pictures_by_stem

GRID = 16
LARGEST_DISTANCE = 12  # bits that may differ between two copies of a photo
DECODED = 128  # pixels: JPEG photos are decoded as small as this, which is faster


def likeness_hashes(picture):
    """A picture's hash and that of its mirror image, as four 64-bit words each."""
    gray = np.asarray(picture.convert("L").resize((GRID, GRID), Image.Resampling.BOX), np.float32)
    above = gray > gray.mean()
    return tuple(np.packbits(bits).view(np.uint64) for bits in (above, above[:, ::-1]))


class KnownPhotos:
    """The hashes of photos that later ones are compared with."""

    def __init__(self):
        self.hashes = np.empty((0, GRID * GRID // 64), np.uint64)

    @classmethod
    def of_folder(cls, folder):
        known = cls()
        for file in pictures_by_stem(folder).values():
            with Image.open(file) as picture:
                picture.draft("RGB", (DECODED, DECODED))
                known.add(likeness_hashes(picture))
        if not len(known.hashes):
            raise ValueError(f"{folder} has no pictures; name the folder that directly contains the photos")
        return known

    def add(self, hashes):
        self.hashes = np.concatenate([self.hashes, hashes[0][None]])

    def has_like(self, hashes):
        """Whether one of the photos is a near duplicate of the one with these hashes, or of its mirror image."""
        return any((np.bitwise_count(self.hashes ^ own).sum(1) <= LARGEST_DISTANCE).any() for own in hashes)
