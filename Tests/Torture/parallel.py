"""Runs several rounds at a time; the first broken promise ends the run with an error and the data to repeat it."""

import concurrent.futures
import contextlib
import os
import random
import shutil
import sys
import tempfile

import trial

#: Rounds mostly wait: for the daemon's delays, for the disk, and for errors to end.
WORKERS = int(os.environ.get("TORTURE_PARALLEL", "6"))
#: A few, so that one run shows more than one bug.
MAX_FAILURES = 5


def seed():
    """The seed from TORTURE_SEED, so that a run can be repeated."""
    return int(os.environ.get("TORTURE_SEED") or random.randrange(1 << 32))


@contextlib.contextmanager
def folders():
    """Two folders, on two file systems if there are two: memory is faster than the disk."""
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    near = tempfile.mkdtemp(prefix="torture-", dir=memory)
    far = tempfile.mkdtemp(prefix="torture-")
    try:
        yield near, far
    finally:
        shutil.rmtree(near, ignore_errors=True)
        shutil.rmtree(far, ignore_errors=True)


def modes(near, far):
    """The modes of `originals`. An archive on another file system is a separate mode."""
    if os.stat(near).st_dev != os.stat(far).st_dev:
        return ["keep", "archive", "delete", "elsewhere"]
    print("no second file system here, so no mode `elsewhere`")
    return ["keep", "archive", "delete"]


def run(work, rounds):
    """The results of `work` for each round's arguments, in order; exits if one or more of them raise."""
    trial.shim()  # Workers that are forked share it; one that makes its own leaves it behind.
    failures = []
    with concurrent.futures.ProcessPoolExecutor(WORKERS) as pool:
        futures = [pool.submit(work, *arguments) for arguments in rounds]
        for number, future in enumerate(concurrent.futures.as_completed(futures), 1):
            if future.cancelled():
                continue
            if error := future.exception():
                failures.append(error)
                print(f"BROKEN: {error}\n", file=sys.stderr, flush=True)
                if len(failures) >= MAX_FAILURES:
                    for other in futures:
                        other.cancel()
            if os.environ.get("TORTURE_VERBOSE") and number % 20 == 0:
                print(f"{number} of {len(rounds)}", file=sys.stderr, flush=True)
    if failures:
        sys.exit(f"{len(failures)} rounds of {len(rounds)} are broken")
    return [future.result() for future in futures]


def undisturbed(stickerd, near, far, modes):
    """An undisturbed run in each mode, at the same time: its files, and the shim's trace, by mode."""
    runs = [(stickerd, f"{near}/whole-{mode}", mode, f"{far}/whole-{mode}") for mode in modes]
    return dict(zip(modes, run(trial.undisturbed, runs)))
