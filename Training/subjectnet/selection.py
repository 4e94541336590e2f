"""Chooses photos of other people's repositories to copy: as many of every folder, without near duplicates."""
from pathlib import Path

import numpy as np

from .likeness import hashes_of
from .pictures import ENDINGS

SCENES = {  # folders of data/test in Scene-15, by what is made of them
    "landscapes": ("Coast", "Forest", "Mountain", "OpenCountry"),
    "report-streets": ("Street", "Highway", "InsideCity"),
    "report-buildings": ("TallBuilding", "Industrial", "Suburb"),
    "report-rooms": ("LivingRoom", "Kitchen", "Office", "Store", "Bedroom"),
}
LANDSCAPES, TEXTURES, REPORTED = 95, 42, 30  # photos of every folder


def photos_below(folder):
    found = sorted(file for file in Path(folder).rglob("*") if file.suffix.lower() in ENDINGS and file.is_file())
    if not found:
        raise ValueError(f"{folder} has no photos; name the clone, with its files checked out")
    return found


def chosen(folder, count, known, seed):
    """Up to `count` photos of a folder, or all if it is None, that are not like one in `known`; adds them to it.

    In random order.
    """
    photos, result = photos_below(folder), []
    for place in np.random.default_rng(seed).permutation(len(photos)):
        if len(result) == count:
            break
        hashes = hashes_of(photos[place])
        if not known.has_like(hashes):
            known.add(hashes)
            result.append(photos[place])
    return result


def scenes(clone, known, seed):
    """The photos of Scene-15's test set by kind."""
    return {kind: [photo for folder in folders for photo in chosen(
        Path(clone) / "data/test" / folder, LANDSCAPES if kind == "landscapes" else REPORTED, known, seed)]
        for kind, folders in SCENES.items()}


def textures(clone, known, seed):
    folders = sorted(folder for folder in (Path(clone) / "images").glob("*") if folder.is_dir())
    return {"textures": [photo for folder in folders for photo in chosen(folder, TEXTURES, known, seed)]}


def crowds(clone, known, seed):
    return {"crowds": chosen(Path(clone) / "ShanghaiTech", None, known, seed)}
