#!/usr/bin/env python3
"""compare.py EXPECTED MADE: compares two folders that produce.sh made, byte for byte, and prints what differs.

Only masks of networks from files, which another version of XNNPACK computes in floats, may differ by a level.
"""

import pathlib
import sys

from PIL import Image, ImageChops

NETWORK_LIMIT = 1


def printed(folder, kind):
    """{the photo's name: what the program says about it}."""
    lines = (folder / f"{kind}.printed").read_text().splitlines()
    return dict(line.split(" → ", 1) if " → " in line else line.split(": ", 1) for line in lines)


def difference(expected, made):
    """The greatest difference of a channel; 256 if the sizes or channels differ, or one cannot be read."""
    try:
        with Image.open(expected) as one, Image.open(made) as other:
            if (one.size, one.mode) != (other.size, other.mode):
                return 256
            extrema = ImageChops.difference(one, other).getextrema()
    except OSError:
        return 256
    return max(high for _, high in (extrema if isinstance(extrema[0], tuple) else [extrema]))


def compare(expected, made, kind):
    """Compares one kind of output; returns a summary and the problems."""
    problems, identical, greatest = [], 0, 0
    limit = NETWORK_LIMIT if kind.startswith("model") else 0
    before, now = printed(expected, kind), printed(made, kind)
    for photo in sorted({*before, *now}):
        if before.get(photo) != now.get(photo):
            problems.append(f"{photo}: {before.get(photo)} here, {now.get(photo)} there")
            continue
        picture, other = expected / before[photo], made / before[photo]
        if not picture.is_file():
            continue
        if other.is_file() and picture.read_bytes() == other.read_bytes():
            identical += 1
            continue
        levels = difference(picture, other)
        greatest = max(levels, greatest)
        # Without a difference of pixels, the bytes must be equal, too.
        if levels > limit or not limit:
            problems.append(f"{photo}: other bytes, by up to {levels} levels")
    files = sum(1 for _ in (expected / kind).iterdir())
    summary = f"{identical} of {files} {kind} identical" + (f" (others by {greatest} levels)" if greatest else "")
    return summary, [f"{kind}: {problem}" for problem in problems] + ([] if files else [f"{kind}: no pictures"])


def main(expected, made):
    expected, made = pathlib.Path(expected), pathlib.Path(made)
    kinds = sorted(file.stem for file in expected.glob("*.printed"))
    results = [compare(expected, made, kind) for kind in kinds]
    problems = [problem for _, some in results for problem in some]
    print(*problems, ", ".join(summary for summary, _ in results), sep="\n")
    return 1 if problems or not kinds else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
