"""Simulates users and programs in an inbox: bursts, renames, moves, overwrites, deletions, files that are finished later,
whole folders that arrive, move and are removed.

Traffic records which files must be in the inbox, and which of them have a subject, so that a Ledger can compare.
"""
import collections
import hashlib
import os
import pathlib
import shutil
import time

import photos

FOLDERS = ["", "Garden", "Trip", "Trip/day one", "Zoo/north/cage 3"]
KINDS = {"subject": 84, "flat": 5, "broken": 4, "copy": 7}
# Longer than a burst takes, shorter than the settle time of the daemon (watch.settleSeconds).
PAUSE_IN_FILE = 1.2

Photo = collections.namedtuple("Photo", "sha256 kind number")


class Traffic:
    """`moves_originals`: the daemon moves photos away when they are done, so a path may disappear at any moment."""

    def __init__(self, inbox, taken, dice, moves_originals):
        self.inbox, self.taken, self.dice = pathlib.Path(inbox), pathlib.Path(taken), dice
        self.moves_originals = moves_originals
        self.here = {}  # path below the inbox -> Photo
        self.paths = []  # the same paths, to choose from
        self.places = {}  # path -> its index in paths
        self.unfinished = []  # (when, path, what is missing, open file or None)
        self.drawn = {}  # path of an unfinished file -> Photo
        self.arrived = 0
        self.dropped = collections.Counter()  # Photo -> how often it arrived
        self.lifted = collections.Counter()  # Photo -> how often it was taken out again
        self.albums = []  # folders that arrive, move and are removed as a whole
        self.recent = collections.deque(maxlen=500)  # to copy
        self.names = 0
        self.counts = collections.Counter()
        for folder in FOLDERS:
            (self.inbox / folder).mkdir(parents=True, exist_ok=True)
        self.taken.mkdir(parents=True, exist_ok=True)
        # On the inbox's file system, and outside it.
        self.staging = self.inbox.with_name("staging")
        self.staging.mkdir(exist_ok=True)

    def burst(self, count):
        for _ in range(count):
            self._arrive()
            chance = self.dice.random()
            if chance < 0.04:
                self._rename()
            elif chance < 0.08:
                self._move()
            elif chance < 0.11:
                self._overwrite()
            elif chance < 0.16:
                self._delete()
            elif chance < 0.17:
                self._touch()
            elif chance < 0.175:
                self._bring_album()
            elif chance < 0.18:
                self._move_album()
            elif chance < 0.183:
                self._remove_album()
            self.finish_due()

    def finish_due(self, everything=False):
        """Writes the rest of files that were begun earlier."""
        while self.unfinished and (everything or self.unfinished[0][0] <= time.monotonic()):
            _, path, rest, file = self.unfinished.pop(0)
            if file is None:
                file = open(self.inbox / path, "ab")
            file.write(rest)
            file.close()
            self._add(path, self.drawn[path])
            del self.drawn[path]

    def _arrive(self):
        kind = self.dice.choices(list(KINDS), KINDS.values())[0]
        if kind == "copy" and self.recent:
            photo = self.dice.choice(self.recent)
        else:
            photo = self._draw("subject" if kind == "copy" else kind)
        self.arrived += 1
        self.dropped[photo] += 1
        path, content = self._name(), self._content(photo)
        target, way = self.inbox / path, self.dice.random()
        if way < 0.15:
            part = target.with_name(f".{target.name}.part")
            part.write_bytes(content)
            part.rename(target)
            self.counts["renamed when whole"] += 1
        elif way < 0.27 and not self.moves_originals:
            # Half of these stay open, like a slow copy; the others are closed too early.
            half = len(content) // 2
            file = open(target, "wb", buffering=0)
            file.write(content[:half])
            if way < 0.21:
                file.close()
                file = None
            self.drawn[path] = photo
            self.unfinished.append((time.monotonic() + PAUSE_IN_FILE, path, content[half:], file))
            self.counts["finished later"] += 1
            return
        else:
            target.write_bytes(content)
            self.counts["written"] += 1
        self._add(path, photo)

    def _draw(self, kind):
        number = self.names + 1_000_000
        content = getattr(photos, kind)(number)
        photo = Photo(hashlib.sha256(content).hexdigest(), kind, number)
        self.recent.append(photo)
        return photo

    def _content(self, photo):
        return getattr(photos, photo.kind)(photo.number)

    def _name(self, folder=None):
        self.names += 1
        folder = self.dice.choice(FOLDERS) if folder is None else folder
        return os.path.join(folder, f"photo {self.names:06}.png")

    def _rename(self):
        if path := self._any():
            self._relocate(path, self._name(os.path.dirname(path)), "renamed")

    def _move(self):
        if path := self._any():
            self._relocate(path, self._name(), "moved")

    def _relocate(self, path, new, what):
        try:
            os.rename(self.inbox / path, self.inbox / new)
        except FileNotFoundError:
            if not self.moves_originals:
                raise
            return
        self._add(new, self._remove(path))
        self.counts[what] += 1

    def _overwrite(self):
        if self.moves_originals or not (path := self._any()):
            return
        kind = self.dice.choices(["subject", "flat", "broken"], [8, 1, 1])[0]
        self.names += 1
        photo = self._draw(kind)
        target = self.inbox / path
        if self.dice.random() < 0.5:
            target.write_bytes(self._content(photo))
        else:
            part = target.with_name(f".{target.name}.part")
            part.write_bytes(self._content(photo))
            part.replace(target)
        self.here[path] = photo
        self.counts["overwritten"] += 1

    def _delete(self):
        if not (path := self._any()):
            return
        if not self.moves_originals:
            (self.inbox / path).unlink()
            self._remove(path)
            self.counts["deleted"] += 1
            return
        # Taken out in one step: either the test has it, or the daemon has moved it before.
        self.names += 1
        try:
            os.rename(self.inbox / path, self.taken / f"{self.names}.png")
        except FileNotFoundError:
            return
        self.lifted[self._remove(path)] += 1
        self.counts["taken out"] += 1

    def _touch(self):
        if path := self._any():
            try:
                os.utime(self.inbox / path)
            except FileNotFoundError:
                if not self.moves_originals:
                    raise
                return
            self.counts["touched"] += 1

    def _bring_album(self):
        self.names += 1
        name = f"album {self.names}"
        (self.staging / name / "more").mkdir(parents=True)
        brought = {}
        for index in range(self.dice.randint(2, 12)):
            self.names += 1
            photo = self._draw("subject")
            path = os.path.join("more" if index % 3 == 2 else "", f"photo {self.names:06}.png")
            (self.staging / name / path).write_bytes(self._content(photo))
            brought[path] = photo
        album = os.path.join(self.dice.choice(FOLDERS), name)
        os.rename(self.staging / name, self.inbox / album)
        self.albums.append(album)
        for path, photo in brought.items():
            self.arrived += 1
            self.dropped[photo] += 1
            self._add(os.path.join(album, path), photo)
        self.counts["albums brought"] += 1

    def _move_album(self):
        if not self.albums:
            return
        place = self.dice.randrange(len(self.albums))
        old = self.albums[place]
        self.names += 1
        new = os.path.join(self.dice.choice(FOLDERS), f"album {self.names}")
        inside = self._inside(old)
        os.rename(self.inbox / old, self.inbox / new)
        self.albums[place] = new
        for path in inside:
            self._add(new + path[len(old):], self._remove(path))
        self.counts["albums moved"] += 1

    def _remove_album(self):
        # If the daemon moves photos away, the test cannot know which were deleted.
        if not self.albums or self.moves_originals:
            return
        album = self.albums.pop(self.dice.randrange(len(self.albums)))
        inside = self._inside(album)
        shutil.rmtree(self.inbox / album)
        for path in inside:
            self._remove(path)
        self.counts["albums removed"] += 1

    def _inside(self, album):
        paths = (os.path.relpath(os.path.join(root, name), self.inbox)
                 for root, _, names in os.walk(self.inbox / album) for name in names)
        return [path for path in paths if path in self.here]

    def _any(self):
        # New files are as likely as old ones: errors are most likely with files in progress.
        if not self.paths:
            return None
        if self.dice.random() < 0.5:
            return self.dice.choice(self.paths[-50:])
        return self.dice.choice(self.paths)

    def _add(self, path, photo):
        self.here[path] = photo
        self.places[path] = len(self.paths)
        self.paths.append(path)

    def _remove(self, path):
        index, last = self.places.pop(path), self.paths.pop()
        if last != path:
            self.paths[index] = last
            self.places[last] = index
        return self.here.pop(path)
