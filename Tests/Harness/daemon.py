"""A stickerd with its own folders: start, stop, drop photos, wait, and read what it shows to every user.

Tests read the output of its commands and the files in the outbox, not the Library's tables.
"""

import json
import os
import pathlib
import re
import signal
import subprocess
import time

#: Seconds that a test waits for anything that the daemon does; generous, for a busy machine.
PATIENCE = 60
#: Seconds on a machine that other programs leave some of its processors; TimeoutStopSec= in the unit is longer.
STOP_LIMIT = 45


class Broken(Exception):
    """A broken promise."""


class Daemon:
    """Inbox, outbox and state below one folder, and one daemon at a time."""

    def __init__(self, stickerd, folder, settings=None, notes=None, user=None):
        """`settings` has the keys of config.json with dots: `sticker.size`. `notes` is the log's folder, if not `folder`. As
        root, `user` is the number of the user and group that it runs as."""
        self.stickerd, self.root = os.path.realpath(stickerd), pathlib.Path(folder)
        self.inbox, self.outbox, self.state = (self.root / name for name in ("inbox", "outbox", "state"))
        self.inbox.mkdir(parents=True)
        # Truncated photos fail soon.
        self.settings = {"watch.incompleteSeconds": 0.5, **(settings or {})}
        self.log = pathlib.Path(notes or folder) / "log"
        self.process = None
        self.identity = {} if user is None else {"user": user, "group": user, "extra_groups": []}

    @property
    def folders(self):
        return ["--inbox", self.inbox, "--outbox", self.outbox, "--state", self.state]

    @property
    def environment(self):
        """The settings of the user who runs the tests have no effect."""
        own = {"HOME": str(self.root), "PATH": "/usr/bin:/bin", "LD_LIBRARY_PATH": os.environ.get("LD_LIBRARY_PATH", "")}
        return own | {variable(key): str(value) for key, value in self.settings.items()}

    # Arrivals

    def drop(self, name, data, modified=None, durably=False):
        """Moves a complete file into the inbox. `modified` is its time; `durably`: a power cut does not lose it."""
        draft, target = self.root / "dropping", self.inbox / name
        draft.write_bytes(data)
        if modified:
            os.utime(draft, (modified, modified))
        if durably:
            synchronize(draft)
        target.parent.mkdir(parents=True, exist_ok=True)
        draft.rename(target)
        if durably:
            for folder in (target.parent, self.inbox, self.root):
                synchronize(folder)

    # The process

    def start(self, **environment):
        with open(self.log, "ab") as log:
            log.write(f"--- start {environment or ''}\n".encode())
            log.flush()
            self.begun = log.tell()
            self.process = subprocess.Popen(
                [self.stickerd, "run", *self.folders], env=self.environment | environment, stdin=subprocess.DEVNULL,
                stdout=log, stderr=log, **self.identity)
        return self

    def stop(self, how=signal.SIGTERM, seconds=STOP_LIMIT):
        """Sends the signal when the daemon handles SIGTERM, and returns the exit status."""
        self.wait(self.is_listening, seconds)
        self.process.send_signal(how)
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill()
            raise Broken(f"does not end {seconds} s after {how.name}\n{self.last_words()}") from None

    def kill(self):
        """Kills it, unless it has ended."""
        if self.process and self.is_running():
            self.process.kill()
            self.process.wait()

    def is_running(self):
        return self.process.poll() is None

    def is_listening(self):
        """Whether SIGTERM no longer ends it at once."""
        try:
            lines = pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        except OSError:
            return False
        masks = [int(line.split()[1], 16) for line in lines if line.startswith(("SigIgn", "SigCgt"))]
        return any(mask >> signal.SIGTERM - 1 & 1 for mask in masks)

    def wait(self, until, seconds=PATIENCE):
        """Waits until `until()` is true (returns None) or the daemon ends (returns its exit status)."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if not self.is_running():
                return self.process.returncode
            if until():
                return None
            time.sleep(0.05)
        raise Broken(f"not done after {seconds} s: {self.photos()}\n{self.last_words()}")

    def last_words(self):
        """The end of the log."""
        try:
            return self.log.read_text(errors="replace")[-3000:]
        except OSError:
            return ""

    def own_words(self):
        """What the last process logged and printed."""
        with open(self.log, "rb") as log:
            log.seek(self.begun)
            return log.read().decode(errors="replace")

    # What it shows

    def run(self, command, *arguments, seconds=PATIENCE, **environment):
        """Runs another command to its end."""
        return subprocess.run(
            [self.stickerd, command, *arguments], env=self.environment | environment, stdin=subprocess.DEVNULL, capture_output=True,
            text=True, timeout=seconds, check=False, **self.identity)

    def status(self):
        """`stickerd status`, or None if the Library cannot be read at the moment."""
        answer = self.run("status", "--json", "--state", self.state)
        return json.loads(answer.stdout) if answer.returncode == 0 else None

    def photos(self):
        """How many files are in each state, without zeros."""
        status = self.status()
        return {state: count for state, count in status["photos"].items() if count} if status else {}

    def is_idle(self):
        """Whether this process has read the inbox, and no file is pending or in progress."""
        # Until then, the Library is as the process before left it.
        if "Watching for photos" not in self.own_words():
            return False
        status = self.status()
        return bool(status) and not status["scanning"] and not status["photos"]["pending"] + status["photos"]["processing"]

    def verify(self, seconds=PATIENCE):
        """The problems that `stickerd verify` reports, or None."""
        answer = self.run("verify", *self.folders, seconds=seconds)
        return f"verify ends with {answer.returncode}: {answer.stdout}{answer.stderr}" if answer.returncode else None

    def explain(self, name):
        """`stickerd explain` as pairs of a word and its text, or none if the file is unknown."""
        answer = self.run("explain", *self.folders, "--", name)
        lines = answer.stdout.splitlines()[1:] if answer.returncode == 0 else []
        return [(line[2:14].rstrip(), line[14:]) for line in lines]

    def packs(self):
        """The contents of each pack.json, with the stickers of its pages, by the path of its folder in the outbox; the
        root pack's is `.`."""
        files = self.outbox.glob("**/pack.json")
        return {str(file.parent.relative_to(self.outbox)): read_pack(file) for file in files}


def read_pack(file, attempts=9):
    """A pack.json with the stickers of its pages."""
    for attempt in range(attempts):
        pack = json.loads(file.read_bytes())
        try:
            pages = [json.loads((file.parent / page["file"]).read_bytes()) for page in pack.get("pages", [])]
        except FileNotFoundError:
            # Replaced since pack.json was read, unless it is always so.
            if attempt == attempts - 1:
                raise
            continue
        pack["stickers"] = pack.get("stickers", []) + [sticker for page in pages for sticker in page["stickers"]]
        return pack


def synchronize(path):
    """fsync(2) of a file or folder."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def variable(key):
    """The environment variable of a setting."""
    return "STICKERD_" + re.sub("([A-Z])", r"_\1", key).replace(".", "_").upper()
