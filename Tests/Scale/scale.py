#!/usr/bin/env python3
"""scale.py STICKERD SCALE [--sizes N,N...] [--workers N,N...] [--plots DIR] [--scratch DIR]: measures how costs grow.

1. Calls of a Library of 100, 1,000, ... 1,000,000 files, filled by SQL, in memory: the calls' own cost without the disk's.
2. A daemon with as many known files in one folder: the time until READY=1, the duration of a rescan compared with find(1)
   in the same minute, and the peak of its memory.
3. The daemon's parts with 1, 2, 4, ... 64 workers that only sleep, and the disk's fsync rate.

Prints a table with limits, and draws the numbers into DIR (plot.py). Exits with status 1 if a limit is
exceeded. A busy machine makes times meaningless.
"""

import argparse
import itertools
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import socket
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

import plot

#: Milliseconds of one call.
CALL_LIMIT = 1
#: Milliseconds from a process's start to READY=1.
READY_LIMIT = 100
#: Times find(1).
RESCAN_LIMIT = 1.5
#: Millions of bytes.
MEMORY_LIMIT = 120
#: Photos per second that are enough, whatever the disk.
RATE_LIMIT = 1000
#: The calls that have a limit.
CALLS = ("claim", "resolve", "finish", "count", "list")
#: Seconds.
PATIENCE = 120
#: Starts of a daemon with each size.
STARTS = 3

FILL = """
CREATE TEMP TABLE n AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :files) SELECT i FROM n;
INSERT INTO recipe VALUES ('r', '{}', :now) ON CONFLICT DO NOTHING;
INSERT INTO pack (name, folder, revision, folded) VALUES ('P', 'P', 1, 'p');
INSERT INTO photo (sha256, format, width, height, bytes, firstSeen) SELECT printf('%064x', i), 'jpeg', 40, 30, 5, :now FROM n;
-- Every tenth waits, a few failed or have no subject, the others are done.
INSERT INTO file (path, folder, pack, device, inode, size, modified, changed, arrival, state, photo, stateSince)
    SELECT printf('P/%d/%d.jpg', i % 1000, i), printf('P/%d', i % 1000), 'P', 1, i, 5, 6, 7, i,
        CASE WHEN i % 10 = 0 THEN 'pending' WHEN i % 1000 = 1 THEN 'failed' WHEN i % 1000 = 2 THEN 'noSubject' ELSE 'done' END,
        iif(i % 10 = 0, NULL, printf('%064x', i)), :now FROM n;
INSERT INTO attempt (file, started, finished, outcome) SELECT id, stateSince, stateSince, state FROM file WHERE state <> 'pending';
INSERT INTO result (photo, recipe, outcome, confidence, finished)
    SELECT photo, 'r', state, 0.9, stateSince FROM file WHERE photo IS NOT NULL;
INSERT INTO sticker (pack, photo, ordinal, source, recipe, arrival, file, width, height, bytes, sha256, confidence, added,
        published, thumbnail)
    SELECT 'P', photo, 0, id, 'r', arrival, id || '.png', 40, 30, 9, 's', 0.9, stateSince, 1, id || '.webp'
    FROM file WHERE state = 'done';
INSERT INTO palette (pack, photo, stem) SELECT pack, photo, id FROM file WHERE state = 'done';
"""
NOW = "2026-01-01 00:00:00.000"


def connect(state):
    """The Library in a folder, for writing without regard to crashes."""
    database = sqlite3.connect(state / "library" / "library.sqlite")
    for pragma in ("journal_mode = OFF", "synchronous = OFF", "cache_size = -200000"):
        database.execute(f"PRAGMA {pragma}")
    return database


def create(scale, state, outbox):
    """An empty Library in the present schema."""
    state.mkdir(parents=True)
    subprocess.run([scale, "calls", "--folder", state, "--outbox", outbox, "--rounds", "0"], check=True, stdout=subprocess.DEVNULL)


def calls(scale, files):
    """{call: [median, 99th percentile, average processor time] in milliseconds} in a Library of so many files."""
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        state = pathlib.Path(folder) / "state"
        create(scale, state, "/outbox")
        database = connect(state)
        for statement in FILL.split(";\n"):
            database.execute(statement, {key: value for key, value in (("files", files), ("now", NOW)) if f":{key}" in statement})
        database.commit()
        database.close()
        command = [scale, "calls", "--folder", state, "--outbox", "/outbox"]
        return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def grow(inbox, before, files):
    """Adds files to the inbox: complete, with a size, but without blocks on the disk."""
    folder = os.open(inbox, os.O_RDONLY)
    for number in range(before, files):
        file = os.open(f"photo-{number:07}.jpg", os.O_CREAT | os.O_WRONLY, 0o644, dir_fd=folder)
        os.truncate(file, 5)
        os.close(file)
    os.close(folder)


def know(scale, state, outbox, inbox):
    """A Library that knows all files of the inbox; none of them has a sticker."""
    create(scale, state, outbox)

    def rows():
        with os.scandir(inbox) as entries:
            for number, entry in enumerate(entries, 1):
                status = entry.stat()
                yield (entry.name, status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns, number, NOW)

    database = connect(state)
    database.executemany(
        "INSERT INTO file (path, folder, pack, device, inode, size, modified, changed, arrival, state, stateSince)"
        " VALUES (?, '', '', ?, ?, ?, ?, ?, ?, 'noSubject', ?)", rows())
    database.commit()
    database.close()


def find(inbox):
    """Seconds, and seconds of processor time."""
    start, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(["find", inbox, "-printf", "%i %s %T@ %C@\n"], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.monotonic() - start, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def processor_time(process):
    """Seconds of processor time of all its threads (/proc/PID/schedstat has those of one)."""
    threads = pathlib.Path(f"/proc/{process.pid}/task").glob("*/schedstat")
    return sum(int(thread.read_text().split()[0]) for thread in threads) / 1e9


class Notifications:
    """The service manager's end of sd_notify(3)."""

    def __init__(self):
        self.name = f"@stickerd-scale-{os.getpid()}"
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind("\0" + self.name[1:])
        self.socket.settimeout(PATIENCE)

    def wait(self):
        while b"READY=1" not in self.socket.recv(4096).split(b"\n"):
            pass

    def close(self):
        self.socket.close()


def start(stickerd, inbox, outbox, state):
    """Starts a daemon. Returns seconds until READY=1, and from there to the end of its first scan, each also in processor
    time, and its peak memory in millions of bytes."""
    notifications = Notifications()
    environment = {"HOME": str(state), "PATH": "/usr/bin:/bin", "NOTIFY_SOCKET": notifications.name, "STICKERD_LOG_LEVEL": "debug",
        "STICKERD_WORKERS": "1", "LD_LIBRARY_PATH": os.environ.get("LD_LIBRARY_PATH", "")}
    log = state.parent / "log"
    began = time.monotonic()
    with open(log, "wb") as errors:
        process = subprocess.Popen(
            [stickerd, "run", "--inbox", inbox, "--outbox", outbox, "--state", state], env=environment, stderr=errors)
    try:
        notifications.wait()
        ready, ready_used = time.monotonic() - began, processor_time(process)
        while "Read the inbox" not in log.read_text():
            if process.poll() is not None or time.monotonic() - began > PATIENCE:
                sys.exit(f"scale: no scan within {PATIENCE} s; see {log}")
            time.sleep(0.005)
        scan, scan_used = time.monotonic() - began - ready, processor_time(process) - ready_used
        # The work after the scan.
        time.sleep(1)
        peak = re.search(r"VmHWM:\s+(\d+) kB", pathlib.Path(f"/proc/{process.pid}/status").read_text())
        return {
            "ready": ready, "ready used": ready_used, "scan": scan, "scan used": scan_used, "peak": int(peak[1]) * 1024 / 1e6}
    finally:
        notifications.close()
        process.send_signal(signal.SIGTERM)
        process.wait()


def daemon(stickerd, scale, scratch, files, before):
    inbox, outbox, state = scratch / "inbox", scratch / "outbox", scratch / "state"
    grow(inbox, before, files)
    shutil.rmtree(state, ignore_errors=True)
    know(scale, state, outbox, inbox)
    find(inbox)  # The first one after files were made reads their inodes from the disk.
    rounds = []
    for _ in range(STARTS):
        time_of_find, used_by_find = find(inbox)
        rounds.append({"find": time_of_find, "find used": used_by_find} | start(stickerd, inbox, outbox, state))
    times = ("ready", "ready used", "scan", "scan used", "find", "find used")
    return {name: statistics.median(r[name] for r in rounds) * 1000 for name in times} | {
        "ratio": statistics.median(r["scan"] / r["find"] for r in rounds), "peak": max(r["peak"] for r in rounds)}


def simulation(scale, scratch, workers):
    """One entry for each number of workers."""
    command = [scale, "simulation", "--folder", scratch, "--workers", ",".join(map(str, workers))]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return [json.loads(line) for line in output.splitlines()]


class Report:
    def __init__(self):
        self.rows, self.misses = [], 0

    def add(self, name, measured, limit, unit, remark="", at_least=False):
        kept = measured >= limit if at_least else measured <= limit
        self.misses += not kept
        sign = "≥" if at_least else "≤"
        self.rows.append((name, f"{sign} {limit:.4g} {unit}", f"{measured:.4g} {unit}", "ok" if kept else "MISSED", remark))

    def __str__(self):
        widths = [max(len(row[column]) for row in self.rows) for column in range(4)]
        return "\n".join("  ".join(cell.ljust(width) for cell, width in itertools.zip_longest(row, widths, fillvalue=0)).rstrip()
            for row in self.rows)


def check(results):
    report = Report()
    for size, times in results["calls"].items():
        for call in CALLS:
            report.add(f"{call}, {int(size):,} files", times[call][0], CALL_LIMIT, "ms", f"median; 99 % within {times[call][1]:.2f}; processor {times[call][2]:.2f}")
    sizes = list(results["daemon"])
    for size in sizes:
        one = results["daemon"][size]
        report.add(f"READY, {int(size):,} known files", one["ready"], READY_LIMIT, "ms",
            f"processor {one['ready used']:.0f}")
        report.add(f"daemon's peak, {int(size):,} known files", one["peak"], MEMORY_LIMIT, "MB", "VmHWM")
    for size in sizes[-1:]:
        one = results["daemon"][size]
        report.add(f"rescan, {int(size):,} known files", one["ratio"], RESCAN_LIMIT, "× find",
            f"{one['scan']:.0f} ms, find {one['find']:.0f} ms; processor {one['scan used']:.0f} and {one['find used']:.0f}")
    for one in results["workers"][-1:]:
        enough = min(RATE_LIMIT, one["fsyncs"] / 2)
        report.add(f"{one['workers']} sleeping workers", one["photos"], enough, "photos/s",
            f"{one['fsyncs']:.0f} fsyncs/s; {one['processor']:.2f} ms of the daemon's processor time for each", at_least=True)
    return report


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("stickerd", type=os.path.realpath)
    parser.add_argument("scale", type=os.path.realpath)
    numbers = lambda text: [int(word) for word in text.split(",") if word]  # noqa: E731
    parser.add_argument("--sizes", type=numbers, default=[100, 1_000, 10_000, 100_000, 1_000_000])
    parser.add_argument("--workers", type=numbers, default=[1, 2, 4, 8, 16, 32, 64])
    parser.add_argument("--scratch", type=pathlib.Path, default=pathlib.Path(".build-scale"))
    parser.add_argument("--plots", type=pathlib.Path, default=pathlib.Path("."), help="where the plots go")
    options = parser.parse_args()
    scratch = options.scratch.absolute()
    shutil.rmtree(scratch, ignore_errors=True)
    for name in ("inbox", "outbox"):
        (scratch / name).mkdir(parents=True)
    results = {"calls": {}, "daemon": {}, "workers": []}
    before = 0
    try:
        for size in options.sizes:
            results["calls"][size] = calls(options.scale, size)
            print(f"{size:,} files: {results['calls'][size]}", file=sys.stderr, flush=True)
        for size in options.sizes:
            results["daemon"][size] = daemon(options.stickerd, options.scale, scratch, size, before)
            before = size
            print(f"{size:,} known files: {results['daemon'][size]}", file=sys.stderr, flush=True)
        if options.workers:
            results["workers"] = simulation(options.scale, scratch, options.workers)
        plot.draw(results, options.plots)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    report = check(results)
    print(report)
    sys.exit(report.misses > 0)


if __name__ == "__main__":
    main()
