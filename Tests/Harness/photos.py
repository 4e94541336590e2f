#!/usr/bin/env python3
"""Draws photos: a disc in front of a calm background, which is a clear subject, or only the background. Needs no packages.

photos.py WIDTH HEIGHT disc|flat prints a large one as a JPEG; it needs cjpeg.
"""

import collections
import random
import struct
import subprocess
import sys
import zlib

#: In pixels: the middle, and the radius with the dark rim.
Disc = collections.namedtuple("Disc", "x y reach color rim", defaults=[(220, 40, 30), (60, 10, 10)])
#: In the middle, as a share of the shorter side.
DISC = 0.3
RGB = 2


def rows(width, height, disc=None):
    """The rows of an image, 8-bit RGB."""
    for y in range(height):
        shade = 120 + 80 * y // height
        calm = bytes((shade - 40, shade, min(shade + 20, 255)))
        if not disc:
            yield calm * width
            continue
        down = (y + 0.5 - disc.y) ** 2
        outer = max(disc.reach**2 - down, 0) ** 0.5
        inner = max((0.9 * disc.reach) ** 2 - down, 0) ** 0.5
        edges = [disc.x - outer, disc.x - inner, disc.x + inner, disc.x + outer]
        a, b, c, d = (min(max(round(edge), 0), width) for edge in edges)
        inside, rim = bytes(disc.color), bytes(disc.rim)
        yield calm * a + rim * (b - a) + inside * (c - b) + rim * (d - c) + calm * (width - d)


def subject(number, side=None):
    """A photo with a subject; another number is another photo. Without `side`, its size depends on the number, too."""
    dice = random.Random(number)
    width, height = (side, side) if side else (dice.randint(96, 160), dice.randint(96, 160))
    disc = Disc(
        width / 2 + dice.uniform(-0.08, 0.08) * width, height / 2 + dice.uniform(-0.08, 0.08) * height,
        dice.uniform(0.28, 0.34) * min(width, height), (dice.randint(205, 235), dice.randint(25, 55), dice.randint(20, 45)),
        (dice.randint(50, 70), 10, 10))
    return _photo(width, height, disc, number)


def flat(number):
    """A photo without a subject."""
    dice = random.Random(number)
    return _photo(dice.randint(96, 160), dice.randint(96, 160), None, number)


def broken(number):
    """A truncated photo, or a picture in a format that is not supported."""
    if number % 2:
        return b"GIF89a, but no photo at all, number %d" % number
    whole = subject(number)
    return whole[: len(whole) // 2]


def _photo(width, height, disc, number):
    content = zlib.compress(b"".join(b"\0" + row for row in rows(width, height, disc)), 1)
    # The number makes two identical images two photos.
    return png(width, height, content, chunks=[(b"tEXt", b"Comment\0%d" % number)])


def png(width, height, content, interlaced=0, chunks=(), depth=8, color=RGB):
    """`content` is compressed; `chunks` are (type, data) before it."""
    header = struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, interlaced)
    everything = [(b"IHDR", header), *chunks, (b"IDAT", content), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in everything)


def jpeg(width, height, reach=None):
    """A JPEG of any size, with a disc in its middle if it has a `reach`. Bytes after its end make it another photo."""
    disc = reach and Disc(width / 2, height / 2, reach * min(width, height))
    image = b"P6 %d %d 255\n" % (width, height) + b"".join(rows(width, height, disc))
    return subprocess.run(["cjpeg", "-quality", "90"], input=image, stdout=subprocess.PIPE, check=True).stdout


def main(width, height, what):
    sys.stdout.buffer.write(jpeg(int(width), int(height), {"disc": DISC, "flat": None}[what]))


if __name__ == "__main__":
    main(*sys.argv[1:])
