#!/usr/bin/env python3
"""hostile.py STICKERD [FOLDER]: a real daemon with a folder of bombs, and good photos between them.

Every bomb becomes a sticker or fails with a reason, within the limits on time and memory; no worker dies of one; the good
photos are done. With FOLDER, all its files are added, and their results are counted.
"""
import argparse
import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

import bombs
import drawing
import gauge
import ledger

MAX_SECONDS = 20  # a photo; limits.secondsPerPhoto is 30
MAX_WORKER_PEAK = (150 + 100) << 10  # kB: limits.maxMemory, and what a worker has without a photo
MAX_DAEMON_PEAK = 80_000  # kB
MAX_DAEMON_GROWTH = 12_000  # kB, from the first photos to the end
LIMIT = 900  # seconds in all
ENDED = ("done", "duplicate", "noSubject", "failed", "ignored")


class Hostile:
    def __init__(self, options):
        self.stickerd, self.folder = os.path.abspath(options.stickerd), options.folder
        self.work = pathlib.Path(tempfile.mkdtemp(prefix="hostile-"))
        self.inbox, self.state = self.work / "inbox", self.work / "state"
        self.inbox.mkdir()
        self.problems = []
        self.daemon = None

    def run(self):
        self.bombs = bombs.all_bombs()
        others = sorted(pathlib.Path(root, name) for root, _, names in os.walk(self.folder or self.work / "none")
                        for name in names)
        self.others = {f"other {index}": path for index, path in enumerate(others)}
        config = self.work / "config.json"
        config.write_text(json.dumps({
            "inbox": str(self.inbox), "outbox": str(self.work / "outbox"), "state": str(self.state),
            "sticker": {"size": 96}}))
        with open(self.work / "log", "wb") as log:
            self.daemon = subprocess.Popen(
                [self.stickerd, "run", "--config", config], stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        meter = gauge.Gauge(lambda: (self.daemon.pid, 0), 0.1)
        self.good = []
        for number, (name, (_, pieces)) in enumerate(self.bombs.items()):
            bombs.write(self.inbox / name, pieces)
            self.put_good(number)
        for number, (name, path) in enumerate(self.others.items()):
            shutil.copyfile(path, self.inbox / name)
            if number % 10 == 0:
                self.put_good(1000 + number)
        expected = len(self.bombs) + len(self.good) + len(self.others)
        self.wait(expected)
        meter.stop()
        if self.daemon.poll() is None:
            self.daemon.terminate()
        if (ending := self.daemon.wait(60)) != 0:
            self.problems.append(f"the daemon ended with {ending}")
        self.judge(meter)

    def put_good(self, number):
        self.good.append(f"good {number}.png")
        (self.inbox / self.good[-1]).write_bytes(drawing.subject(number))

    def wait(self, expected):
        end = time.monotonic() + LIMIT
        while time.monotonic() < end and self.daemon.poll() is None:
            time.sleep(0.5)
            try:
                states = dict(ledger.rows(self.state, "SELECT state, files FROM tally"))
            except Exception:  # not made yet
                continue
            if sum(states.get(state, 0) for state in ENDED) >= expected:
                return
        self.problems.append("not all photos came to an end")

    def judge(self, meter):
        states = {
            ledger.unescaped(path): (state, reason)
            for path, state, reason in ledger.rows(self.state, "SELECT path, state, reason FROM file")}
        for name, (harmless, _) in self.bombs.items():
            state, reason = states.get(name, (None, None))
            print(f"{name}: {state}{': ' + reason if reason else ''}")
            if (state in ("done", "noSubject", "duplicate")) != harmless or state not in ENDED:
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
            print(f"{len(self.others)} files of {self.folder}: {dict(tally)}")
            for reason, count in reasons.most_common():
                print(f"    {count:4}  {reason}")
        spans = ledger.rows(
            self.state, "SELECT path, julianday(finished) - julianday(started) FROM attempt JOIN file ON file.id = file "
            "WHERE finished IS NOT NULL")
        name, longest = max(((path, days * 86400) for path, days in spans), key=lambda span: span[1])
        if longest > MAX_SECONDS:
            self.problems.append(f"{name}: took {longest:.1f} s")
        log = (self.work / "log").read_text(errors="replace")
        self.problems += [line for line in log.splitlines() if "A worker ended early" in line]
        worker, daemon = meter.peak("worker_peak"), meter.peak("peak")
        early = max(sample.memory for sample in meter.samples[:20])
        growth = meter.samples[-1].memory - early
        print(f"{len(self.bombs)} bombs, {len(self.good)} good photos, {len(self.others)} others; longest {longest:.1f} s "
              f"({name}); worker at most {worker} kB; daemon at most {daemon} kB, {growth:+} kB from beginning to end")
        for value, limit, what in (
            (worker, MAX_WORKER_PEAK, "worker"), (daemon, MAX_DAEMON_PEAK, "daemon"),
            (growth, MAX_DAEMON_GROWTH, "daemon's growth")):
            if value > limit:
                self.problems.append(f"{what}: {value} kB, more than {limit}")

    def check_reason(self, name, state, reason):
        if state == "failed" and (not reason or "\n" in reason or "worker" in reason or "longer than" in reason):
            self.problems.append(f"{name}: failed with {reason!r}")
        elif state not in ENDED:
            self.problems.append(f"{name}: {state}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("stickerd")
    parser.add_argument("folder", nargs="?")
    hostile = Hostile(parser.parse_args())
    try:
        hostile.run()
    finally:
        if hostile.daemon and hostile.daemon.poll() is None:
            hostile.daemon.kill()
    for problem in hostile.problems[:40]:
        print(f"FAILED: {problem}")
    if hostile.problems:
        print(f"FAILED: {len(hostile.problems)} problems; see {hostile.work}")
        return 1
    shutil.rmtree(hostile.work)
    print("hostile: passed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
