#!/usr/bin/env python3
"""pictures.py FOLDER: fills a folder with photos in every format that stickerd reads: drawn ones, and those of the tests.

The same bytes at every run: all systems cut the same photos. Run it with `$(Tests/python.sh Platforms) Tests/Platforms/pictures.py`.
"""

import pathlib
import random
import shutil
import subprocess
import sys

import pillow_heif
from PIL import Image, ImageDraw, ImageFilter

TESTS = pathlib.Path(__file__).resolve().parent.parent
PROFILES = {name: (TESTS / "Fuzz/corpus/icc" / name).read_bytes() for name in ("gray", "inks", "srgb", "wide")}
#: EXIF's tag.
ORIENTATION = 0x112
#: One thread, so that the encoder's result does not depend on the number of processors.
pillow_heif.register_heif_opener()
ONE_THREAD = {"enc_params": {"x265:pools": "1", "x265:frame-threads": "1"}}

JPEG = {
    "baseline": {"quality": 90, "subsampling": "4:4:4"},
    "halved": {"quality": 80, "subsampling": "4:2:0"},
    "sideways": {"quality": 85, "subsampling": "4:2:2"},
    "coarse": {"quality": 30, "subsampling": "4:2:0"},
    "progressive": {"quality": 85, "progressive": True, "subsampling": "4:2:0"},
    "progressive-full": {"quality": 92, "progressive": True, "subsampling": "4:4:4"},
    "restarts": {"quality": 85, "restart_marker_rows": 1},
    "profile": {"quality": 85, "icc_profile": PROFILES["wide"]},
}
PNG = {
    "RGB": {}, "L": {}, "P": {}, "1": {}, "RGBA": {}, "LA": {}, "I;16": {},
}
WEBP = {
    "lossy": {"quality": 80}, "coarse": {"quality": 20}, "lossless": {"lossless": True},
    "profile": {"quality": 90, "icc_profile": PROFILES["wide"]},
}


def noise(dice, size, roughness):
    """A gray texture; more roughness, finer grain."""
    width, height = max(2, round(size[0] * roughness)), max(2, round(size[1] * roughness))
    return Image.frombytes("L", (width, height), dice.randbytes(width * height)).resize(size, Image.Resampling.BICUBIC)


def draw(number, width, height):
    """A photo with a subject of several parts in front of a textured background, and the mask of its subject, for alpha."""
    dice = random.Random(number)
    size = width, height
    color = lambda low, high: tuple(dice.randint(low, high) for _ in range(3))
    photo = Image.composite(
        Image.new("RGB", size, color(90, 140)), Image.new("RGB", size, color(140, 220)), noise(dice, size, 0.02))
    side, x, y = min(size), width / 2, height / 2
    mask = Image.new("L", (2 * width, 2 * height))
    shape = ImageDraw.Draw(mask)
    body = 0.27 * side
    for angle in range(dice.randint(2, 5)):
        dx, dy = dice.uniform(-0.8, 0.8) * body, dice.uniform(-0.8, 0.8) * body
        reach = dice.uniform(0.25, 0.6) * body
        box = [x + dx - reach, y + dy - reach, x + dx + reach, y + dy + reach]
        shape.ellipse([2 * edge for edge in box], fill=255)
    shape.ellipse([2 * edge for edge in (x - body, y - 0.8 * body, x + body, y + body)], fill=255)
    # Hair: thin lines over the edge.
    for _ in range(dice.randint(0, 60)):
        end = x + dice.uniform(-1.5, 1.5) * body, y + dice.uniform(-1.5, 1.5) * body
        shape.line([2 * x, 2 * y, 2 * end[0], 2 * end[1]], fill=255, width=max(2, side // 150))
    mask = mask.resize(size, Image.Resampling.BOX)
    subject = Image.composite(
        Image.new("RGB", size, color(0, 80)), Image.new("RGB", size, (dice.randint(200, 255), *color(20, 120)[:2])),
        noise(dice, size, 0.1))
    photo.paste(subject, mask=mask)
    grain = noise(dice, size, 1).point(lambda value: value // 20)
    return Image.blend(photo, Image.merge("RGB", [grain] * 3), 0.04).filter(ImageFilter.GaussianBlur(0.6)), mask


def pictures():
    """(name, image, how to save it) of each drawn photo."""
    count = 0

    def next_size():
        nonlocal count
        count += 1
        dice = random.Random(1000 + count)
        return draw(count, dice.randint(160, 900), dice.randint(160, 900))

    for name, options in JPEG.items():
        yield f"{name}.jpg", next_size()[0], options
    for turn in range(2, 9):
        exif = Image.Exif()
        exif[ORIENTATION] = turn
        yield f"turned-{turn}.jpg", next_size()[0], {"quality": 85, "exif": exif}
    yield "gray.jpg", next_size()[0].convert("L"), {"quality": 85, "icc_profile": PROFILES["gray"]}
    yield "inks.jpg", next_size()[0].convert("CMYK"), {"quality": 85}
    yield "inks-profile.jpg", next_size()[0].convert("CMYK"), {"quality": 85, "icc_profile": PROFILES["inks"]}
    yield "large.jpg", draw(90, 3001, 2003)[0], {"quality": 85, "subsampling": "4:2:0"}
    yield "large-progressive.jpg", draw(91, 2000, 2600)[0], {"quality": 85, "progressive": True}
    for mode, options in PNG.items():
        photo, mask = next_size()
        if mode.endswith("A"):
            photo.putalpha(mask)
        if mode == "I;16":
            # The low bytes are not zero.
            image = Image.frombytes(mode, photo.size, bytes(b for gray in photo.convert("L").tobytes() for b in (gray * 7 % 256, gray)))
        else:
            image = photo.convert(mode)
        yield f"{mode.replace(';', '-')}.png", image, options
    yield "profile.png", next_size()[0], {"icc_profile": PROFILES["wide"]}
    for name, options in WEBP.items():
        yield f"{name}.webp", next_size()[0], options
    for name, options in ("alpha", {"quality": 80}), ("alpha-lossless", {"lossless": True}):
        photo, mask = next_size()
        photo.putalpha(mask)
        yield f"{name}.webp", photo, options
    for number, quality in enumerate((40, 60, 80, 90)):
        yield f"{quality}.heic", next_size()[0], {"quality": quality, **ONE_THREAD}
        yield f"{quality}.avif", next_size()[0], {"quality": quality, "max_threads": 1, "speed": 8}
    photo, mask = next_size()
    photo.putalpha(mask)
    yield "alpha.heic", photo, {"quality": 80, **ONE_THREAD}
    yield "alpha.avif", photo, {"quality": 80, "max_threads": 1, "speed": 8}


def main(folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True)
    for name, image, options in pictures():
        image.save(folder / name, **options)
    # Pillow does not write arithmetic coding.
    for name, options in ("arithmetic", []), ("arithmetic-progressive", ["-progressive"]):
        transcode = ["jpegtran", "-arithmetic", *options, folder / "halved.jpg"]
        (folder / f"{name}.jpg").write_bytes(subprocess.run(transcode, stdout=subprocess.PIPE, check=True).stdout)
    shipped = [*(TESTS / "Fuzz/corpus").glob("[!im]*/*.*"), *(TESTS / "Unit/PhotoCodecsTests/Fixtures").glob("tile*")]
    for file in shipped:
        shutil.copy(file, folder / f"shipped-{file.parent.name}-{file.name}")


if __name__ == "__main__":
    main(*sys.argv[1:])
