"""A dozen photos, a daemon that processes them, and the conditions that must hold afterwards."""

import atexit
import contextlib
import functools
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time

import photos
from daemon import PATIENCE, Broken, Daemon

HERE = pathlib.Path(__file__).resolve().parent
TEXT = b"GIF89a: this is no photo at all."
#: The numbers of the photos. Those of the second half arrive while the daemon runs.
PHOTOS = {f"a{n:02}.png": n for n in range(1, 6)} | {"Holiday/h01.png": 21}
LATER = {"b01.png": 31, "Holiday/h02.png": 22}
#: Enough for every kind of call and for a queue of photos. More photos repeat the same calls, and the cost of a run is
#: proportional to their square: both the number and the length of rounds grow.
FILES = len(PHOTOS) + len(LATER) + 4
STICKERS = len(PHOTOS) + len(LATER) + 1
STATES = {"done": STICKERS, "duplicate": 1, "noSubject": 1, "failed": 1}


@functools.cache
def contents():
    """The files by their names in the inbox, in order of arrival."""
    first = {name: photos.subject(number) for name, number in PHOTOS.items()}
    later = {name: photos.subject(number) for name, number in LATER.items()}
    later["Holiday/copy.png"] = first["a01.png"]  # A sticker of another pack.
    later["z-again.png"] = first["a02.png"]
    later["z-flat.png"] = photos.flat(0)
    later["z-text.jpg"] = TEXT
    assert len(first) + len(later) == FILES
    return first, later


@functools.cache
def shim():
    """The built shim's path."""
    folder = tempfile.mkdtemp(prefix="torture-shim-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    target = os.path.join(folder, "shim.so")
    subprocess.run(["cc", "-shared", "-fPIC", "-O2", "-o", target, HERE / "shim.c", "-ldl"], check=True)
    return target


def first_name(name):
    """The name of a sticker's file as if the first of two equal photos had become the sticker. If the first one cannot be
    read for a while, the second one overtakes it."""
    return name.replace("z-again-", "a02-")


def digest(path):
    return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()


class Shimmed(Daemon):
    """A daemon with a shim between it and its disk; `traced` is what the shim watches: one or two folders, with a colon between
    them."""

    def __init__(self, stickerd, folder, traced, settings, notes=None):
        super().__init__(stickerd, folder, {
            "sticker.size": 96, "workers": 1, "watch.settleSeconds": 0.1, "limits.minFreeBytes": 0, **settings}, notes)
        self.traced, self.trace = traced, pathlib.Path(notes or folder) / "trace"
        self.folders_to_remove = [self.root]

    def shimmed(self, plan):
        """The environment of a process that follows this plan."""
        return {"LD_PRELOAD": shim(), "TORTURE_PLAN": plan, "TORTURE_ROOT": self.traced, "TORTURE_TRACE": str(self.trace)}

    def start(self, plan=None):
        return super().start(**self.shimmed(plan) if plan else {})

    def calls(self):
        """The trace's lines."""
        try:
            return self.trace.read_text(errors="replace").splitlines()
        except OSError:
            return []

    def deeds(self):
        """What the shim did."""
        return [line[1:] for line in self.calls() if line.startswith("!")]

    def deed(self):
        """The first of them, or None."""
        return next(iter(self.deeds()), None)

    @contextlib.contextmanager
    def explained(self, plan):
        """Says what was done if the body finds anything broken; no daemon runs afterwards."""
        try:
            yield
        except Exception as error:
            raise Broken(f"{plan} ({self.deed()}): {error}\n{self.last_words()}") from None
        finally:
            self.kill()

    @contextlib.contextmanager
    def round(self, plan):
        """The same, and removes everything."""
        try:
            with self.explained(plan):
                yield
        finally:
            for folder in self.folders_to_remove:
                shutil.rmtree(folder, ignore_errors=True)

    def go_on(self, until):
        """Runs undisturbed until this is true of a daemon that is idle."""
        self.start()
        if (status := self.wait(until=lambda: self.is_idle() and until())) is not None:
            raise Broken(f"the undisturbed daemon ended by itself: {status}")
        if status := self.stop():
            raise Broken(f"the undisturbed daemon ended with {status}")


def check_kill(place, status):
    """It ended by the kill, or without a kill and without an error."""
    if status not in (0, -9) or (status == -9) != (place.deed() is not None):
        raise Broken(f"ended with {status} instead of by the kill")


class Trial(Shimmed):
    """The dozen photos in one mode of `originals`."""

    def __init__(self, stickerd, folder, mode, elsewhere=None, notes=None, traced=None):
        """`elsewhere` is the archive's folder in the mode of that name; `notes` is the log's folder, for a disk that is about
        to fail. `traced` are the one or two folders that the shim watches, if they are not these."""
        # To another file system, files are copied instead of renamed.
        self.mode = "archive" if mode == "elsewhere" else mode
        self.top = pathlib.Path(elsewhere if mode == "elsewhere" else folder)
        self.archive, self.failed = self.top / "archive", self.top / "failed"
        traced = ":".join(str(folder) for folder in traced or (folder, self.top) if folder)
        super().__init__(stickerd, folder, traced, {
            "originals.mode": self.mode, "originals.archive": self.archive, "originals.failed": self.failed,
            "watch.rescanSeconds": 1}, notes)
        self.folders_to_remove.append(self.top)

    def fill(self, files, durably=False):
        """Moves complete files into the inbox; their order is that of their times."""
        begin = time.time() - 3600
        for number, (name, data) in enumerate(files.items()):
            self.drop(name, data, modified=begin + number, durably=durably)

    def start_with_arrivals(self, plan=None, durably=False):
        """Starts with the first photos; the others arrive while it runs."""
        first, later = contents()
        self.fill(first, durably)
        self.start(plan)
        self.fill(later, durably)

    def heal(self, seconds=PATIENCE):
        """Waits until `verify` reports no problem after the daemon has finished. Returns whether that is left to the next start,
        with the number of deeds before that look: a temporary file that could not be removed from a missing disk, or all, if
        the daemon ends with an error."""
        end = time.monotonic() + seconds
        while True:
            deeds = len(self.deeds())
            if not (complaint := self.verify()):
                return False, deeds
            if not self.is_running() and self.has_complained():
                return True, deeds
            if all("is a leftover temporary file" in line for line in complaint.splitlines()):
                return True, deeds
            if time.monotonic() > end:
                raise Broken(f"not healed after {seconds} s: {complaint}")
            time.sleep(0.2)

    def finish(self):
        """Runs undisturbed to the end."""
        self.go_on(self.is_done)

    def is_done(self):
        """Whether every photo is in its last state and place, and every sticker is listed: also before this process has looked,
        if an earlier one came so far."""
        try:
            listed = sum(len(pack["stickers"]) for pack in self.packs().values())
        except (OSError, ValueError):
            return False
        inbox = {path.relative_to(self.inbox).as_posix() for path in self.inbox.glob("**/*") if path.is_file()}
        staying = {name for area, name, _ in self.expected_originals() if area == "inbox"}
        if listed < STICKERS or inbox != staying:
            return False
        counts = self.photos()
        return sum(counts.values()) >= FILES - self.uncertain and not counts.keys() & {"pending", "processing"}

    @property
    def uncertain(self):
        """How many files the Library may lack. If a crash comes between the deletion of a photo and its record, the next start
        takes the photo for one that a user removed. It forgets that file, and the photo's copy is no longer a duplicate."""
        return 1 if self.mode == "delete" else 0

    # Checks

    def stickers(self):
        """Digests by name below the outbox."""
        return self.digests("**/*.png")

    def thumbnails(self):
        return self.digests("**/*.webp")

    def digests(self, pattern):
        files = {str(p.relative_to(self.outbox)): digest(p) for p in self.outbox.glob(pattern)}
        renamed = {first_name(name): sha256 for name, sha256 in files.items()}
        # Both names at once are a sticker too many.
        return renamed if len(renamed) == len(files) else files

    def originals(self):
        """The location of each file's bytes: (area, name in the inbox) of all, sorted."""
        found = []
        for area, folder in ("inbox", self.inbox), ("archive", self.archive), ("failed", self.failed):
            for path in folder.glob("**/*"):
                if not path.is_file() or path.name.endswith(".reason.txt"):
                    continue
                name = path.relative_to(folder).parts
                if area == "archive":
                    name = name[3:]  # Year, month, day.
                found.append((area, "/".join(name), digest(path)))
        return sorted(found)

    def expected_originals(self):
        """The expected `originals` when all is done."""
        first, later = contents()
        expected = []
        for name, data in (first | later).items():
            area = {"keep": "inbox", "archive": "archive", "delete": None}[self.mode]
            if self.mode != "keep" and name == "z-text.jpg" or self.mode == "delete" and name == "z-flat.png":
                area = "failed"
            if area:
                expected.append((area, name, hashlib.sha256(data).hexdigest()))
        return sorted(expected)

    def check_moment(self, reference):
        """Checks the moment of the end, whatever caused it: no original is lost, and every named file is complete."""
        there = {sha256 for _, _, sha256 in self.originals()}
        made = {name.split("-")[-1][:8] for name in self.stickers()}
        first, later = contents()
        for name, data in (first | later).items():
            sha256 = hashlib.sha256(data).hexdigest()
            if sha256 not in there and not (self.mode == "delete" and sha256[:8] in made):
                raise Broken(f"{name} is nowhere")
        for name, sha256 in (self.stickers() | self.thumbnails()).items():
            if reference[name] != sha256:
                raise Broken(f"{name} is not what it should be at the moment of the end")

    def check_end(self, reference):
        """Checks the final result."""
        problems = []
        for folder in {self.root, self.top}:
            left = [str(p.relative_to(folder)) for p in folder.glob("**/.*") if p.name != ".stickerd"]
            left += map(str, folder.glob("**/*.tmp"))
            if left:
                problems.append(f"left over: {left}")
        states = self.photos()
        if states != STATES and not (self.uncertain and states | {"duplicate": 1} == STATES):
            problems.append(f"states {states}, not {STATES}")
        if (originals := self.originals()) != (expected := self.expected_originals()):
            problems.append(f"originals: {sorted(set(originals) ^ set(expected)) or 'one twice'}")
        files = self.stickers() | self.thumbnails()
        if files != reference:
            names = sorted(n for n in files.keys() | reference.keys() if files.get(n) != reference.get(n))
            problems.append(f"stickers or thumbnails differ: {names}")
        listed = [
            first_name(os.path.normpath(f"{folder}/{sticker['file']}"))
            for folder, pack in self.packs().items() for sticker in pack["stickers"]]
        if sorted(listed) != sorted(self.stickers()):
            problems.append(f"pack.json lists {len(listed)}: {sorted(set(listed) ^ set(self.stickers())) or 'one twice'}")
        if complaint := self.verify():
            problems.append(complaint)
        if problems:
            raise Broken("\n".join(problems))

    def has_complained(self):
        """Whether the last daemon logged an error, or printed one like a command."""
        return any(re.match(r"\S+Z (error|critical) |Error|stickerd:", line) for line in self.own_words().splitlines())


def undisturbed(stickerd, folder, mode="keep", elsewhere=None, traced=None):
    """An undisturbed run: its files, and the shim's trace."""
    place = Trial(stickerd, folder, mode, elsewhere, traced=traced)
    with place.round("count"):
        place.start_with_arrivals("count")
        if (status := place.wait(until=place.is_done)) is not None:
            raise Broken(f"ended with {status}")
        if status := place.stop():
            raise Broken(f"ended with {status} after SIGTERM")
        reference = place.stickers() | place.thumbnails()
        if len(place.stickers()) != STICKERS:
            raise Broken(f"{len(place.stickers())} stickers, not {STICKERS}: {place.photos()}")
        place.check_end(reference)
        return reference, place.calls()
