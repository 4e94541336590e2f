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


def packed(folder, stems):
    """Writes photos.tar (WebP) and masks.tar.gz (one-bit PNG); returns their paths."""
    paths = folder / "photos.tar", folder / "masks.tar.gz"
    with tarfile.open(paths[0], "w") as photos, tarfile.open(paths[1], "w:gz") as masks:
        for seed, stem in enumerate(stems):
            photo, mask = drawn_pair(seed)
            append(photos, f"{stem}.webp", photo, "WEBP")
            append(masks, f"{stem}.png", mask, "PNG")
    return paths


def append(archive, name, picture, kind):
    data = io.BytesIO()
    picture.save(data, kind)
    entry = tarfile.TarInfo(name)
    entry.size = data.tell()
    data.seek(0)
    archive.addfile(entry, data)
