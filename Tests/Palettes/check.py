"""Reads one scheme in every palette format with other programs' readers, and compares the colors.

check.py FOLDER..., where each folder holds palette.json, .css, .gpl, .ase, .svg and .text of one photo, and is named after
the requested number of colors and the photo: "5 cat".
"""

import io
import json
import math
import re
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import cairosvg
import swatch
import tinycss2
from coloraide import Color
from PIL import Image
from PIL.GimpPaletteFile import GimpPaletteFile

HEX = re.compile("#[0-9a-f]{6}")
SVG = "{http://www.w3.org/2000/svg}"
LEXICON = Path(__file__).parents[2] / "Sources/PhotoColors/ColorLexicon.swift"
NAMES = {name: Color(f"#{value}") for name, value in re.findall(r'\("([a-z ]+)", 0x([0-9a-f]{6})\)', LEXICON.read_text())}


def is_of_about_that_hue(color, name):
    """Names of grays need almost no chroma, others a hue within 23 degrees."""
    (_, chroma, hue), (_, own_chroma, own_hue) = (
        c.convert("oklch").coords(nans=False) for c in (color, name))
    if own_chroma < 0.02:
        return chroma < 0.025
    return chroma >= 0.02 and math.cos(math.radians(hue - own_hue)) >= 0.92


def squared_distance(color, name):
    """In OKLab; its two axes of color count 2.5 times."""
    parts = zip(color.convert("oklab").coords(nans=False), name.convert("oklab").coords(nans=False))
    lightness, green_red, blue_yellow = ((a - b) ** 2 for a, b in parts)
    return lightness + 2.5 * (green_red + blue_yellow)


def channels(hex):
    return tuple(bytes.fromhex(hex[1:]))


def rounded_down(ratio):
    return math.floor(ratio * 100 + 1e-6) / 100


def tokens(data):
    """Checks the form of design tokens; returns [(hex, facts, complement)] and the gradient's colors."""
    groups = json.loads(data)
    assert len(groups) == 1
    (name, group), = groups.items()
    assert name and not name.startswith("$") and not set(name) & set("{}."), name
    assert group.pop("$type") == "color"
    assert isinstance(group.pop("$description"), str)
    gradient = group.pop("gradient")
    assert gradient["$type"] == "gradient" and [stop["position"] for stop in gradient["$value"]][::3] == [0, 1]

    def color(value):
        assert set(value) == {"colorSpace", "components", "alpha", "hex"}, value
        assert value["colorSpace"] == "srgb" and value["alpha"] == 1 and HEX.fullmatch(value["hex"]), value
        components = Color("srgb", value["components"]).to_string(hex=True)
        assert components == Color(value["hex"]).to_string(hex=True), value
        return value["hex"]

    found = []
    for index in range(1, len(group) // 2 + 1):
        token = group.pop(f"color-{index}")
        assert set(token) == {"$value", "$description", "$extensions"}
        complement = group.pop(f"color-{index}-complement")
        found.append((color(token["$value"]), token["$extensions"]["stickerd"], color(complement["$value"])))
    assert not group, f"unexpected tokens: {group.keys()}"
    return found, [color(stop["color"]) for stop in gradient["$value"]]


def check_facts(hex, facts, complement):
    """Compares a color's facts with coloraide's."""
    color = Color(hex)
    lightness, chroma, hue = color.convert("oklch").coords(nans=False)
    said = facts["oklch"]
    assert abs(said["lightness"] - lightness) <= 0.00006, (hex, said, lightness)
    assert abs(said["chroma"] - chroma) <= 0.00006, (hex, said, chroma)
    if said["chroma"] > 0:
        assert min(abs(said["hue"] - hue), 360 - abs(said["hue"] - hue)) <= 0.06, (hex, said, hue)
    else:
        assert said["hue"] == 0
    for other, key in (("white", "white"), ("black", "black")):
        expected = rounded_down(color.contrast(other, method="wcag21"))
        assert abs(facts["contrast"][key] - expected) < 0.0101, (hex, facts, expected)
    # The nearest name among those of about that hue; several may be equally near.
    distances = {name: squared_distance(color, named) for name, named in NAMES.items() if is_of_about_that_hue(color, named)}
    assert distances[facts["name"]] <= min(distances.values()) + 1e-9, (hex, facts["name"])
    opposite = color.convert("oklch")
    if len(set(channels(hex))) > 1:
        opposite["hue"] += 180
        opposite = opposite.convert("srgb").fit(method="oklch-chroma", jnd=0)
    expected = channels(opposite.convert("srgb").to_string(hex=True, compress=False))
    apart = max(abs(a - b) for a, b in zip(channels(complement), expected))
    assert apart <= 1, (hex, complement, expected)


def css_colors(data):
    """The colors in a style sheet: {property: [hex]}."""
    rules = tinycss2.parse_stylesheet(data.decode(), skip_whitespace=True, skip_comments=True)
    assert [rule.type for rule in rules] == ["qualified-rule"]
    assert tinycss2.serialize(rules[0].prelude).strip() == ":root"
    declarations = tinycss2.parse_blocks_contents(rules[0].content, skip_whitespace=True, skip_comments=True)
    assert all(declaration.type == "declaration" for declaration in declarations), declarations
    return {
        declaration.name: HEX.findall(tinycss2.serialize(declaration.value)) for declaration in declarations
    }


def check(folder, count):
    read = {path.suffix[1:]: path.read_bytes() for path in folder.glob("palette.*")}
    assert set(read) == {"json", "css", "gpl", "ase", "svg", "text"}, read.keys()

    colors, gradient = tokens(read["json"])
    hexes = [hex for hex, _, _ in colors]
    complements = [complement for _, _, complement in colors]
    weights = [facts["weight"] for _, facts, _ in colors]
    assert 0 < len(colors) <= count and len(set(hexes)) == len(hexes) and len(gradient) == 4
    assert abs(sum(weights) - 1) < 1e-9 and weights == sorted(weights, reverse=True)
    for hex, facts, complement in colors:
        check_facts(hex, facts, complement)

    properties = css_colors(read["css"])
    *single, last = properties.items()
    assert [values for _, values in single] == [[hex] for pair in zip(hexes, complements) for hex in pair]
    assert last[0].endswith("-gradient") and last[1] == gradient
    assert all(name.startswith("--") for name in properties)

    # Pillow returns 256 entries and fills those that the file lacks with grays.
    palette, mode = GimpPaletteFile(io.BytesIO(read["gpl"])).getpalette()
    assert mode == "RGB"
    entries = [tuple(palette[start:start + 3]) for start in range(0, 6 * len(hexes), 3)]
    assert entries == [channels(hex) for hex in hexes + complements]

    # swatch reads only paths.
    groups = swatch.parse(str(folder / "palette.ase"))
    assert [group["type"] for group in groups] == ["Color Group"] * 2, groups
    for group, expected in zip(groups, (hexes, complements)):
        assert all(entry["data"]["mode"] == "RGB" and entry["type"] == "Global" for entry in group["swatches"])
        found = [tuple(round(value * 255) for value in entry["data"]["values"]) for entry in group["swatches"]]
        assert found == [channels(hex) for hex in expected], (found, expected)

    root = ElementTree.fromstring(read["svg"])
    assert root.tag == f"{SVG}svg" and root.find(f"{SVG}title").text and root.find(f"{SVG}desc").text
    wedges = [path.get("fill") for path in root.iter(f"{SVG}path")]
    assert sorted(wedges) == sorted(hexes + complements), wedges
    image = Image.open(io.BytesIO(cairosvg.svg2png(read["svg"], scale=0.5))).convert("RGB")
    check_areas(image, colors)

    assert re.findall(r"#[0-9a-f]{6}", read["text"].decode()) == [
        hex for pair in zip(hexes, complements) for hex in pair
    ]
    print(f"{folder.name}: {len(hexes)} equal colors in json, css, gpl, ase, svg and text; facts equal coloraide's")


def check_areas(image, colors):
    """Checks shares on a circle through the outer ring of the drawing, and complements opposite on the inner ring."""
    def at(turn, radius):
        angle = turn * 2 * math.pi
        return image.getpixel((round((400 + radius * math.sin(angle)) / 2), round((372 - radius * math.cos(angle)) / 2)))

    steps = 3600
    outer = [at(step / steps, 306) for step in range(steps)]
    inner = [at(step / steps + 0.5, 158) for step in range(steps)]
    partner = {channels(hex): channels(complement) for hex, _, complement in colors}
    for hex, facts, _ in colors:
        share = outer.count(channels(hex)) / steps
        # The lines between wedges cover a little of each.
        assert -0.012 < share - facts["weight"] < 0.004, (hex, share, facts["weight"])
    pairs = [(a, b) for a, b in zip(outer, inner) if a in partner]
    opposite = sum(1 for a, b in pairs if partner[a] == b)
    assert opposite > 0.93 * len(pairs), f"{opposite} of {len(pairs)} complements lie opposite"


if __name__ == "__main__":
    for folder in map(Path, sys.argv[1:]):
        check(folder, int(folder.name.split()[0]))
