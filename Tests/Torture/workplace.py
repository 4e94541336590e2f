"""A folder with photos, a daemon that processes them, and the conditions that must hold afterwards."""

import atexit
import functools
import hashlib
import json
import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time

import pictures

HERE = pathlib.Path(__file__).resolve().parent
TEXT = b"This is no photo at all."
#: The expected state of each photo. Those of the second half arrive while the daemon runs.
PHOTOS = {f"a{n:02}.png": n for n in range(1, 6)} | {"Holiday/h01.png": 21}
LATER = {"b01.png": 31, "Holiday/h02.png": 22}
#: Enough for every kind of call and for a queue of photos. More photos repeat the same calls, and the cost of a run is
#: proportional to their square: both the number and the length of rounds grow.
FILES = len(PHOTOS) + len(LATER) + 4
STICKERS = len(PHOTOS) + len(LATER) + 1
STATES = {"done": STICKERS, "duplicate": 1, "noSubject": 1, "failed": 1}


class Broken(Exception):
    """A broken promise."""


@functools.cache
def contents():
    """The files by their names in the inbox, in order of arrival."""
    first = {name: pictures.photo(number) for name, number in PHOTOS.items()}
    later = {name: pictures.photo(number) for name, number in LATER.items()}
    later["Holiday/copy.png"] = first["a01.png"]  # A sticker of another pack.
    later["z-again.png"] = first["a02.png"]
    later["z-flat.png"] = pictures.photo(0, disc=False)
    later["z-text.jpg"] = TEXT
    assert len(first) + len(later) == FILES
    return first, later


@functools.cache
def shim():
    """The built shim's path."""
    folder = tempfile.mkdtemp(prefix="torture-shim-")
    # Not in forked workers, which do not run this.
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


def synchronize_folder(path):
    folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


class Workplace:
    """Inbox, outbox and state below one folder, and one daemon at a time."""

    def __init__(self, stickerd, folder, mode, elsewhere=None, notes=None, traced=None):
        """`elsewhere` is the archive's folder in the mode of that name; `notes` is the log's folder. `traced` are the one or two
        folders that the shim watches, if they are not these."""
        # To another file system, files are copied instead of renamed.
        self.mode = "archive" if mode == "elsewhere" else mode
        self.stickerd, self.root = str(stickerd), pathlib.Path(folder)
        self.inbox, self.outbox, self.state = (self.root / name for name in ("inbox", "outbox", "state"))
        self.top = pathlib.Path(elsewhere) if mode == "elsewhere" else self.root
        self.archive, self.failed = self.top / "archive", self.top / "failed"
        # Not on a disk that is about to fail.
        self.log = pathlib.Path(notes or self.root) / "log"
        self.trace = pathlib.Path(notes or self.root) / "trace"
        self.process = None
        self.traced = ":".join(str(folder) for folder in traced or (self.root, self.top) if folder)
        self.environment = {
            "HOME": str(self.root), "PATH": "/usr/bin:/bin", "LD_LIBRARY_PATH": os.environ.get("LD_LIBRARY_PATH", ""),
            "STICKERD_ORIGINALS_MODE": self.mode, "STICKERD_ORIGINALS_ARCHIVE": str(self.archive),
            "STICKERD_ORIGINALS_FAILED": str(self.failed), "STICKERD_STICKER_SIZE": "96", "STICKERD_WORKERS": "1",
            "STICKERD_WATCH_SETTLE_SECONDS": "0.1", "STICKERD_WATCH_RESCAN_SECONDS": "1",
            "STICKERD_LIMITS_MIN_FREE_BYTES": "0",
        }
        self.folders = ["--inbox", self.inbox, "--outbox", self.outbox, "--state", self.state]

    # Arrivals

    def fill(self, photos, synchronize=False):
        """Moves complete photos into the inbox; their order is that of their times."""
        stage = self.root / "stage"
        stage.mkdir(parents=True, exist_ok=True)
        begin = time.time() - 3600
        for number, (name, data) in enumerate(photos.items()):
            target = self.inbox / name
            target.parent.mkdir(parents=True, exist_ok=True)
            draft = stage / "draft"
            with open(draft, "wb") as file:
                file.write(data)
                file.flush()
                if synchronize:
                    os.fsync(file.fileno())
            os.utime(draft, (begin + number, begin + number))
            os.rename(draft, target)
            if synchronize:
                synchronize_folder(target.parent)
        if synchronize:
            synchronize_folder(self.inbox)
            synchronize_folder(self.root)

    # The daemon

    def start(self, plan=None):
        environment = dict(self.environment)
        if plan:
            environment |= {
                "LD_PRELOAD": shim(), "TORTURE_PLAN": plan, "TORTURE_ROOT": self.traced,
                "TORTURE_TRACE": str(self.trace),
            }
        with open(self.log, "ab") as log:
            log.write(f"--- start {plan or ''}\n".encode())
            log.flush()
            self.process = subprocess.Popen(
                [self.stickerd, "run", *self.folders], env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def ask(self, query):
        """Rows of the Library, or none if it cannot be read at the moment."""
        try:
            library = sqlite3.connect(f"file:{self.state}/library.sqlite?mode=ro", uri=True, timeout=1)
            try:
                return library.execute(query).fetchall()
            finally:
                library.close()
        except sqlite3.Error:
            return []

    def counts(self):
        """How many files are in each state."""
        return dict(self.ask("SELECT state, count(*) FROM file GROUP BY state"))

    def is_drained(self):
        """Whether no photo is pending, and none is still to be moved out of the inbox."""
        counts = self.counts()
        if sum(counts.values()) < FILES or counts.get("pending") or counts.get("processing"):
            return False
        return self.ask("SELECT count(*) FROM original WHERE finished IS NULL") == [(0,)]

    def wait(self, seconds=60, until=None):
        """Waits until the daemon ends (returns its status) or `until` is true (returns None)."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            status = self.process.poll()
            if status is not None:
                return status
            if until and until():
                return None
            time.sleep(0.02)
        raise Broken(f"not done after {seconds} s: {self.counts()}")

    def wait_for(self, seconds):
        """Waits for a time, or until the daemon ends (returns its status)."""
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def heal(self, seconds=30):
        """Waits until `verify` reports no problem after the daemon has finished. Returns whether a temporary file is left, which
        could not be removed from a missing disk (the next start removes it), and the number of deeds before that look."""
        end = time.monotonic() + seconds
        while True:
            deeds = len(self.deeds())
            if not (complaint := self.verify()):
                return False, deeds
            if all("is an unfinished file left behind" in line for line in complaint.splitlines()):
                return True, deeds
            if time.monotonic() > end:
                raise Broken(f"not healed after {seconds} s: {complaint}")
            time.sleep(0.2)

    def stop(self):
        """Sends SIGTERM and returns the exit status."""
        self.process.terminate()
        try:
            return self.process.wait(30)
        except subprocess.TimeoutExpired:
            raise Broken("does not end 30 s after SIGTERM") from None

    def is_listening(self):
        """Whether SIGTERM no longer ends the daemon at once."""
        try:
            lines = pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        except OSError:
            return False
        masks = [int(line.split()[1], 16) for line in lines if line.startswith(("SigIgn", "SigCgt"))]
        return any(mask >> signal.SIGTERM - 1 & 1 for mask in masks)

    def finish(self):
        """Runs undisturbed to the end."""
        self.start()
        status = self.wait(until=lambda: self.is_done() and self.is_listening())
        if status is not None:
            raise Broken(f"the undisturbed daemon ended by itself: {status}")
        if status := self.stop():
            raise Broken(f"the undisturbed daemon ended with {status}")

    def is_done(self):
        """Whether the queue is empty and the index matches the Library."""
        if not self.is_drained():
            return False
        listed = 0
        for path in self.outbox.glob("**/pack.json"):
            try:
                pack = json.loads(path.read_bytes())
            except (OSError, ValueError):
                return False
            listed += len(pack["stickers"])
        return listed >= STICKERS

    def close(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.root, ignore_errors=True)
        shutil.rmtree(self.top, ignore_errors=True)

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
            left = [str(p.relative_to(folder)) for p in folder.glob("**/.*")] + list(map(str, folder.glob("**/*.tmp")))
            if left:
                problems.append(f"left over: {left}")
        if self.counts() != STATES:
            problems.append(f"states {self.counts()}, not {STATES}")
        if (originals := self.originals()) != (expected := self.expected_originals()):
            problems.append(f"originals: {sorted(set(originals) ^ set(expected)) or 'one twice'}")
        files = self.stickers() | self.thumbnails()
        if files != reference:
            names = sorted(n for n in files.keys() | reference.keys() if files.get(n) != reference.get(n))
            problems.append(f"stickers or thumbnails differ: {names}")
        listed = []
        for path in self.outbox.glob("**/pack.json"):
            folder = path.parent.relative_to(self.outbox)
            listed += [first_name(str(folder / s["file"])) for s in json.loads(path.read_bytes())["stickers"]]
        if sorted(listed) != sorted(self.stickers()):
            problems.append(f"pack.json lists {len(listed)}: {sorted(set(listed) ^ set(self.stickers())) or 'one twice'}")
        if complaint := self.verify():
            problems.append(complaint)
        if problems:
            raise Broken("\n".join(problems))

    def verify(self, seconds=60):
        """The problems that `stickerd verify` reports within this time, or None."""
        verify = subprocess.run(
            [self.stickerd, "verify", *self.folders], env=self.environment, capture_output=True, text=True, timeout=seconds,
            check=False)
        return f"verify ends with {verify.returncode}: {verify.stdout}{verify.stderr}" if verify.returncode else None

    def has_complained(self):
        """Whether the last daemon logged an error, at <3>, or printed one like a command."""
        text = self.log.read_text(errors="replace").split("--- start ")[-1]
        return any(line.startswith(("<3>", "<2>", "Error", "stickerd:")) for line in text.splitlines())

    def last_words(self):
        """The end of the daemons' logs."""
        try:
            return self.log.read_text(errors="replace")[-1500:]
        except OSError:
            return ""

    def deeds(self):
        """The shim's action, from the trace."""
        try:
            lines = self.trace.read_text(errors="replace").splitlines()
        except OSError:
            return []
        return [line[1:] for line in lines if line.startswith("!")]

    def deed(self):
        """The first of them, or None."""
        return next(iter(self.deeds()), None)


def undisturbed(stickerd, folder, mode="keep", elsewhere=None, traced=None):
    """An undisturbed run: its files, and the shim's trace."""
    place = Workplace(stickerd, folder, mode, elsewhere, traced=traced)
    try:
        first, later = contents()
        place.fill(first)
        place.start("count")
        place.fill(later)
        if (status := place.wait(until=place.is_done)) is not None:
            raise Broken(f"ended with {status}")
        if status := place.stop():
            raise Broken(f"ended with {status} after SIGTERM")
        reference = place.stickers() | place.thumbnails()
        if len(place.stickers()) != STICKERS:
            raise Broken(f"{len(place.stickers())} stickers, not {STICKERS}: {place.counts()}")
        place.check_end(reference)
        return reference, place.trace.read_text(errors="replace").splitlines()
    finally:
        place.close()
