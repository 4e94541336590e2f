"""A list of operations as a file, and its replay and reduction.

The first line of the file is an object with the settings; each further line is a list, an operation's name and its arguments.
"""

import json
import os
import shutil
import tempfile
import time

import operations
import settling
from daemon import Broken
from levels import Ledger
from world import World


class Run:
    """A world to which operations are done, one after another."""

    def __init__(self, stickerd, settings):
        self.folder = tempfile.mkdtemp(prefix="stress-")
        os.chmod(self.folder, 0o755)
        # The daemon's user may be unable to enter the folder that the program is in.
        program = os.path.join(self.folder, "stickerd")
        try:
            os.link(stickerd, program)
        except OSError:
            shutil.copy(stickerd, program)
        self.world = World(program, os.path.join(self.folder, "world"), settings)
        self.ledger = Ledger(self.world)
        self.settles = 0

    def do(self, name, *arguments):
        if name == "settle":
            self.settles += 1
            settling.settle(self.world, self.ledger)
            return
        try:
            operations.OPERATIONS[name][0](self.world, *arguments)
        except OSError:
            pass  # Impossible, because something else was done before.

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.world.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


def replay(stickerd, settings, steps):
    """What breaks, or None; and the number of the operation that showed it."""
    with Run(stickerd, settings) as run:
        for number, step in enumerate(steps):
            try:
                run.do(*step)
            except Broken as broken:
                return str(broken), number
    return None, len(steps)


def read(path):
    with open(path) as file:
        head, *steps = (json.loads(line) for line in file if line.strip())
    return head, steps


def text(settings, steps):
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in [settings, *steps])


def kind(problem):
    """What a problem is about, to tell it from another one that a shorter scenario may have."""
    return problem.split(":")[0]


def shrink(stickerd, settings, steps, problem, seconds):
    """The fewest operations that still break the same rule, as far as this is found in time (delta debugging)."""
    end = time.monotonic() + seconds
    last = steps[-1:] if steps[-1][0] == "settle" else [["settle"]]
    steps = [step for step in steps if step not in last] if breaks(
        stickerd, settings, [step for step in steps if step not in last] + last, problem) else steps[:-1]
    size = max(len(steps) // 2, 1)
    while time.monotonic() < end:
        for start in range(0, len(steps), size):
            fewer = steps[:start] + steps[start + size:]
            if time.monotonic() > end:
                break
            if breaks(stickerd, settings, fewer + last, problem):
                steps = fewer
                break
        else:
            if size == 1:
                break
            size = max(size // 2, 1)
    return steps + last


def breaks(stickerd, settings, steps, problem):
    found, _ = replay(stickerd, settings, steps)
    return found is not None and kind(found) == kind(problem)
