"""Chooses random operations, and their arguments from what is there."""

import inspect
import os

from operations import OPERATIONS
from oracle import OUTLINES

NAMES = ["ant", "bee", "cat", "dog", "eel", "fox"]
FOLDERS = ["", "", "A", "B", "C", "A/deep", "a"]
CONTENTS = [*["subject"] * 9, "flat", "broken", "near"]
#: With more files, deletions are more likely.
CROWD = 12
#: The settings that a reload changes.
RELOADS = {
    "whenPhotoRemoved": ["keep", "withdraw"], "duplicates.near": ["off", "report"],
    "gallery.enabled": [True, False], "exports": [[], ["emoji"], ["emoji", "mastodon"]], "sticker.outline.width": OUTLINES}


class Chooser:
    """Random operations, with arguments that exist."""

    def __init__(self, world, dice, names, even):
        """`even`: each operation is chosen as often as the others."""
        self.world, self.dice, self.names = world, dice, sorted(names)
        self.used = 0
        self.weights = [1 if even else OPERATIONS[name][1] for name in self.names]

    def next(self):
        while True:
            name = self.dice.choices(self.names, self.weights)[0]
            if len(self.world.files()) > CROWD and name.startswith(("create", "write")):
                name = "delete"
            try:
                arguments = self.arguments(name)
            except OSError:
                continue  # The daemon moved what was about to be chosen.
            if None not in arguments:
                return [name, *arguments]

    def arguments(self, name):
        """One for each parameter, None where there is nothing to choose from."""
        arguments = []
        for parameter in list(inspect.signature(OPERATIONS[name][0]).parameters)[1:]:
            arguments.append(getattr(self, parameter)(*arguments))
            if arguments[-1] is None:
                break
        return arguments

    def one(self, things):
        things = sorted(things)
        return self.dice.choice(things) if things else None

    # The arguments; each is given those before it.

    def file(self):
        return self.one(self.world.files())

    def other_file(self, file):
        return self.one(self.world.files() - {file})

    def name(self, *_):
        # What was moved away stays listed until its name is used again.
        if self.world.ever["originals.mode"] != {"keep"}:
            return self.new_name()
        return os.path.join(self.dice.choice(FOLDERS), f"{self.dice.choice(NAMES)}.png")

    def new_name(self, *_):
        self.used += 1
        number = "".join(chr(ord("a") + int(digit)) for digit in str(self.used))
        return os.path.join(self.dice.choice(FOLDERS), f"{self.dice.choice(NAMES)}{number}.png")

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

    def made(self, pattern):
        return self.one(
            path.relative_to(self.world.outbox).as_posix() for path in self.world.outbox.rglob(pattern)
            if "exports" not in path.parts)

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

    def list_of_files(self):
        return self.one(path.relative_to(self.world.outbox).as_posix() for path in self.world.outbox.rglob("files.txt"))

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
        if content:
            return self.dice.choice(["0644", "0640", "0600", "0666"])
        # Of originals. Without "keep", a run can tell that no photo may stay in the inbox.
        return self.dice.choice(["archive", "delete"] + ["keep"] * ("keep" in self.world.ever["originals.mode"]))

    def pause(self, *_):
        return round(self.dice.uniform(0, 0.4), 2)

    def seconds(self):
        return round(self.dice.choice([0.02, 0.1, 0.3, 1.2]), 2)

    def which(self):
        return self.dice.choice(["--changed", "--all"])
