"""Pictures drawn for the tests: a bright ellipse on a dark, uneven ground, and archives of them as DUTS has them."""
import io
import tarfile

import numpy as np
from PIL import Image, ImageDraw


def drawn_pair(seed, side=256):
    """A photo and its mask."""
    dice = np.random.default_rng(seed)
    ground = Image.fromarray(dice.integers(0, 90, (8, 8, 3), dtype=np.uint8)).resize((side, side))
    mask = Image.new("1", (side, side))
    left, top = dice.uniform(0, 0.4, 2) * side
    wide, high = dice.uniform(0.3, 0.6, 2) * side
    box = (left, top, left + wide, top + high)
    ImageDraw.Draw(mask).ellipse(box, fill=1)
    ImageDraw.Draw(ground).ellipse(box, fill=tuple(int(c) for c in dice.integers(150, 255, 3)))
    return ground, mask


def drawn_ground(seed, side=256):
    """A picture without a subject."""
    dice = np.random.default_rng(seed)
    return Image.fromarray(dice.integers(0, 255, (12, 12, 3), dtype=np.uint8)).resize((side, side))


def packed(folder, stems):
    """Writes a few of the sources' archives into a folder: DUTS-TR with these names, portraits, and textures."""
    first, second = folder / "duts-tr-0.tar", folder / "duts-tr-masks.tar.gz"
    with tarfile.open(first, "w") as photos, tarfile.open(second, "w:gz") as masks:
        for seed, stem in enumerate(stems):
            photo, mask = drawn_pair(seed)
            append(photos, f"{stem}.webp", photo, "WEBP")
            append(masks, f"{stem}.png", mask, "PNG")
        photos.addfile(tarfile.TarInfo(".DS_Store"))  # macOS leaves one in each folder it has shown
    with tarfile.open(folder / "eg1800.tar", "w") as both:
        for seed in range(4):
            photo, mask = drawn_pair(1000 + seed)
            append(both, f"photos/{seed}.webp", photo, "WEBP")
            append(both, f"masks/{seed}.png", mask, "PNG")
    with tarfile.open(folder / "dtd10.tar", "w") as photos:
        for seed in range(3):
            append(photos, f"photos/{seed}.webp", drawn_ground(seed), "WEBP")


def append(archive, name, picture, kind):
    data = io.BytesIO()
    picture.save(data, kind)
    entry = tarfile.TarInfo(name)
    entry.size = data.tell()
    data.seek(0)
    archive.addfile(entry, data)
