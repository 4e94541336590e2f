#!/usr/bin/env python3
"""gate.py [PART...]: runs the gate's parts beside each other, and prints a line for each as it ends: what it tested, how
many tests, and how long. What a failed part printed follows its line. `make test` runs all.
"""

import collections
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import parts
from parts import ROOT, SKIPPED

LOGS = ROOT / ".build/gate"
#: How many parts run at once. Most wait half of their time, so there are more than cores.
AT_ONCE = int(os.environ.get("GATE_JOBS", 0)) or (os.cpu_count() or 2) + 2
#: Seconds after which a part is taken to hang.
LIMIT = 3600
#: The processes of the parts that are running.
LIVE = set()
FAILURE = re.compile(r"^\W*(✘|FAILED|BROKEN|ERROR|E  )|recorded an issue|error: |Failed|Traceback")


class Run:
    """One run of the gate: parts that wait, run, and have ended."""

    def __init__(self, chosen):
        self.waiting, self.running, self.ended = list(chosen), {}, {}
        self.change = threading.Condition()
        self.totals = collections.defaultdict(lambda: [0, 0, 0])
        self.began = time.monotonic()
        LOGS.mkdir(parents=True, exist_ok=True)

    def next_part(self):
        """The next part that can start now, and those that can never start because what they need failed."""
        names = {part.name for part in self.waiting} | self.running.keys()
        for part in list(self.waiting):
            if any(self.ended.get(need) is False for need in part.needs):
                self.waiting.remove(part)
                self.end(part, False, f"{part.name}: not run, because what it needs failed")
        for part in self.waiting:
            is_ready = not any(need in names for need in part.needs)
            is_free = not (part.builds and any(other.builds for other in self.running.values()))
            if is_ready and is_free and len(self.running) < AT_ONCE:
                return part
        return None

    def all(self):
        """Runs all parts. Returns whether none failed."""
        with self.change:
            while self.waiting or self.running:
                while part := self.next_part():
                    self.waiting.remove(part)
                    self.running[part.name] = part
                    threading.Thread(target=self.run, args=(part,), daemon=True).start()
                if self.running:
                    self.change.wait()
        return self.summary()

    def run(self, part):
        began = time.monotonic()
        status, text = execute(part, LOGS / f"{re.sub('[^a-z0-9]+', '-', part.name.lower())}.log")
        seconds = time.monotonic() - began
        counted = parts.counts(text)
        if status == SKIPPED:
            counted = (0, 0, 1)
        elif not any(counted) and part.kind != "builds":
            counted = (int(status == 0), int(status != 0), 0)
        elif status and not counted[1]:
            counted = (counted[0], 1, counted[2])
        last = text.strip().splitlines()[-1:] or [""]
        passed, failed, skipped = counted
        what = "SKIPPED:" + last[0].split("SKIPPED:")[-1] if status == SKIPPED else ", ".join(
            f"{number} {word}" for number, word in zip(counted, ("passed", "failed", "skipped")) if number) or "done"
        with self.change:
            del self.running[part.name]
            for place, number in enumerate(counted):
                self.totals[part.kind][place] += number
            self.end(part, status in (0, SKIPPED), f"{part.name}: {what} ({seconds:.0f} s)")
            if status not in (0, SKIPPED):
                lines = text.splitlines()
                print("\n".join([line for line in lines if FAILURE.search(line)][:60] + ["  …"] + lines[-25:]))
            sys.stdout.flush()
            self.change.notify()

    def end(self, part, is_fine, line):
        self.ended[part.name] = is_fine
        print(f"{'' if is_fine else 'FAILED '}{line}", flush=True)

    def summary(self):
        failures = [name for name, is_fine in self.ended.items() if not is_fine]
        for kind, (passed, failed, skipped) in self.totals.items():
            if kind != "builds":
                print(f"{kind}: {passed} passed" + f", {failed} failed" * bool(failed) + f", {skipped} skipped" * bool(skipped))
        if failures:
            print("Failed: " + ", ".join(failures))
        print(f"{time.monotonic() - self.began:.0f} s; the parts' output is in {LOGS.relative_to(ROOT)}/")
        passed, failed, skipped = map(sum, zip(*self.totals.values()))
        print(f"{passed} passed, {failed} failed, {skipped} skipped", flush=True)
        return not failures


def elevated():
    """What makes a command run as root, without a question: nothing for root, and None if it is impossible."""
    if os.geteuid() == 0:
        return ()
    can = shutil.which("sudo") and subprocess.run(["sudo", "-n", "true"], capture_output=True, check=False).returncode == 0
    return ("sudo", "-n") if can else None


def execute(part, log):
    """The exit status of a part, and what it printed."""
    command = part.command
    owner = os.environ.get("SUDO_USER")
    if part.needs_root:
        command = (*(elevated() or ()), *command)
    elif os.geteuid() == 0 and owner not in (None, "root"):
        # Files and toolchain belong to the calling user.
        inside = 'cd "$1" && shift && exec "$@"'
        added = [f"{name}={value}" for name, value in part.environment]
        command = ("sudo", "-u", owner, "-i", "sh", "-c", inside, "-", str(ROOT), "env", *added, *command)
    # SwiftPM and browsers leave files where temporary ones belong, and so does whatever is killed.
    temporary = tempfile.mkdtemp(prefix="gate-")
    # Some tests ask what another user may do there.
    os.chmod(temporary, 0o755)
    environment = os.environ | {"NO_COLOR": "1", "TMPDIR": temporary} | dict(part.environment)
    with open(log, "wb") as output:
        # A stricter mask is the caller's, not that of the program's users.
        process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
            start_new_session=True, umask=0o022)
        LIVE.add(process)
        try:
            status = process.wait(LIMIT)
        except subprocess.TimeoutExpired:
            end(process)
            status = process.wait()
        LIVE.discard(process)
    # What is mounted there is not the gate's to remove.
    subprocess.run(["rm", "-rf", "--one-file-system", temporary], stderr=subprocess.DEVNULL, check=False)
    text = log.read_text(errors="replace")
    return status, text if status >= 0 else f"{text}\nended by {signal.Signals(-status).name}"


def end(process):
    """Ends a part's processes."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        # Those of root end by themselves.
        pass


def main(names):
    chosen = [part for part in parts.PARTS if not names or part.name in names]
    if unknown := set(names) - {part.name for part in chosen}:
        sys.exit(f"unknown: {', '.join(unknown)}; known: {', '.join(part.name for part in parts.PARTS)}")
    try:
        sys.exit(0 if Run(chosen).all() else 1)
    except KeyboardInterrupt:
        for process in list(LIVE):
            end(process)
        sys.exit(130)


if __name__ == "__main__":
    main(sys.argv[1:])
