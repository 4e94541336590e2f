"""Photos and masks: out of archives into arrays for training and files for validation.

Each source NAME becomes NAME-photos.npy [n, side, side, 3] and NAME-masks.npy [n, side, side], bytes.
"""
import io
import tarfile
import zlib
from contextlib import ExitStack
from pathlib import Path, PurePosixPath

import numpy as np
import torch
from PIL import Image

from .sources import SOURCES, is_mask

VALIDATION_PHOTOS, VALIDATION_MASKS = "validation/photos", "validation/masks"


def is_validation(stem):
    """Whether a photo is held out: one in twenty, by its name alone, so that every machine holds out the same ones."""
    return zlib.crc32(stem.encode()) % 20 == 0


def square(data, mode, side):
    """A picture's bytes as an array of side x side; its aspect ratio is not kept."""
    with Image.open(io.BytesIO(data)) as picture:
        kernel = Image.Resampling.BILINEAR if mode == "L" else Image.Resampling.BICUBIC
        return np.asarray(picture.convert(mode).resize((side, side), kernel))


class Archives:
    """The open archives of one source; finds photos and masks by their names without folder and extension."""

    def __init__(self, source, paths, stack):
        self.source, self.photos, self.masks = source, {}, {}
        for path in paths:
            archive = stack.enter_context(tarfile.open(path))
            for member in archive:
                name = PurePosixPath(member.name)
                if member.isfile() and not name.name.startswith("."):  # DUTS-TR has a .DS_Store of macOS
                    found = self.masks if is_mask(path.name, member.name) else self.photos
                    found[name.stem] = (archive, member)
        if source.has_subjects and self.photos.keys() != self.masks.keys():
            odd = sorted(self.photos.keys() ^ self.masks.keys())
            raise ValueError(f"{source.name}: {len(odd)} photos without mask or masks without photo, as {odd[0]}")

    def stems(self, limit=None):
        return sorted(self.photos)[:limit]

    def read(self, found, stem):
        archive, member = found[stem]
        return PurePosixPath(member.name).name, archive.extractfile(member).read()

    def write_arrays(self, folder, stems, side):
        photos = np.lib.format.open_memmap(
            folder / f"{self.source.name}-photos.npy", "w+", np.uint8, (len(stems), side, side, 3))
        masks = np.lib.format.open_memmap(
            folder / f"{self.source.name}-masks.npy", "w+", np.uint8, (len(stems), side, side))
        for row, stem in enumerate(stems):
            photos[row] = square(self.read(self.photos, stem)[1], "RGB", side)
            if self.source.has_subjects:  # a new array is all zeros
                masks[row] = square(self.read(self.masks, stem)[1], "L", side)
        photos.flush()
        masks.flush()

    def write_validation(self, folder, stems):
        for subfolder, found in ((VALIDATION_PHOTOS, self.photos), (VALIDATION_MASKS, self.masks)):
            for stem in stems:
                name, data = self.read(found, stem)
                (folder / subfolder / name).write_bytes(data)


def prepare(archives, output, side, limit=None):
    """Writes the arrays of all sources with archives in a folder, and the validation files.

    Returns how many photos of each source train, by its name, and how many are held out.
    """
    output, training, held = Path(output), {}, 0
    for subfolder in (VALIDATION_PHOTOS, VALIDATION_MASKS):
        (output / subfolder).mkdir(parents=True, exist_ok=True)
        for old in (output / subfolder).iterdir():
            old.unlink()
    for source in SOURCES:
        paths = sorted(path for path in Path(archives).iterdir() if path.name.startswith(source.name))
        if not paths:
            continue
        with ExitStack() as stack:
            found = Archives(source, paths, stack)
            stems = found.stems(limit)
            kept = [stem for stem in stems if source.held_out and is_validation(stem)]
            shown = [stem for stem in stems if not (source.held_out and is_validation(stem))]
            found.write_validation(output, kept)
            found.write_arrays(output, shown, side)
            training[source.name], held = len(shown), held + len(kept)
    if not any(training.values()):
        raise ValueError(f"No photo to train on in {archives}")
    return training, held


def training_arrays(folder):
    """(source, photos, masks) of every source that was prepared; mapped from disk."""
    folder, found = Path(folder), []
    for source in SOURCES:
        paths = [folder / f"{source.name}-{kind}.npy" for kind in ("photos", "masks")]
        if all(path.exists() for path in paths):
            photos, masks = (np.load(path, mmap_mode="r") for path in paths)
            if len(photos):
                found.append((source, photos, masks))
    if not found:
        raise ValueError(f"Nothing is prepared in {folder}")
    return found


def validation_pairs(folder, side):
    """The held-out photos and masks as bytes, in the order of their names."""
    def load(subfolder, mode):
        files = sorted((Path(folder) / subfolder).iterdir(), key=lambda file: file.stem)
        arrays = [square(file.read_bytes(), mode, side) for file in files]
        return torch.from_numpy(np.stack(arrays)) if arrays else torch.empty(0, side, side, dtype=torch.uint8)
    return load(VALIDATION_PHOTOS, "RGB"), load(VALIDATION_MASKS, "L")
