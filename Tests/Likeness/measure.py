#!/usr/bin/env python3
"""Precision and recall of likenesses: changes each photo of a folder in many ways and checks that it is recognized.

measure.py PHOTOS [--others FOLDER…] [--tool .build/release/likeness]

PHOTOS has distinct photos. Those in the other folders serve as strangers only. Needs Pillow and NumPy.
"""
import argparse
import math
import pathlib
import subprocess
import tempfile

import numpy
from PIL import Image, ImageEnhance, ImageOps

ALIKE = 52
PHOTO_ENDINGS = {".jpg", ".jpeg", ".png", ".webp", ".heic"}


def cropped(photo, share, side):
    """Removes `share` of width and height at `side`."""
    across, down = round(photo.width * share), round(photo.height * share)
    left, top, right, bottom = {
        "all around": (across // 2, down // 2, across - across // 2, down - down // 2),
        "one side": (across, 0, 0, 0),
        "one corner": (across, down, 0, 0),
    }[side]
    return photo.crop((left, top, photo.width - right, photo.height - bottom))


def turned(photo, degrees):
    """Turned, and cropped so that no corner is empty."""
    lost = math.sin(math.radians(degrees)) / 2
    across, down = math.ceil(photo.height * lost) + 1, math.ceil(photo.width * lost) + 1
    result = photo.rotate(degrees, Image.Resampling.BICUBIC)
    return result.crop((across, down, photo.width - across, photo.height - down))


def next_of_burst(photo, share):
    """The next shot: slightly moved, with another exposure and other noise."""
    random = numpy.random.default_rng(photo.width * photo.height + round(1000 * share))
    moved = photo.crop((round(photo.width * share), round(photo.height * share), photo.width, photo.height))
    values = numpy.asarray(moved, numpy.float32) * random.uniform(0.95, 1.05)
    values += random.normal(0, 6, values.shape)
    return Image.fromarray(values.clip(0, 255).astype(numpy.uint8))


def resized(photo, scale):
    size = max(1, round(photo.width * scale)), max(1, round(photo.height * scale))
    return photo.resize(size, Image.Resampling.LANCZOS)


def changes():
    """(description, file extension, quality, function)"""
    for quality in (90, 70, 50, 30):
        yield f"JPEG, quality {quality}", "jpg", quality, lambda photo: photo
    for quality in (80, 30):
        yield f"WebP, quality {quality}", "webp", quality, lambda photo: photo
    for scale in (0.25, 0.5, 1.5, 2):
        yield f"resized to {scale}×", "jpg", 90, lambda photo, scale=scale: resized(photo, scale)
    yield "a third of the size, JPEG, quality 60", "jpg", 60, lambda photo: resized(photo, 1 / 3)
    for share in (0.02, 0.05, 0.1):
        for side in ("all around", "one side", "one corner"):
            yield (
                f"cropped by {round(share * 100)} %, {side}", "jpg", 90,
                lambda photo, share=share, side=side: cropped(photo, share, side))
    for name, enhance in (("brightness", ImageEnhance.Brightness), ("contrast", ImageEnhance.Contrast)):
        for factor in (0.8, 1.2):
            yield (
                f"{name} {'+' if factor > 1 else '−'}20 %", "jpg", 90,
                lambda photo, enhance=enhance, factor=factor: enhance(photo).enhance(factor))
    for factor in (0.5, 1.5):
        yield (
            f"saturation {'+' if factor > 1 else '−'}50 %", "jpg", 90,
            lambda photo, factor=factor: ImageEnhance.Color(photo).enhance(factor))
    yield "grey", "jpg", 90, ImageOps.grayscale
    for degrees in (0.5, 1, 2):
        yield f"turned by {degrees}°", "jpg", 90, lambda photo, degrees=degrees: turned(photo, degrees)
    for share in (0.005, 0.01, 0.02):
        yield (
            f"burst: moved by {share * 100:g} %, noise", "jpg", 90,
            lambda photo, share=share: next_of_burst(photo, share))


def photos_in(folder):
    return sorted(path for path in pathlib.Path(folder).rglob("*") if path.suffix.lower() in PHOTO_ENDINGS)


def likenesses(paths, tool):
    """A row of bits for each photo, or None if it has no likeness; and the microseconds for each."""
    output = subprocess.run(
        [tool, "hash"], input="\n".join(map(str, paths)), capture_output=True, text=True, check=True).stdout
    rows, times = [], []
    for line in output.splitlines():
        text, time, _ = line.split("\t", 2)
        is_likeness = len(text) == 64
        rows.append(numpy.unpackbits(numpy.frombuffer(bytes.fromhex(text), numpy.uint8)) if is_likeness else None)
        if is_likeness:
            times.append(int(time))
    assert len(rows) == len(paths)
    return rows, times


def stranger_distances(rows):
    """The number of pairs of different photos at each distance."""
    signs = numpy.array(rows, numpy.float32) * 2 - 1
    count = numpy.zeros(257, numpy.int64)
    for start in range(0, len(signs), 1000):
        block = signs[start:start + 1000]
        distances = ((256 - block @ signs[start:].T) / 2).round().astype(int)
        pairs = numpy.triu(numpy.ones(distances.shape, bool), 1)
        count += numpy.bincount(distances[pairs], minlength=257)
    return count


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("photos")
    parser.add_argument("--others", nargs="*", default=[])
    parser.add_argument("--tool", default=".build/release/likeness")
    options = parser.parse_args()

    paths = photos_in(options.photos)
    originals, times = likenesses(paths, options.tool)
    known = [(path, row) for path, row in zip(paths, originals) if row is not None]
    print(f"{len(paths)} photos, {len(known)} with a likeness; median {numpy.median(times):.0f} µs, maximum {max(times)} µs\n")
    bits = numpy.array([row for _, row in known])
    found_in_all = false_in_all = 0
    print("| change | recall | median distance | largest |\n|---|---|---|---|")
    for name, ending, quality, change in changes():
        with tempfile.TemporaryDirectory() as folder:
            changed = []
            for number, (path, _) in enumerate(known):
                photo = ImageOps.exif_transpose(Image.open(path)).convert("RGB")
                # The daemon's decoders return no larger pictures, and full-size ones would be slow.
                photo.thumbnail((2000, 2000))
                changed.append(pathlib.Path(folder) / f"{number}.{ending}")
                change(photo).save(changed[-1], quality=quality)
            rows, _ = likenesses(changed, options.tool)
        distances = []
        for number, row in enumerate(rows):
            if row is None:
                distances.append(256)
                continue
            to_all = (bits != row).sum(axis=1)
            distances.append(to_all[number])
            # Every other photo within the threshold is a false match.
            false_in_all += (numpy.delete(to_all, number) <= ALIKE).sum()
        distances = numpy.array(distances)
        found = (distances <= ALIKE).sum()
        found_in_all += found
        print(f"| {name} | {found / len(distances):.1%} | {numpy.median(distances):.0f} | {distances.max()} |", flush=True)
    print(f"\nPrecision over all changes: {found_in_all} right, {false_in_all} wrong matches "
          f"({found_in_all / (found_in_all + false_in_all):.2%})")

    strangers = [row for _, row in known]
    for folder in options.others:
        rows, _ = likenesses(photos_in(folder), options.tool)
        strangers += [row for row in rows if row is not None]
    count = stranger_distances(strangers)
    print(f"\n{len(strangers)} different photos, {count.sum()} pairs; pairs within each distance:")
    print(", ".join(f"{limit}: {count[:limit + 1].sum()}" for limit in range(0, 89, 4)))


if __name__ == "__main__":
    main()
