"""Draws small photos: all different, and known to have a subject or none."""
import random
import struct
import zlib


def _chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def _png(width, height, rows, number):
    """The number makes two identical images two photos."""
    return (
        b"\x89PNG\r\n\x1a\n"
        + _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
        + _chunk(b"tEXt", b"Comment\0%d" % number)
        + _chunk(b"IDAT", zlib.compress(b"".join(b"\0" + row for row in rows), 1))
        + _chunk(b"IEND", b"")
    )


def _background(shade):
    return bytes((shade - 40, shade, min(shade + 20, 255)))


def subject(number):
    """A red disc with a dark rim in front of a calm background."""
    dice = random.Random(number)
    width, height = dice.randint(96, 160), dice.randint(96, 160)
    reach = dice.uniform(0.28, 0.34) * min(width, height)
    middle_x = width / 2 + dice.uniform(-0.08, 0.08) * width
    middle_y = height / 2 + dice.uniform(-0.08, 0.08) * height
    inside = bytes((dice.randint(205, 235), dice.randint(25, 55), dice.randint(20, 45)))
    rim = bytes((dice.randint(50, 70), 10, 10))
    rows = []
    for y in range(height):
        down = (y + 0.5 - middle_y) ** 2
        outer = max(reach**2 - down, 0) ** 0.5
        inner = max((0.9 * reach) ** 2 - down, 0) ** 0.5
        edges = [middle_x - outer, middle_x - inner, middle_x + inner, middle_x + outer]
        a, b, c, d = (min(max(round(edge), 0), width) for edge in edges)
        calm = _background(120 + 80 * y // height)
        rows.append(calm * a + rim * (b - a) + inside * (c - b) + rim * (d - c) + calm * (width - d))
    return _png(width, height, rows, number)


def flat(number):
    """Only the background."""
    dice = random.Random(number)
    width, height = dice.randint(96, 160), dice.randint(96, 160)
    rows = [_background(120 + 80 * y // height) * width for y in range(height)]
    return _png(width, height, rows, number)


def broken(number):
    """A truncated photo, or a file that is not a photo."""
    if number % 2:
        return b"no photo at all, number %d" % number
    whole = subject(number)
    return whole[: len(whole) // 2]
