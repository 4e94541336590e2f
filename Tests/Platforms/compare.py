#!/usr/bin/env python3
"""compare.py EXPECTED MADE: compares two folders that produce.sh made, byte for byte, and prints what differs.

HEIC and AVIF pass through other versions of libheif and its codecs, and networks from files through another XNNPACK: their
pictures may differ by a few levels, the greatest difference is printed.
"""

import pathlib
import sys

from PIL import Image, ImageChops

#: Levels by which a channel of a picture may differ: measured for stickers of HEIC and AVIF, promised for networks.
CODEC_LIMIT, NETWORK_LIMIT = 0, 1
HEIF = ".heic", ".avif"


def printed(folder, kind):
    """{the photo's name: what the program says about it}."""
    lines = (folder / f"{kind}.printed").read_text().splitlines()
    return dict(line.split(" → ", 1) if " → " in line else line.split(": ", 1) for line in lines)


def difference(expected, made):
    """The greatest difference of a channel; 256 if the sizes or channels differ."""
    with Image.open(expected) as one, Image.open(made) as other:
        if (one.size, one.mode) != (other.size, other.mode):
            return 256
        extrema = ImageChops.difference(one, other).getextrema()
        return max(high for _, high in (extrema if isinstance(extrema[0], tuple) else [extrema]))


def compare(expected, made, kind):
    """Compares one kind of output; returns the problems."""
    problems, identical, greatest = [], 0, {}
    before, now = printed(expected, kind), printed(made, kind)
    for photo in sorted({*before, *now}):
        if before.get(photo) != now.get(photo):
            problems.append(f"{photo}: {before.get(photo)} here, {now.get(photo)} there")
            continue
        if not (expected / before[photo]).is_file():
            continue
        if (expected / before[photo]).read_bytes() == (made / before[photo]).read_bytes():
            identical += 1
            continue
        reason, limit = ("network", NETWORK_LIMIT) if kind.startswith("model") else ("bytes", -1)
        if photo.endswith(HEIF):
            reason, limit = "codec", CODEC_LIMIT
        levels = difference(expected / before[photo], made / before[photo])
        greatest[reason] = max(levels, greatest.get(reason, 0))
        if levels > limit:
            problems.append(f"{photo}: other bytes, up to {levels} levels")
    files = sum(1 for file in (expected / kind).iterdir())
    print(f"{kind}: {identical} of {files} pictures of {len(before)} photos identical", end="")
    print(*(f"; {reason}: up to {levels} levels" for reason, levels in greatest.items()))
    return [f"{kind}: {problem}" for problem in problems] + ([] if files else [f"{kind}: no pictures"])


def main(expected, made):
    expected, made = pathlib.Path(expected), pathlib.Path(made)
    kinds = sorted(file.stem for file in expected.glob("*.printed"))
    problems = [problem for kind in kinds for problem in compare(expected, made, kind)]
    print(*problems, sep="\n", end="\n" if problems else "")
    return 1 if problems or not kinds else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
