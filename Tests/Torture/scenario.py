"""A list of operations as a file, and its replay and reduction.

The first line of the file is an object with the settings; each further line is a list, an operation's name and its arguments.
"""

import json
import os
import shutil
import tempfile
import time

# These register their operations.
import in_inbox
import in_outbox
import kinds_of_files
import settling
import with_daemon
from operations import OPERATIONS
from daemon import Broken
from levels import Ledger
from world import World

#: Seconds to wait in a replay for what did not become right in the longer time before.
SHORT_PATIENCE = 12


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
            OPERATIONS[name][0](self.world, *arguments)
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
    """The fewest operations that still break the same rule, as far as they are found in time (delta debugging)."""
    end = time.monotonic() + seconds
    settling.PATIENCE = min(settling.PATIENCE, SHORT_PATIENCE)
    *steps, last = steps

    def fails(fewer):
        return time.monotonic() < end and breaks(stickerd, settings, [*fewer, last], problem)

    if fails(fewer := [step for step in steps if step != ["settle"]]):
        steps = fewer
    size = len(steps) // 2
    while size and time.monotonic() < end:
        start, count = 0, len(steps)
        while start < len(steps):
            if fails(fewer := steps[:start] + steps[start + size:]):
                steps = fewer
            else:
                start += size
        # Without one operation, another one may be unnecessary, too.
        size = size // 2 if size > 1 else len(steps) < count
    return [*steps, last]


def breaks(stickerd, settings, steps, problem):
    found, _ = replay(stickerd, settings, steps)
    return found is not None and kind(found) == kind(problem)
