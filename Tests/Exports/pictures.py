"""pictures.py EXPORTS: checks every picture with sticker-convert's rules, webpinfo and pngcheck."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import sticker_convert
from PIL import Image
from sticker_convert.job_option import CompOption
from sticker_convert.utils.media.format_verify import FormatVerify

PRESETS = json.loads((Path(sticker_convert.__file__).parent / "resources/compression.json").read_text())
#: The preset for the pictures of each export that match a pattern.
RULES = [
    ("whatsapp", "**/*.webp", "whatsapp"),
    ("telegram", "**/[!t]*.png", "telegram"),
    ("signal", "**/*.webp", "signal"),
    ("discord", "stickers/*.png", "discord"),
    ("discord", "emoji/*.png", "discord_emoji"),
    ("imessage", "**/*.png", "imessage_large"),
    ("line", "**/[0-9]*.png", "line"),
]


def specification(preset, suffix):
    """The preset's rules for a still picture. Signal takes WebP, too, which the preset does not list."""
    rules = PRESETS[preset]
    sides = {f"res_{side}_{end}": rules["res"][side][end] for side in "wh" for end in ("min", "max")}
    formats = (rules["format"]["img"],) if preset != "signal" else (".png", ".webp")
    assert suffix in formats, f"{preset} does not take {suffix}"
    return CompOption(size_max_img=rules["size_max"]["img"], format_img=formats, animated=False, **sides)


def check(exports):
    for name, pattern, preset in RULES:
        found = sorted((exports / name).glob(pattern))
        assert found, f"{name}: no pictures match {pattern}"
        for picture in found:
            rules = specification(preset, picture.suffix)
            assert FormatVerify.check_file(picture, spec=rules), f"{picture} breaks the rules of {preset}"
        plant_wrong(found[0], preset)
        print(f"{name}: {len(found)} pictures pass sticker-convert's {preset}")


def plant_wrong(picture, preset):
    """Pictures that break the rules are found: one too large, one of a wrong format."""
    rules = specification(preset, picture.suffix)
    with tempfile.TemporaryDirectory() as folder:
        wrong = Path(folder, f"wrong{picture.suffix}")
        with Image.open(picture) as image:
            image.resize((image.width * 2 + 3, image.height)).save(wrong)
        assert not FormatVerify.check_file(wrong, spec=rules), f"a wrong size passes {preset}"
        with Image.open(picture) as image:
            image.convert("RGB").save(wrong.with_suffix(".bmp"))
        assert not FormatVerify.check_file(wrong.with_suffix(".bmp"), spec=rules), f"a BMP passes {preset}"


def check_files(exports):
    pictures = sorted(path for path in exports.rglob("*") if path.suffix in (".png", ".webp"))
    for picture in pictures:
        tool = ["webpinfo", "-quiet"] if picture.suffix == ".webp" else ["pngcheck", "-q"]
        done = subprocess.run([*tool, picture], capture_output=True, text=True)
        assert done.returncode == 0, f"{picture}: {done.stdout}{done.stderr}"
        with Image.open(picture) as image:
            image.load()
            assert image.mode == "RGBA", f"{picture} has the mode {image.mode}"
            assert image.getchannel("A").getextrema()[1] == 255, f"{picture} is empty"
    print(f"{len(pictures)} pictures pass webpinfo and pngcheck")


check(Path(sys.argv[1]))
check_files(Path(sys.argv[1]))
