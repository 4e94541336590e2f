"""Draws photos: a disc in front of a calm background, or only the background."""

import struct
import zlib


def _chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(rows, width):
    """A PNG of 8-bit RGB rows."""
    header = struct.pack(">IIBBBBB", width, len(rows), 8, 2, 0, 0, 0)
    data = zlib.compress(b"".join(b"\0" + bytes(row) for row in rows), 6)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", data) + _chunk(b"IEND", b"")


def photo(number, side=160, disc=True):
    """The photo with this number, which determines its position and color."""
    reach = side * 0.3
    across, down = side / 2 + number % 5 - 2, side / 2 + number // 5 % 5 - 2
    color = (220, 30 + number % 40, 20 + number * 7 % 60)
    rows = []
    for y in range(side):
        shade = 120 + 80 * y // side
        row = bytearray((shade - 40, shade, shade + 20) * side)
        square = reach * reach - (y + 0.5 - down) ** 2
        if disc and square > 0:
            half = square**0.5
            for x in range(int(across - half), int(across + half)):
                inside = (x + 0.5 - across) ** 2 + (y + 0.5 - down) ** 2 < 0.81 * reach * reach
                row[3 * x : 3 * x + 3] = bytes(color if inside else (60, 10, 10))
        rows.append(row)
    return png(rows, side)
