"""Packs an origin's photos and masks as the archives that `prepare.py` reads, and decides which photos are left out."""
import io
import os
import tarfile
from collections import Counter
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from PIL import Image

from .likeness import KnownPhotos, hashes_of
from .opening import opened

SMALLEST_SUBJECT, LARGEST_SUBJECT = 0.01, 0.9  # of the picture
UNUSABLE_MASK = "mask of another size, in pieces, or with too little marked"


@contextmanager
def new_archive(folder, name):
    """A tar archive that gets its name when it is complete, and is removed if an error comes first."""
    unfinished = folder / f".{name}.part"
    try:
        with tarfile.open(unfinished, "w") as archive:
            yield archive
        os.replace(unfinished, folder / name)
    finally:
        unfinished.unlink(missing_ok=True)


def append(archive, name, data):
    entry = tarfile.TarInfo(name)  # without a time or an owner, so that the same photos give the same archive
    entry.size = len(data)
    archive.addfile(entry, io.BytesIO(data))


def as_png(mask):
    data = io.BytesIO()
    Image.fromarray(mask * np.uint8(255)).save(data, "PNG")
    return data.getvalue()


def masked(origin, photo, mask):
    """A photo's hashes and its mask, or None if there is no good one."""
    try:
        with opened(photo) as picture, opened(mask) as annotation:
            found = origin.subject(picture, annotation) if picture.size == annotation.size else None
        return hashes_of(photo), found
    except Exception as error:
        raise ValueError(f"{photo} or its mask {mask} cannot be used ({type(error).__name__}: {error}); "
                         "restore them with git, or delete both") from error


def reason_against(hashes, mask, known):
    """Why a photo is left out, or None. `known` has KnownPhotos by what they are called."""
    if mask is None:
        return UNUSABLE_MASK
    if not SMALLEST_SUBJECT <= mask.mean() <= LARGEST_SUBJECT:
        return "subject too small or too large"
    return next((f"like one of {name}" for name, photos in known.items() if photos.has_like(hashes)), None)


def write_archives(origin, clones, output, without=()):
    """Writes NAME.tar and NAME-masks.tar; returns how many photos were kept, and how many left out for which reason.

    Of near duplicates within the source, the first is kept; of those of photos in the folders and archives `without`,
    none.
    """
    output, left_out, kept = Path(output), Counter(), KnownPhotos()
    known = {str(path): KnownPhotos.of(path) for path in without} | {"the same source": kept}
    pairs = origin.pairs(clones)
    output.mkdir(parents=True, exist_ok=True)
    with (new_archive(output, f"{origin.name}.tar") as photos,
          new_archive(output, f"{origin.name}-masks.tar") as masks):
        for name, photo, annotation in pairs:
            hashes, mask = masked(origin, photo, annotation)
            if reason := reason_against(hashes, mask, known):
                left_out[reason] += 1
                continue
            kept.add(hashes)
            append(photos, f"{name}{photo.suffix}", photo.read_bytes())
            append(masks, f"{name}.png", as_png(mask))
        if not len(kept.hashes):
            reasons = ", ".join(f"{reason}: {count}" for reason, count in sorted(left_out.items()))
            raise ValueError(f"{origin.name}: no photo is left of {len(pairs)} ({reasons}); "
                             "check the clones, and that --without does not name this source's own archive")
    return len(kept.hashes), left_out
