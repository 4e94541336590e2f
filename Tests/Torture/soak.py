#!/usr/bin/env python3
"""soak.py [--photos N] [--minutes M] [--originals keep|archive] STICKERD: years of use in half an hour.

Small drawn photos arrive in bursts and are renamed, moved, overwritten, deleted, finished later; the daemon is restarted
and sometimes killed. At the end, every photo is accounted for, and memory and descriptors must not have grown.
"""
import argparse
import os
import pathlib
import random
import shutil
import signal
import sys
import tempfile
import time

import gauge
import ledger
import traffic
from daemon import PATIENCE, Broken, Daemon

# Measured over 50,000 photos; see Docs/Reliability.md.
MAX_DAEMON_PEAK = 110_000  # kB; briefly, while the files of a pack of 10,000 are written
MAX_WORKER_PEAK = 120_000  # kB
# 28 when idle; 18 photos in progress (two workers and 16 ahead), each with its file, two folders and two drafts; and the
# files and folders of a rescan, an index and a ZIP.
MAX_DESCRIPTORS = 130
# Growth in the process that handled most photos, after its first fifth. Fewer photos show no trend.
MAX_MEMORY_SLOPE = 600  # kB per 1,000 photos
MAX_DESCRIPTOR_SLOPE = 0.1  # per 1,000 photos
MIN_PHOTOS_FOR_SLOPE = 5_000

# All restarts are in the first part, so that one process runs for the rest.
RESTARTING_PART = 0.4
KILLED_OF_RESTARTS = 0.25
# With this many pending photos, the next burst waits.
MAX_BACKLOG = 4000


class Soak:
    def __init__(self, options):
        self.options, self.short = options, options.minutes < 5
        self.dice = random.Random(options.seed)
        moves = options.originals == "archive"
        work = pathlib.Path(tempfile.mkdtemp(prefix="soak-"))
        self.archive, self.failed = work / "archive", work / "failed"
        self.rescan = 10 if self.short else 120
        self.daemon = Daemon(options.stickerd, work, {
            "sticker.size": 96, "watch.rescanSeconds": self.rescan, "limits.minFreeBytes": 1 << 20,
            "originals.mode": options.originals, "originals.archive": self.archive, "originals.failed": self.failed,
            "whenPhotoRemoved": "keep" if moves else "withdraw"})
        self.traffic = traffic.Traffic(self.daemon.inbox, work / "taken", self.dice, moves)
        self.pending = self.starts = self.kills = 0
        self.problems = []

    def start(self):
        self.starts += 1
        self.daemon.start()

    def stop(self, how=signal.SIGTERM):
        try:
            ending = self.daemon.stop(how)
        except Broken as broken:
            self.problems.append(f"the daemon: {broken}")
            return
        if ending != (-how if how == signal.SIGKILL else 0):
            self.problems.append(f"the daemon ended with {ending} on {how.name}")

    def look(self):
        """For the gauge: the process, and how many photos it and its predecessors have handled."""
        if status := self.daemon.status():
            self.pending = status["photos"]["pending"] + status["photos"]["processing"]
            return self.daemon.process.pid, self.traffic.arrived - self.pending
        return None

    def say(self, text):
        print(f"{time.monotonic() - self.began:7.1f} s  {text}", flush=True)

    def run(self):
        self.began = time.monotonic()
        seconds = self.options.minutes * 60
        self.start()
        meter = gauge.Gauge(self.look, 1 if self.short else 5)
        restarts = max(3, round(self.options.minutes * 0.8))
        due = [RESTARTING_PART * self.options.photos * (i + 1) / restarts for i in range(restarts)]
        reported = 0
        while self.traffic.arrived < self.options.photos:
            # Bursts of very different sizes, spread evenly over the available time.
            size = min(round(self.dice.paretovariate(1.2) * 8), 1500, self.options.photos - self.traffic.arrived)
            self.traffic.burst(size)
            while (
                time.monotonic() - self.began < seconds * self.traffic.arrived / self.options.photos
                or self.pending > MAX_BACKLOG
            ):
                self.traffic.finish_due()
                time.sleep(0.05)
                if not self.daemon.is_running():
                    break
            if not self.daemon.is_running():
                self.problems.append(f"the daemon ended by itself: {self.daemon.process.returncode}")
                self.start()
            if due and self.traffic.arrived >= due[0]:
                due.pop(0)
                killed = self.dice.random() < KILLED_OF_RESTARTS
                self.kills += killed
                self.stop(signal.SIGKILL if killed else signal.SIGTERM)
                self.start()
            if self.traffic.arrived >= reported + self.options.photos / 20:
                reported = self.traffic.arrived
                last = meter.samples[-1] if meter.samples else None
                self.say(f"{reported} photos, {self.pending} waiting" + (
                    f", daemon {last.memory} kB, {last.descriptors} descriptors, worker {last.worker_memory} kB"
                    if last else ""))
        time.sleep(traffic.PAUSE_IN_FILE)
        self.traffic.finish_due(everything=True)
        self.say(f"all {self.traffic.arrived} photos are there; waiting for the rest")
        self.drain()
        meter.stop()
        self.say("drained")
        self.verify("while it runs", PATIENCE)
        self.stop()
        self.account()
        self.verify("stopped")
        self.report(meter)

    def drain(self):
        """Waits until no photo is pending and every photo is accounted for, which may take another rescan: it finds that a file
        was deleted while in progress."""
        end = time.monotonic() + 900
        while not self.daemon.is_idle() or self.differences():
            if time.monotonic() > end:
                # `account` says what is different.
                return self.problems.append("photos still wait, or differ, after fifteen minutes")
            time.sleep(1)

    def differences(self):
        if self.options.originals == "archive":
            return ledger.check_originals(self.traffic, self.archive, self.failed) + ledger.check_stickers(
                self.daemon, set(), others_allowed=True) + self.archived_without_sticker()
        return ledger.check_inbox(self.traffic, self.daemon) + ledger.check_stickers(
            self.daemon, ledger.expected_stickers(self.traffic))

    def account(self):
        self.problems += self.differences()
        folders = [self.daemon.outbox]
        if self.options.originals == "archive":
            folders += [self.daemon.inbox, self.archive, self.failed]
        self.problems += ledger.check_leftovers(*folders)

    def archived_without_sticker(self):
        made = {sticker["id"] for pack in self.daemon.packs().values() for sticker in pack["stickers"]}
        return [
            f"{photo}: is archived, and has no sticker"
            for photo, count in self.traffic.dropped.items()
            if photo.kind == "subject" and count > self.traffic.lifted[photo] and f"sha256:{photo.sha256}" not in made
        ]

    def verify(self, when, patience=0):
        """`patience`: for so many seconds, a daemon may still be writing files of packs whose stickers it has listed."""
        end = time.monotonic() + patience
        while (complaint := self.daemon.verify(seconds=600)) and time.monotonic() < end:
            time.sleep(0.2)
        if complaint:
            self.problems += [f"verify ({when}): {line}" for line in complaint.splitlines()]
        else:
            self.say(f"verify ({when}): nothing found")

    def report(self, meter):
        steady = meter.settled()
        photos = steady[-1].photos - steady[0].photos
        memory = gauge.slope([(s.photos / 1000, s.memory) for s in steady])
        workers = gauge.slope([(s.photos / 1000, s.worker_memory) for s in steady])
        descriptors = gauge.slope([(s.photos / 1000, s.descriptors) for s in steady])
        peak, worker_peak = meter.peak("peak"), meter.peak("worker_peak")
        most = meter.peak("descriptors")
        seconds = time.monotonic() - self.began
        stickers = (self.daemon.status() or {}).get("stickers")
        print(f"{self.traffic.arrived} photos in {seconds / 60:.1f} min ({dict(self.traffic.counts)}),")
        print(f"{self.starts} starts, {self.kills} of them after kill -9; {len(self.traffic.here)} photos, {stickers} stickers at the end")
        print(f"daemon: peak {peak} kB, {memory:+.1f} kB per 1,000 photos over {photos} photos in one process")
        print(f"worker: peak {worker_peak} kB, {workers:+.1f} kB per 1,000 photos")
        print(f"descriptors: at most {most}, {descriptors:+.3f} per 1,000 photos")
        if peak > MAX_DAEMON_PEAK:
            self.problems.append(f"the daemon took {peak} kB, more than {MAX_DAEMON_PEAK}")
        if worker_peak > MAX_WORKER_PEAK:
            self.problems.append(f"a worker took {worker_peak} kB, more than {MAX_WORKER_PEAK}")
        if most > MAX_DESCRIPTORS:
            self.problems.append(f"{most} descriptors, more than {MAX_DESCRIPTORS}")
        if photos >= MIN_PHOTOS_FOR_SLOPE:
            if memory > MAX_MEMORY_SLOPE:
                self.problems.append(f"the daemon grows by {memory:.1f} kB per 1,000 photos")
            if descriptors > MAX_DESCRIPTOR_SLOPE:
                self.problems.append(f"the daemon keeps {descriptors:.3f} more descriptors per 1,000 photos")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("stickerd")
    parser.add_argument("--photos", type=int, default=600)
    parser.add_argument("--minutes", type=float, default=0.6, help="over which the photos arrive")
    parser.add_argument("--originals", choices=["keep", "archive"], default="keep")
    parser.add_argument("--seed", type=int, default=int(os.environ.get("TORTURE_SEED") or random.randrange(1 << 32)))
    options = parser.parse_args()
    soak = Soak(options)
    print(f"soak: {options.photos} photos in {options.minutes} min, originals {options.originals}, seed {options.seed}", flush=True)
    try:
        soak.run()
    finally:
        soak.daemon.kill()
    if soak.problems:
        for problem in soak.problems[:40]:
            print(f"FAILED: {problem}")
        print(f"FAILED: {len(soak.problems)} problems; see {soak.daemon.root}")
        return 1
    shutil.rmtree(soak.daemon.root)
    print("soak: every photo is accounted for")
    return 0


if __name__ == "__main__":
    sys.exit(main())
