#!/usr/bin/env python3
"""architecture.py [--check]: draws Docs/architecture.svg, the modules and their dependencies, from Package.swift.

A module stands below every module that depends on it, so all arrows point down. An arrow that follows from others is left
out. With --check nothing is written: it fails if the picture is out of date, or if Package.swift declares a module above one
that depends on it.
"""

import functools
import json
import pathlib
import subprocess
import sys

PICTURE = pathlib.Path(__file__).with_name("architecture.svg")
BOX_WIDTH, BOX_HEIGHT, GAP, FLOOR = 126, 30, 16, 74
MARGIN = 20
#: What each kind of target looks like: fill and stroke.
COLORS = {"swift": ("#eef4ff", "#3b6fd4"), "c": ("#f1f1ee", "#8a8a80"), "system": ("#ffffff", "#b5b5ab")}


def modules():
    """{name: (kind, names of its dependencies here)}, in the order of Package.swift, without what only tests need."""
    dump = subprocess.run(["swift", "package", "dump-package"], check=True, capture_output=True, text=True)
    targets = [t for t in json.loads(dump.stdout)["targets"] if not (t.get("path") or "").startswith("Tests/")]
    targets = [target for target in targets if target["type"] != "test"]
    names = {target["name"] for target in targets}
    found = {}
    for target in targets:
        is_swift = any(setting["tool"] == "swift" for setting in target["settings"])
        kind = "system" if target["type"] == "system" else "swift" if is_swift else "c"
        below = [next(iter(d.values()))[0] for d in target["dependencies"]]
        found[target["name"]] = (kind, [name for name in below if name in names])
    return found


def upward(modules):
    """Dependencies on a module that Package.swift declares above."""
    order = list(modules)
    return [
        f"{name} -> {other}" for name, (_, below) in modules.items() for other in below
        if order.index(other) < order.index(name)
    ]


def reduced(modules):
    """The arrows that follow from no others: (from, to)."""

    @functools.cache
    def reach(name):
        below = modules[name][1]
        return frozenset(below).union(*(reach(other) for other in below))

    return [
        (name, other) for name, (_, below) in modules.items() for other in below
        if not any(other in reach(another) for another in below if another != other)
    ]


def floors(modules):
    """Lists of names, top to bottom, each name below all that depend on it and system libraries on the ground."""

    @functools.cache
    def depth(name):
        return 1 + max((depth(user) for user, (_, below) in modules.items() if name in below), default=-1)

    ground = 1 + max(depth(name) for name, (kind, _) in modules.items() if kind != "system")
    rows = [[] for _ in range(ground + 1)]
    for name, (kind, _) in modules.items():
        rows[ground if kind == "system" else depth(name)].append(name)
    return [row for row in rows if row]


def ordered(rows, arrows):
    """The rows, each sorted by the mean place of what is above, so that fewer arrows cross (Sugiyama's barycenter)."""
    place = {}
    for row in rows:
        def middle(name):
            above = [place[user] for user, other in arrows if other == name and user in place]
            return sum(above) / len(above) if above else len(row) / 2
        row.sort(key=middle)
        for number, name in enumerate(row):
            place[name] = (number + 0.5) / len(row)
    return rows


def draw(modules):
    arrows = reduced(modules)
    rows = ordered(floors(modules), arrows)
    width = max(len(row) for row in rows) * (BOX_WIDTH + GAP) - GAP + 2 * MARGIN
    height = len(rows) * FLOOR - (FLOOR - BOX_HEIGHT) + 2 * MARGIN
    corner = {}
    for level, row in enumerate(rows):
        space = width / len(row)
        for number, name in enumerate(row):
            corner[name] = ((number + 0.5) * space - BOX_WIDTH / 2, MARGIN + level * FLOOR)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="13">',
        '<marker id="a" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0 0 8 4 0 8Z" fill="#777"/></marker>',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
    ]
    for name, other in arrows:
        (x, y), (to_x, to_y) = corner[name], corner[other]
        x, to_x, y = x + BOX_WIDTH / 2, to_x + BOX_WIDTH / 2, y + BOX_HEIGHT
        bend = (to_y - y) / 2
        lines.append(
            f'<path d="M{x:.0f} {y}C{x:.0f} {y + bend:.0f} {to_x:.0f} {to_y - bend:.0f} {to_x:.0f} {to_y}"'
            ' fill="none" stroke="#999" marker-end="url(#a)"/>')
    for name, (kind, _) in modules.items():
        fill, stroke = COLORS[kind]
        x, y = corner[name]
        lines.append(
            f'<rect x="{x:.0f}" y="{y}" width="{BOX_WIDTH}" height="{BOX_HEIGHT}" rx="6" fill="{fill}" stroke="{stroke}"/>'
            f'<text x="{x + BOX_WIDTH / 2:.0f}" y="{y + 20}" text-anchor="middle">{name}</text>')
    return "\n".join(lines + ["</svg>", ""])


def main():
    found = modules()
    if problems := upward(found):
        sys.exit("Package.swift: move these below what depends on them: " + ", ".join(problems))
    picture = draw(found)
    if sys.argv[1:] == ["--check"]:
        if not PICTURE.exists() or PICTURE.read_text() != picture:
            sys.exit("Docs/architecture.svg is out of date: make architecture-picture")
    else:
        PICTURE.write_text(picture)


if __name__ == "__main__":
    main()
