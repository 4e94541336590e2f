#!/usr/bin/env python3
"""hostile.py STICKERD [FOLDER]: a real daemon with a folder of bombs, and good photos between them.

Every bomb becomes a sticker or fails with a reason, within limits on memory and processor time; no worker dies of one; the
good photos are done. With FOLDER, all its files are added, and their results are counted.
"""
import argparse
import collections
import os
import pathlib
import re
import shutil
import sys
import tempfile

import bombs
import gauge
import photos
from daemon import Broken, Daemon

MAX_WORKER_PEAK = (150 + 100) << 10  # kB: limits.maxMemory, and what a worker has without a photo
MAX_DAEMON_PEAK = 80_000  # kB
MAX_DAEMON_GROWTH = 12_000  # kB, from the first photos to the end
LIMIT = 900  # seconds in all
PHOTO_LIMIT = 20  # seconds of the processor, which the daemon counts; the default is 30
#: How many good photos come before everything else.
FIRST = 5
ENDED = ("done", "duplicate", "noSubject", "failed", "ignored")


class Hostile:
    def __init__(self, options):
        self.daemon = Daemon(options.stickerd, tempfile.mkdtemp(prefix="hostile-"), {
            "sticker.size": 96, "limits.secondsPerPhoto": PHOTO_LIMIT})
        self.bombs, self.good = bombs.all_bombs(), []
        others = sorted(pathlib.Path(root, name) for root, _, names in os.walk(options.folder or "") for name in names)
        self.others = {f"other {index}": path for index, path in enumerate(others)}
        self.problems = []

    def run(self):
        self.daemon.start()
        for number in range(FIRST):
            self.put_good(2000 + number)
        self.daemon.wait(lambda: self.ended() >= FIRST)
        self.early = gauge.fields(self.daemon.process.pid)["VmRSS"]
        meter = gauge.Gauge(lambda: (self.daemon.process.pid, 0), 0.1)
        for number, (name, (_, pieces)) in enumerate(self.bombs.items()):
            bombs.write(self.daemon.inbox / name, pieces)
            self.put_good(number)
        for number, (name, path) in enumerate(self.others.items()):
            shutil.copyfile(path, self.daemon.inbox / name)
            if number % 10 == 0:
                self.put_good(1000 + number)
        expected = len(self.bombs) + len(self.good) + len(self.others)
        try:
            try:
                self.daemon.wait(lambda: self.ended() >= expected, LIMIT)
            finally:
                meter.stop()
            if ending := self.daemon.stop():
                self.problems.append(f"the daemon ended with {ending}")
        except Broken as broken:
            self.problems.append(f"the daemon: {broken}")
        self.judge(meter)

    def ended(self):
        counts = self.daemon.photos()
        return sum(counts.get(state, 0) for state in ENDED)

    def put_good(self, number):
        self.good.append(f"good {number}.png")
        (self.daemon.inbox / self.good[-1]).write_bytes(photos.subject(number))

    def judge(self, meter):
        stories = {name: self.daemon.explain(name) for name in (*self.bombs, *self.good, *self.others)}
        states = {name: ending(story) for name, story in stories.items()}
        for name, (harmless, _) in self.bombs.items():
            state, reason = states.get(name, (None, None))
            print(f"{name}: {state}{': ' + reason if reason else ''}")
            isRight = bombs.REASONS.get(name, "") in (reason or "")
            if (state in ("done", "noSubject", "duplicate")) != harmless or state not in ENDED or not isRight:
                self.problems.append(f"{name}: {state}, {reason}")
            self.check_reason(name, state, reason)
        for name in self.good:
            if states.get(name, (None,))[0] != "done":
                self.problems.append(f"{name}: {states.get(name)}")
        tally, reasons = collections.Counter(), collections.Counter()
        for name, path in self.others.items():
            state, reason = states.get(name, (None, None))
            tally[state] += 1
            reasons[re.sub(r"\d+", "N", reason or state or "none")] += 1
            self.check_reason(path, state, reason)
        if self.others:
            print(f"{len(self.others)} files of the folder: {dict(tally)}")
            for reason, count in reasons.most_common():
                print(f"    {count:4}  {reason}")
        longest, name = max((seconds, name) for name, story in stories.items() for seconds in durations(story))
        self.problems += [
            f"{entry}: its reason is not one line" for entry in self.daemon.packs()["."]["failed"] if "\n" in entry["reason"]]
        log = self.daemon.log.read_text(errors="replace")
        self.problems += [line for line in log.splitlines() if "A worker died" in line]
        worker, daemon = meter.peak("worker_peak"), meter.peak("peak")
        growth = meter.samples[-1].memory - self.early
        print(f"{len(self.bombs)} bombs, {len(self.good)} good photos, {len(self.others)} others; longest {longest:.1f} s "
              f"({name}); worker at most {worker} kB; daemon at most {daemon} kB, {growth:+} kB from beginning to end")
        for value, limit, what in (
            (worker, MAX_WORKER_PEAK, "worker"), (daemon, MAX_DAEMON_PEAK, "daemon"),
            (growth, MAX_DAEMON_GROWTH, "daemon's growth")):
            if value > limit:
                self.problems.append(f"{what}: {value} kB, more than {limit}")

    def check_reason(self, name, state, reason):
        if state == "failed" and (not reason or "worker" in reason or "timed out" in reason):
            self.problems.append(f"{name}: failed with {reason!r}")
        elif state not in ENDED:
            self.problems.append(f"{name}: {state}")


def ending(story):
    """State and reason of a photo."""
    state, _, reason = dict(story).get("state", "").partition(": ")
    return state or None, reason or None


def durations(story):
    """How many seconds each attempt took."""
    return [float(text.split(", ", 1)[1].split(" s: ")[0]) for word, text in story if word == "tried" and " s: " in text]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("stickerd")
    parser.add_argument("folder", nargs="?")
    hostile = Hostile(parser.parse_args())
    try:
        hostile.run()
    finally:
        hostile.daemon.kill()
    for problem in hostile.problems[:40]:
        print(f"FAILED: {problem}")
    if hostile.problems:
        print(f"FAILED: {len(hostile.problems)} problems; see {hostile.daemon.root}")
        return 1
    shutil.rmtree(hostile.daemon.root)
    print("hostile: passed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
