#!/usr/bin/env python3
"""steady.py [PART...]: runs each part that waits, kills or measures 20 times in a row, those that take over two minutes 8
times, with one core kept busy by another program, and prints how often each failed and which tests did. After an
interruption it continues, if program and tests are unchanged. `make test-steady` runs it.
"""

import collections
import concurrent.futures
import hashlib
import json
import os
import re
import subprocess
import sys
import time

import gate
import parts
from parts import ROOT, SKIPPED

RUNS, RUNS_OF_LONG, LONG = 20, 8, 120
FAILED = re.compile(r"^\W*(?:✘ Test (?!run with)(.*?) (?:failed|recorded)|FAILED:? (.*)|(BROKEN.*)|FAILED ([\w./:\[\]-]+))", re.M)


def inputs():
    """Identifies program and tests."""
    names = subprocess.run(["git", "ls-files", "Sources", "Tests", "Package.swift"], cwd=ROOT, check=True, capture_output=True)
    total = hashlib.sha256()
    for name in names.stdout.split():
        path = ROOT / os.fsdecode(name)
        total.update(name + b"\0" + (path.read_bytes() if path.exists() else b""))
    return total.hexdigest()[:16]


def main(names):
    folder = ROOT / ".build/steady" / inputs()
    folder.mkdir(parents=True, exist_ok=True)
    state = folder / "runs.json"
    runs = collections.defaultdict(list, json.loads(state.read_text()) if state.exists() else {})
    chosen = [part for part in parts.PARTS if (part.name in names if names else part.waits)]
    if not gate.Run([part for part in parts.BUILDS if part.kind == "builds"]).all():
        sys.exit(1)
    busy = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    os.sched_setaffinity(busy.pid, {min(os.sched_getaffinity(0))})
    # As many as in the gate, so that they disturb each other as they do there.
    lanes = concurrent.futures.ThreadPoolExecutor(gate.AT_ONCE)
    running = {}
    try:
        while True:
            # The part with the fewest runs is next, so that an interrupted run has tried every part.
            left = [part for part in chosen if part not in running.values() and not is_complete(runs[part.name])]
            for part in sorted(left, key=lambda part: len(runs[part.name]))[:gate.AT_ONCE - len(running)]:
                running[lanes.submit(once, part, len(runs[part.name]) + 1, folder)] = part
            if not running:
                break
            for ended in concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED).done:
                runs[running.pop(ended).name].append(ended.result())
            state.write_text(json.dumps(runs))
    except KeyboardInterrupt:
        print("Interrupted; the next call continues.")
        lanes.shutdown(wait=False, cancel_futures=True)
        for process in list(gate.LIVE):
            gate.end(process)
    finally:
        busy.kill()
    print(f"\n{'part':24}{'runs':>6}{'failed':>8}{'seconds':>9}  tests that failed")
    for part in chosen:
        done = runs[part.name]
        tests = collections.Counter(test for run in done for test in run["tests"])
        print(f"{part.name:24}{len(done):6}{sum(run['failed'] for run in done):8}{mean(done):9.0f}  "
              + ("; ".join(f"{test} ({count})" for test, count in tests.most_common()) or "–"))
    sys.exit(any(run["failed"] for part in chosen for run in runs[part.name]))


def mean(done):
    return sum(run["seconds"] for run in done) / len(done) if done else 0


def is_complete(done):
    return done and done[-1]["skipped"] or len(done) >= (RUNS_OF_LONG if mean(done) > LONG else RUNS)


def once(part, number, folder):
    """One run, with the tests that failed. Keeps the output of those that failed."""
    log = folder / f"{re.sub('[^a-z0-9]+', '-', part.name.lower())}-{number}.log"
    began = time.monotonic()
    status, text = gate.execute(part, log)
    failed, seconds = status not in (0, SKIPPED), time.monotonic() - began
    tests = sorted({next(filter(None, match)) for match in FAILED.findall(text)}) if failed else []
    if not failed:
        log.unlink()
    print(f"{part.name} {number}: {'FAILED ' + '; '.join(tests) if failed else 'passed'} ({seconds:.0f} s)", flush=True)
    return {"seconds": seconds, "failed": failed, "skipped": status == SKIPPED, "tests": tests}


if __name__ == "__main__":
    main(sys.argv[1:])
