"""Generates bombs: small files whose decoding costs much time or memory.

Each has a name and pieces: bytes, or a number of zeros that take no space on the disk. `harmless` ones are valid images;
the others must be rejected, with the words that `REASONS` has.
"""
import functools
import pathlib
import struct
import zlib

import photos

# Gray by default.
png = functools.partial(photos.png, color=0)
CORPUS = pathlib.Path(__file__).resolve().parents[1] / "Fuzz" / "corpus" / "heif"
#: Those that take most of a minute with sanitizers, and less than a second without.
SLOW_SANITIZED = {"4,000 tiles of 255 properties.heic"}
#: What the reason of a rejection says, for the bombs of which that is tested.
REASONS = {"a million properties of 22,500 tiles.heic": "too many parts", "5,000 unused items.heic": "too many parts"}


def zeros(count):
    packer, parts, block = zlib.compressobj(9), [], bytes(1 << 20)
    for start in range(0, count, len(block)):
        parts.append(packer.compress(block[: min(len(block), count - start)]))
    return b"".join(parts) + packer.flush()


def segment(marker, body):
    return struct.pack(">BBH", 0xFF, marker, len(body) + 2) + body


def jpeg_head(side, progressive):
    """Gray, with tables whose only codes are one bit long: no difference, and a run of 32,767 empty blocks."""
    lengths = b"\x01" + bytes(15)
    return (
        b"\xff\xd8" + segment(0xDB, b"\0" + b"\x01" * 64)
        + segment(0xC2 if progressive else 0xC0, struct.pack(">BHHBBBB", 8, side, side, 1, 1, 0x11, 0))
        + segment(0xC4, b"\0" + lengths + b"\0") + segment(0xC4, b"\x10" + lengths + b"\xe0"))


def scans(side, count):
    blocks = ((side + 7) // 8) ** 2
    bits = "".join("0" + "1" * 14 for _ in range((blocks + 32766) // 32767))
    bits += "1" * (-len(bits) % 8)
    coded = bytes(int(bits[i:i + 8], 2) for i in range(0, len(bits), 8)).replace(b"\xff", b"\xff\0")
    return (segment(0xDA, b"\x01\x01\x10\x01\x3f\0") + coded) * count


def segments(marker, name, count):
    head = struct.pack(">BBH", 0xFF, marker, 65535) + name
    return [b"\xff\xd8", *[head, 65535 + 2 - len(head)] * count, b"\xff\xd9"]


def picture_lists(count):
    """Multi-Picture Format segments (CIPA DC-007, 5.2) with one directory, of as many lists, and pictures in them, as are
    read. It is in a comment, with zeros behind it for the lists."""
    directory = 2 + 16 * count + 4
    lists = struct.pack(">HHII", 0xB002, 7, 1024, directory + 770) * 64
    # Offsets are from the byte order on.
    heads = [segment(0xE2, b"MPF\0MM\0*" + struct.pack(">I", directory - (2 + 16 * index + 8))) for index in range(count)]
    return b"\xff\xd8" + b"".join(heads) + segment(0xFE, struct.pack(">H", 64) + lists + bytes(1024 + 16 * count))


def box(kind, body):
    return struct.pack(">I", len(body) + 8) + kind + body


def full(kind, body, version=0):
    return box(kind, struct.pack(">I", version << 24) + body)


FTYP = box(b"ftyp", b"heic\0\0\0\0mif1heic")


def nested(kind, depth):
    """Nested boxes, each a few bytes larger than the one inside."""
    body = b""
    for _ in range(depth):
        body = box(kind, body)
    return body


def meta(*boxes):
    handler = full(b"hdlr", bytes(4) + b"pict" + bytes(13))
    return full(b"meta", handler + full(b"pitm", b"\0\x01") + b"".join(boxes))


def heif_with(property_boxes, location):
    entry = full(b"infe", b"\0\x01\0\0hvc1\0", version=2)
    association = full(b"ipma", struct.pack(">IHBB", 1, 1, 1, 0x81))
    return FTYP + meta(
        full(b"iinf", struct.pack(">H", 1) + entry), location,
        box(b"iprp", box(b"ipco", property_boxes) + association))


def location(extents):
    """One image that is stored many times in the same bytes."""
    return full(b"iloc", struct.pack(">BBHHHH", 0x44, 0, 1, 1, 0, len(extents)) + b"".join(
        struct.pack(">II", *extent) for extent in extents))


def names(*kinds):
    """The list of items of these kinds, numbered from 1 on."""
    return full(b"iinf", struct.pack(">H", len(kinds)) + b"".join(
        full(b"infe", struct.pack(">HH", number, 0) + kind + b"\0", version=2) for number, kind in enumerate(kinds, 1)))


def about_grid(boxes):
    """A file with a coded item and a grid, and these boxes about them."""
    return FTYP + full(b"meta", full(b"pitm", b"\0\x02") + names(b"hvc1", b"grid") + boxes) + box(b"mdat", b"\x01")


def pieces():
    """Places of items, each in 65,535 pieces, whose numbers have no bytes (ISO/IEC 14496-12, 8.11.3)."""
    return about_grid(full(
        b"iloc", struct.pack(">HI", 0, 400_000) + struct.pack(">IHHH", 1, 0, 0, 65_535) * 400_000, version=2))


def auxiliaries():
    """References to nothing, and items without properties."""
    references = full(b"iref", box(b"auxl", struct.pack(">HH", 7, 0)) * 15_000)
    owners = full(b"ipma", struct.pack(">I", 600_000) + b"\0\x09\0" * 600_000)
    return about_grid(full(b"iloc", struct.pack(">BBH", 0x44, 0, 0)) + references + box(b"iprp", box(b"ipco", b"") + owners))


def properties():
    """One tile 4,000 times, with 255 properties, the last of as many as there may be (ISO/IEC 23008-12, 9.3)."""
    end = struct.pack(">HHII", 0, 1, 0, 4)
    places = struct.pack(">HH", 1, 0) + end + struct.pack(">HH", 2, 1) + end
    tiles = box(b"dimg", struct.pack(">HH", 2, 4000) + b"\0\x01" * 4000)
    everything = box(b"hvcC", b"\x01") + box(b"pixi", b"") * 32_766
    uses = struct.pack(">HBH", 1, 255, 1) + struct.pack(">H", 32_767) * 254
    owners = box(b"ipma", b"\0\0\0\x01" + struct.pack(">I", 1) + uses)
    return about_grid(
        full(b"iloc", struct.pack(">BBH", 0x44, 0, 2) + places, version=1) + box(b"idat", b"\0\0\x31\x4f")
        + full(b"iref", tiles) + box(b"iprp", box(b"ipco", everything) + owners))


def giant(name):
    """A file written by libheif whose sizes are overwritten (ISO/IEC 14496-12, `ispe`)."""
    start, *rest = (CORPUS / name).read_bytes().split(b"ispe")
    return b"ispe".join([start, *(part[:4] + struct.pack(">II", 0x7FFFFFFF, 0x7FFFFFFF) + part[12:] for part in rest)])


def tiles(side, others, items):
    """One coded image, `side` × `side` times as a tile, whose properties are the last of `others` (ISO/IEC 23008-12,
    6.6.2.3 and 9.3), beside `items` that nothing refers to."""
    file = (CORPUS / "gray.heic").read_bytes()

    def first(kind):
        start = file.index(kind) - 4
        return file[start:start + struct.unpack(">I", file[start:start + 4])[0]]

    coded = first(b"mdat")[8:]
    grid = struct.pack(">BBBBHH", 0, 0, side - 1, side - 1, 64 * side, 64 * side)
    unused = b"".join(struct.pack(">HB", 3 + number % 60_000, 0) for number in range(others))
    sizes = b"".join(full(b"ispe", struct.pack(">II", length, length)) for length in (64, 64 * side))
    owners = full(b"ipma", struct.pack(">I", others + 2) + unused + b"\0\x01\x02\x81\x02" + b"\0\x02\x01\x03")

    def head(start):
        places = struct.pack(">HHHII", 1, 0, 1, start, len(coded)) + struct.pack(">HHHII", 2, 0, 1, start + len(coded), 8)
        return full(
            b"meta", full(b"hdlr", bytes(4) + b"pict" + bytes(13)) + full(b"pitm", b"\0\x02")
            + names(b"hvc1", b"grid", *[b"hvc1"] * items) + full(b"iloc", struct.pack(">BBH", 0x44, 0, 2) + places)
            + full(b"iref", box(b"dimg", struct.pack(">HH", 2, side * side) + b"\0\x01" * (side * side)))
            + box(b"iprp", box(b"ipco", first(b"hvcC") + sizes) + owners))

    return FTYP + head(len(FTYP + head(0)) + 8) + box(b"mdat", coded + grid)


def riff(*chunks):
    body = b"".join(kind + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2) for kind, data in chunks)
    return b"RIFF" + struct.pack("<I", len(body) + 4) + b"WEBP" + body


def all_bombs():
    """name -> (harmless, pieces)"""
    huge = zeros(300_000_000)
    tiny = zeros(72)
    size = full(b"ispe", struct.pack(">II", 0x7FFFFFFF, 0x7FFFFFFF))
    canvas = b"\x02" + bytes(3) + b"\xff\xff\xff" * 2
    return {
        "10 gigapixels.png": (False, [png(100_000, 100_000, zeros(1000))]),
        "a row of two thousand million.png": (False, [png(0x7FFFFFFF, 1, zeros(1000))]),
        "90 megapixels in 90 kB.png": (True, [png(10_000, 9000, zeros(10_001 * 9000))]),
        "90 megapixels interlaced.png": (True, [png(10_000, 9000, zeros(100_000_000), interlaced=1)]),
        "16 bits a channel, 64 megapixels.png": (True, [png(8000, 8000, zeros(8000 * 64_001), depth=16, color=6)]),
        "continues after its image.png": (True, [png(8, 8, huge)]),
        "iCCP of 300 MB.png": (True, [png(8, 8, tiny, chunks=[(b"iCCP", b"p\0\0" + huge)])]),
        "zTXt of 300 MB.png": (True, [png(8, 8, tiny, chunks=[(b"zTXt", b"t\0\0" + huge)])]),
        "iTXt of 300 MB.png": (True, [png(8, 8, tiny, chunks=[(b"iTXt", b"t\0\x01\0\0\0" + huge)])]),
        "100 MB of Exif.png": (True, large_exif()),
        "20,000 texts.png": (True, [png(8, 8, tiny, chunks=[(b"zTXt", b"t\0\0" + zeros(100_000))] * 20_000)]),
        "65,535 pixels a side.jpg": (False, [jpeg_head(65535, False) + b"\xff\xd9"]),
        "a thousand scans.jpg": (False, [jpeg_head(4000, True) + scans(4000, 1000) + b"\xff\xd9"]),
        "a hundred thousand scans.jpg": (False, [jpeg_head(64, True) + scans(64, 100_000) + b"\xff\xd9"]),
        "100 MB of Exif.jpg": (False, segments(0xE1, b"Exif\0\0", 1600)),
        "100 MB of profiles.jpg": (False, segments(0xE2, b"ICC_PROFILE\0\x01\xff", 1600)),
        "100 MB of comments.jpg": (False, segments(0xFE, b"", 1600)),
        "3,900 lists of pictures.jpg": (False, [picture_lists(3900) + b"\xff\xd9"]),
        "16,384 pixels a side.webp": (False, [riff((b"VP8L", b"\x2f" + struct.pack("<I", 0x0FFFFFFF) + b"\0"))]),
        "16,383 pixels a side.webp": (
            False, [riff((b"VP8 ", b"\x10\0\0\x9d\x01\x2a" + struct.pack("<I", 0x3FFF3FFF) + bytes(64)))]),
        "an animation on 16 million pixels a side.webp": (
            False, [riff((b"VP8X", canvas), (b"ANIM", bytes(6)), (b"ANMF", bytes(16)))]),
        "100 MB of Exif.webp": (
            False, [b"RIFF" + struct.pack("<I", 30 + (100 << 20)) + b"WEBPVP8X" + struct.pack("<I", 10)
                    + bytes((8, 0, 0, 0, 7, 0, 0, 7, 0, 0)) + b"EXIF" + struct.pack("<I", 100 << 20), 100 << 20]),
        "boxes larger than any file.heic": (
            False, [FTYP + struct.pack(">I4sII", 1, b"meta", 0x7FFFFFFF, 0)]),
        "100 MB of boxes.heic": (False, [FTYP + struct.pack(">I", 100 << 20) + b"meta", (100 << 20) - 8]),
        "5,000 boxes in each other.heic": (False, [FTYP + box(b"meta", bytes(4) + nested(b"iprp", 5000))]),
        "4,000,000 empty boxes.heic": (False, [FTYP + box(b"meta", bytes(4) + box(b"free", b"") * 4_000_000)]),
        "two thousand million pixels a side.heic": (
            False, [heif_with(size, location([(0, 100)])), b"\0" * 4096]),
        "60,000 times the same megabyte.heic": (
            False, [heif_with(full(b"ispe", struct.pack(">II", 64, 64)), location([(1000, 1 << 20)] * 60_000)), 2 << 20]),
        "400,000 items of 65,535 pieces.heic": (False, [pieces()]),
        "15,000 auxiliary images.heic": (False, [auxiliaries()]),
        "4,000 tiles of 255 properties.heic": (False, [properties()]),
        "a million properties of 22,500 tiles.heic": (False, [tiles(150, 1_000_000, 0)]),
        "5,000 unused items.heic": (False, [tiles(1, 0, 5000)]),
        **{f"giant {name}": (False, [giant(name)]) for name in ("gray.heic", "grid.heic", "tile.avif", "tile-alpha.heic")},
        "a box of no size.avif": (False, [box(b"ftyp", b"avif\0\0\0\0mif1avif") + struct.pack(">I4s", 0, b"meta"), 4096]),
        "nothing.jpg": (False, [b"\xff\xd8\xff"]),
    }


def large_exif():
    """A picture with 100 MB of zeros as its Exif; their checksum is wrong, as nothing reads them."""
    file, size = png(8, 8, zeros(72)), 100 << 20
    header = file.index(b"IDAT") - 4
    return [file[:header] + struct.pack(">I4s", size, b"eXIf"), size, bytes(4) + file[header:]]


def write(path, pieces):
    with open(path, "wb") as file:
        for piece in pieces:
            if isinstance(piece, int):
                file.seek(piece, 1)
            else:
                file.write(piece)
        file.truncate()
