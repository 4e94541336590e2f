"""Finds near duplicates: photos that another set has too, in another size, compressed again, or mirrored.

The hash of a photo is whether each of its 16x16 mean grays is above their mean: 256 bits.
"""
import tarfile
import zlib
from pathlib import Path, PurePath

import numpy as np
from PIL import Image

from .opening import opened
from .pictures import ENDINGS
from .sources import is_mask

GRID = 16
LARGEST_DISTANCE = 12  # bits that may differ between two copies of a photo
DECODED = 128  # pixels: JPEG photos are decoded as small as this, which is faster


def likeness_hashes(picture):
    """A picture's hash and that of its mirror image, as four 64-bit words each."""
    gray = np.asarray(picture.convert("L").resize((GRID, GRID), Image.Resampling.BOX), np.float32)
    above = gray > gray.mean()
    return tuple(np.packbits(bits).view(np.uint64) for bits in (above, above[:, ::-1]))


def hashes_of(file):
    """The hashes of a photo's file."""
    with opened(file) as picture:
        picture.draft("RGB", (DECODED, DECODED))
        return likeness_hashes(picture)


def is_picture(name):
    return PurePath(name).suffix.lower() in ENDINGS


def pictures_of_folder(folder):
    """(file, what to call it, whether it is a mask) of the pictures directly in a folder."""
    return [(file, file, False) for file in sorted(folder.iterdir()) if is_picture(file) and file.is_file()]


def pictures_of_archive(path):
    """The same of a tar archive; masks are told apart as `prepare.py` does it."""
    try:
        with tarfile.open(path) as archive:
            for member in archive:
                if member.isfile() and is_picture(member.name):
                    yield archive.extractfile(member), f"{path}: {member.name}", is_mask(path.name, member.name)
    except (OSError, EOFError, zlib.error, tarfile.TarError) as error:
        raise ValueError(f"{path} is neither a folder nor a tar archive that can be read ({error})") from error


class KnownPhotos:
    """The hashes of photos that later ones are compared with."""

    def __init__(self):
        self.hashes = np.empty((0, GRID * GRID // 64), np.uint64)

    @classmethod
    def of(cls, path):
        """Of the photos directly in a folder, or of those in a tar archive; of an archive of masks, none."""
        known, path, name = cls(), Path(path), None
        for file, name, only_mask in pictures_of_folder(path) if path.is_dir() else pictures_of_archive(path):
            try:
                if not only_mask:
                    known.add(hashes_of(file))
            except Exception as error:
                raise ValueError(f"{name} cannot be read ({type(error).__name__}: {error}); replace it") from error
        if name is None:
            raise ValueError(f"{path} has no pictures; name a tar archive, or the folder that directly contains them")
        return known

    def add(self, hashes):
        self.hashes = np.concatenate([self.hashes, hashes[0][None]])

    def has_like(self, hashes):
        """Whether one of the photos is a near duplicate of the one with these hashes, or of its mirror image."""
        return any((np.bitwise_count(self.hashes ^ own).sum(1) <= LARGEST_DISTANCE).any() for own in hashes)
