"""archives.py EXPORTS: reads every archive with Python's zipfile and tarfile and with GNU tar."""

import json
import re
import struct
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

#: Letters of any script, digits, dots, hyphens and underscores.
SAFE = re.compile(r"[\w.-]+")
#: Archives for people, who unpack them, have folders; those that programs read are flat.
FOLDERS = {"discord": 1, "matrix": 1, "imessage": 2}
SHORTCODE = re.compile(r"[a-z0-9_]{2,}")


def entries(path):
    """The names and bytes of an archive's files."""
    if path.name.endswith(".tar.gz"):
        listed = subprocess.run(["tar", "-tzf", path], capture_output=True, text=True, check=True).stdout.split("\n")[:-1]
        with tarfile.open(path) as archive:
            assert all(member.isfile() for member in archive), path
            found = {member.name: archive.extractfile(member).read() for member in archive}
        assert list(found) == listed, f"{path}: GNU tar lists others"
        return found
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None, path
        return {name: archive.read(name) for name in archive.namelist()}


def check(exports):
    found = {}
    for path in sorted(exports.rglob("*")):
        if path.suffix not in (".zip", ".wastickers") and not path.name.endswith(".tar.gz"):
            continue
        files = entries(path)
        assert files and len({name.lower() for name in files}) == len(files), f"{path} has a name twice"
        export = path.relative_to(exports).parts[0]
        for name in files:
            parts = name.split("/")
            assert len(parts) <= 1 + FOLDERS.get(export, 0), f"{path} has {name!r}"
            assert all(SAFE.fullmatch(part) and not part.startswith(".") for part in parts), f"{path} has {name!r}"
        found.setdefault(export, []).append(files)
    assert set(found) == {
        "whatsapp", "telegram", "signal", "discord", "imessage", "line", "matrix", "mastodon", "misskey", "akkoma", "emoji",
    }, sorted(found)
    return found


def is_png(data, width, height):
    return data[:8] == b"\x89PNG\r\n\x1a\n" and struct.unpack(">2I", data[16:24]) == (width, height)


def check_whatsapp(packs):
    for files in packs:
        others = [name for name in files if not name.endswith((".webp", ".txt"))]
        assert len(others) == 1 and is_png(files[others[0]], 96, 96) and len(files[others[0]]) <= 50_000
        assert files["title.txt"].decode() and files["author.txt"].decode()
        assert 3 <= sum(name.endswith(".webp") for name in files) <= 30


def check_line(packs):
    for files in packs:
        assert is_png(files["main.png"], 240, 240) and is_png(files["tab.png"], 96, 74)
        stickers = sorted(name for name in files if name[:2].isdigit())
        assert stickers == [f"{number:02}.png" for number in range(1, len(stickers) + 1)]
        assert len(stickers) in (8, 16, 24, 32, 40)
        for name in stickers:
            width, height = struct.unpack(">2I", files[name][16:24])
            assert width % 2 == height % 2 == 0 and width <= 370 and height <= 320, name


def check_emoji(name, packs):
    for files in packs:
        pictures = [file for file in files if file.endswith(".png")]
        for picture in pictures:
            assert SHORTCODE.fullmatch(picture[:-4]), f"{name}: {picture}"
            assert is_png(files[picture], 128, 128) and len(files[picture]) <= 50_000, f"{name}: {picture}"
        if name == "misskey":
            meta = json.loads(files["meta.json"])
            assert meta["metaVersion"] == 2
            assert sorted(emoji["fileName"] for emoji in meta["emojis"]) == sorted(pictures)
            assert all(emoji["downloaded"] is True and emoji["emoji"]["name"] + ".png" == emoji["fileName"] for emoji in meta["emojis"])
        elif name == "akkoma":
            meta = json.loads(files["pack.json"])
            assert sorted(meta["files"].values()) == sorted(pictures) and meta["files_count"] == len(pictures)
        else:
            assert len(pictures) == len(files), f"{name}: {set(files) - set(pictures)}"


found = check(Path(sys.argv[1]))
check_whatsapp(found["whatsapp"])
check_line(found["line"])
for name in ("mastodon", "misskey", "akkoma", "emoji"):
    check_emoji(name, found[name])
print(f"{sum(map(len, found.values()))} archives pass zipfile, tarfile and GNU tar")
