#!/usr/bin/env python3
"""stress.py STICKERD [--seconds 30] [--seed N] [--all | --with NAME,…] [--scenario FILE]: random operations in an inbox, an
outbox and a daemon. Whenever the daemon is idle, what it made is compared with a fresh run. A failure is reduced to the
fewest operations, and printed as a file that --scenario replays.
"""

import argparse
import inspect
import os
import random
import sys
import time

import operations
import scenario
from daemon import Broken
from levels import OUTLINES

NAMES = ["ant", "bee", "cat", "dog", "eel", "fox"]
FOLDERS = ["", "", "A", "B", "C", "A/deep"]
CONTENTS = [*["subject"] * 9, "flat", "broken", "near"]
#: With more files, deletions are more likely.
CROWD = 12
#: The settings that a reload changes.
RELOADS = {
    "whenPhotoRemoved": ["keep", "withdraw"], "duplicates.near": ["off", "report"], 
    "gallery.enabled": [True, False], "exports": [[], ["emoji"], ["emoji", "mastodon"]], "sticker.outline.width": OUTLINES}
#: Operations between two comparisons.
LONGEST = 12


class Chooser:
    """Random operations, with arguments that exist."""

    def __init__(self, world, dice, names):
        self.world, self.dice, self.names = world, dice, sorted(names)
        self.used = 0
        self.weights = [operations.OPERATIONS[name][1] for name in self.names]

    def next(self):
        while True:
            name = self.dice.choices(self.names, self.weights)[0]
            if len(self.world.files()) > CROWD and name.startswith(("create", "write")):
                name = "delete"
            arguments = []
            for parameter in list(inspect.signature(operations.OPERATIONS[name][0]).parameters)[1:]:
                argument = getattr(self, parameter)(*arguments)
                if argument is None:
                    break
                arguments.append(argument)
            else:
                return [name, *arguments]

    def one(self, things):
        things = sorted(things)
        return self.dice.choice(things) if things else None

    # The arguments; each is given those before it.

    def file(self):
        return self.one(self.world.files())

    def other_file(self, file):
        return self.one(self.world.files() - {file})

    def name(self, *_):
        folder, name = self.dice.choice(FOLDERS), self.dice.choice(NAMES)
        if self.world.ever["originals.mode"] != {"keep"}:
            # What was moved away stays listed until its name is used again.
            self.used += 1
            name += "".join(chr(ord("a") + int(digit)) for digit in str(self.used))
        return os.path.join(folder, f"{name}.png")

    def content(self, *_):
        return f"{self.dice.choice(CONTENTS)} {self.dice.randrange(6)}"

    def folder(self):
        return self.one(path.name for path in self.world.inbox.iterdir() if path.is_dir() and not path.is_symlink())

    def other_folder(self, folder):
        return self.one({path.name for path in self.world.inbox.iterdir() if path.is_dir()} - {folder})

    def new_folder(self, _):
        return self.one({"A", "B", "C"} - {path.name for path in self.world.inbox.iterdir()})

    def closed(self):
        return self.one(self.world.closed)

    def protected(self):
        return self.one(file for file in self.world.files() if not (self.world.inbox / file).stat().st_mode & 0o777)

    def special(self):
        return self.one(
            path.relative_to(self.world.inbox).as_posix() for path in self.world.inbox.rglob("*.png")
            if path.is_symlink() or not path.is_file())

    def taken(self):
        return self.one(path.name for path in self.world.outside.iterdir() if path.name != "linked.png")

    def made(self, pattern, others=()):
        return self.one(
            path.relative_to(self.world.outbox).as_posix() for path in self.world.outbox.rglob(pattern)
            if not set(path.parts) & {"exports", *others})

    def sticker(self, *_):
        return self.made("*.png")

    def thumbnail(self):
        return self.made("*.webp")

    def index(self):
        return self.one(path for path in (self.made("pack.json"), self.made("index.html"), self.made("*.js")) if path)

    def palette(self):
        return self.one(path for path in (self.made("palettes"), self.made("palettes/*")) if path)

    def archive(self):
        return self.made("stickers.zip")

    def exported(self):
        return self.one(path.relative_to(self.world.outbox).as_posix() for path in self.world.outbox.rglob("exports/**/*"))

    def pack(self):
        return self.one(path.name for path in self.world.outbox.iterdir() if path.name in {"A", "B", "C"})

    def key(self):
        return self.dice.choice(sorted(RELOADS))

    def value(self, key):
        return self.dice.choice(RELOADS[key])

    def formats(self):
        return self.dice.choice([[], ["css"], ["css", "gpl"]])

    def mode(self, *content):
        # Of a file, or of originals.
        return self.dice.choice(["0644", "0640", "0600", "0666"] if content else ["keep", "archive", "delete"])

    def pause(self, *_):
        return round(self.dice.uniform(0, 0.4), 2)

    def seconds(self):
        return round(self.dice.choice([0.02, 0.1, 0.3, 1.2]), 2)

    def which(self):
        return self.dice.choice(["--changed", "--all"])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("stickerd")
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--seed", type=int, default=int(os.environ.get("TORTURE_SEED") or random.randrange(1 << 32)))
    parser.add_argument("--all", action="store_true", help="also operations that the program does not survive yet")
    parser.add_argument("--with", dest="also", default="", help="only these of them, with commas")
    parser.add_argument("--shrink", type=float, default=300, help="seconds to reduce a failure")
    parser.add_argument("--scenario")
    options = parser.parse_args()
    if options.scenario:
        head, steps = scenario.read(options.scenario)
        problem, number = scenario.replay(options.stickerd, head["settings"], steps)
        if problem:
            sys.exit(f"FAILED at {number + 1} of {len(steps)}: {steps[number]}\n{problem}")
        print(f"stress: {len(steps)} operations of {options.scenario}, passed")
        return
    also = set(operations.NOT_YET) if options.all else set(filter(None, options.also.split(",")))
    random_run(options, operations.OPERATIONS.keys() - operations.NOT_YET.keys() | also)


def random_run(options, names):
    dice = random.Random(options.seed)
    settings = {"whenPhotoRemoved": dice.choice(["keep", "withdraw"]), "originals.mode": dice.choice(["keep", "keep", "archive", "delete"])}
    if "restart" not in names:
        settings["originals.mode"] = "keep"
    head, steps, problem = {"seed": options.seed, "settings": settings}, [], None
    end = time.monotonic() + options.seconds
    with scenario.Run(options.stickerd, settings) as run:
        chooser = Chooser(run.world, dice, names)
        try:
            while time.monotonic() < end:
                for _ in range(dice.randint(1, LONGEST)):
                    steps.append(chooser.next())
                    run.do(*steps[-1])
                steps.append(["settle"])
                run.do("settle")
        except Broken as broken:
            problem = str(broken)
        figures = f"seed {options.seed}, {len(steps)} operations, {run.settles} comparisons, {run.world.kills} kills"
    if problem is None:
        print(f"stress: {figures}, passed")
        return
    print(f"stress: {figures}\nFAILED: {problem}\n{scenario.text(head, steps)}", flush=True)
    shorter = scenario.shrink(options.stickerd, settings, steps, problem, options.shrink)
    print(f"{len(shorter)} operations remain; their scenario:\n{scenario.text(head, shorter)}", end="")
    sys.exit(1)


if __name__ == "__main__":
    main()
