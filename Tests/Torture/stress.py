#!/usr/bin/env python3
"""stress.py STICKERD [--seconds 30] [--seed N] [--only NAME,…] [--scenario FILE]: random operations in an inbox, an
outbox and a daemon. Whenever the daemon is idle, what it made is compared with a fresh run. A failure is reduced to the
fewest operations, and printed as a file that --scenario replays. A seed repeats the choices only as far as the daemon
writes and moves the same files at the same time.
"""

import argparse
import os
import random
import sys
import time

import scenario
from chooser import Chooser
from daemon import Broken
from operations import NEED_ROOT, OPERATIONS

#: Operations between two comparisons.
LONGEST = 10


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("stickerd")
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--seed", type=int, default=int(os.environ.get("TORTURE_SEED") or random.randrange(1 << 32)))
    parser.add_argument("--only", default="", help="these operations, with commas")
    parser.add_argument("--shrink", type=float, default=300, help="seconds to reduce a failure")
    parser.add_argument("--scenario")
    options = parser.parse_args()
    if options.scenario:
        head, steps = scenario.read(options.scenario)
        problem, number = scenario.replay(options.stickerd, head["settings"], steps)
        if problem:
            sys.exit(f"FAILED at {number + 1} of {len(steps)}: {steps[number]}\n{problem}")
        print(f"stress: {len(steps)} operations of {options.scenario}, passed")
        return
    names = set(options.only.split(",")) if options.only else OPERATIONS.keys()
    random_run(options, names if os.geteuid() == 0 else names - NEED_ROOT)


def random_run(options, names):
    dice = random.Random(options.seed)
    settings = {
        "whenPhotoRemoved": dice.choice(["keep", "withdraw"]),
        "originals.mode": dice.choice(["keep", "keep", "archive", "delete"] if "restart" in names else ["keep"])}
    head, steps, problem = {"seed": options.seed, "settings": settings}, [], None
    end = time.monotonic() + options.seconds
    with scenario.Run(options.stickerd, settings) as run:
        chooser = Chooser(run.world, dice, names, even=bool(options.only))
        try:
            while time.monotonic() < end:
                for _ in range(dice.randint(1, LONGEST)):
                    steps.append(chooser.next())
                    run.do(*steps[-1])
                steps.append(["settle"])
                run.do("settle")
        except Broken as broken:
            problem = str(broken)
        figures = f"seed {options.seed}, {len(steps)} operations, {run.settles} comparisons, {run.world.kills} kills"
    if problem is None:
        print(f"stress: {figures}, passed")
        return
    print(f"stress: {figures}\nFAILED: {problem}\n{scenario.text(head, steps)}", flush=True)
    shorter = scenario.shrink(options.stickerd, settings, steps, problem, options.shrink)
    print(f"{len(shorter)} operations remain; their scenario:\n{scenario.text(head, shorter)}", end="")
    sys.exit(1)


if __name__ == "__main__":
    main()
