"""Photos and masks: out of DUTS-TR's archives into arrays for training and files for validation."""
import io
import tarfile
import zlib
from pathlib import Path, PurePosixPath

import numpy as np
import torch
from PIL import Image

SIDE = 256  # of the prepared photos and masks, in pixels
TRAINING_PHOTOS, TRAINING_MASKS = "train-photos.npy", "train-masks.npy"
VALIDATION_PHOTOS, VALIDATION_MASKS = "validation/photos", "validation/masks"


def is_validation(stem):
    """Whether a photo is held out: one in twenty, by its name alone, so that every machine holds out the same ones."""
    return zlib.crc32(stem.encode()) % 20 == 0


def archived(paths):
    """Yields (stem, file name, bytes) of every file in some tar archives; folders in member names are dropped."""
    for path in paths:
        with tarfile.open(path) as archive:
            for member in archive:
                if member.isfile():
                    name = PurePosixPath(member.name)
                    yield name.stem, name.name, archive.extractfile(member).read()


def square(data, mode):
    """A picture's bytes as an array of SIDE x SIDE."""
    with Image.open(io.BytesIO(data)) as picture:
        picture = picture.convert(mode)
        if picture.size != (SIDE, SIDE):
            picture = picture.resize((SIDE, SIDE), Image.Resampling.BOX if mode == "L" else Image.Resampling.BILINEAR)
        return np.asarray(picture)


def prepare(photo_archives, mask_archives, output, limit=None):
    """Writes the training arrays and the validation files into `output`; returns how many of each.

    Every photo must have its mask, and the other way round: half of a pair means that an archive is missing.
    """
    output = Path(output)
    for folder in (VALIDATION_PHOTOS, VALIDATION_MASKS):
        (output / folder).mkdir(parents=True, exist_ok=True)
        for old in (output / folder).iterdir():
            old.unlink()
    masks = {stem: (name, data) for stem, name, data in archived(mask_archives)}
    total = len(masks)
    chosen = sorted(masks)[:limit]
    training = {stem: row for row, stem in enumerate(s for s in chosen if not is_validation(s))}
    if not training:
        raise ValueError("No photo is left to train on")
    photo_rows = np.lib.format.open_memmap(
        output / TRAINING_PHOTOS, "w+", np.uint8, (len(training), SIDE, SIDE, 3))
    mask_rows = np.lib.format.open_memmap(output / TRAINING_MASKS, "w+", np.uint8, (len(training), SIDE, SIDE))
    wanted, seen = set(chosen), 0
    for stem, name, data in archived(photo_archives):
        if stem not in masks:
            raise ValueError(f"{name} has no mask")
        seen += 1
        if stem in training:
            photo_rows[training[stem]] = square(data, "RGB")
            mask_rows[training[stem]] = square(masks[stem][1], "L")
        elif stem in wanted:
            (output / VALIDATION_PHOTOS / name).write_bytes(data)
            (output / VALIDATION_MASKS / masks[stem][0]).write_bytes(masks[stem][1])
    if seen != total:
        raise ValueError(f"{total} masks, but {seen} photos")
    photo_rows.flush()
    mask_rows.flush()
    return len(training), len(chosen) - len(training)


def training_pairs(folder, device):
    """The photos [n, side, side, 3] and masks [n, side, side] as bytes: whole on a GPU, mapped from disk otherwise."""
    # "c" maps them writable, which torch asks for, without ever writing to the file.
    arrays = [np.load(Path(folder) / name, mmap_mode="c") for name in (TRAINING_PHOTOS, TRAINING_MASKS)]
    photos, masks = (torch.from_numpy(array) for array in arrays)
    return (photos.to(device), masks.to(device)) if device.type == "cuda" else (photos, masks)


def validation_pairs(folder):
    """The held-out photos and masks as bytes, in the shape of the training ones, in the order of their names."""
    def load(subfolder, mode):
        files = sorted((Path(folder) / subfolder).iterdir(), key=lambda file: file.stem)
        arrays = [square(file.read_bytes(), mode) for file in files]
        return torch.from_numpy(np.stack(arrays)) if arrays else torch.empty(0, SIDE, SIDE, dtype=torch.uint8)
    return load(VALIDATION_PHOTOS, "RGB"), load(VALIDATION_MASKS, "L")
