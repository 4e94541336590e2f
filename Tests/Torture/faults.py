"""faults.py STICKERD short|long: a disk error at the 1st, 2nd, ... nth call of each kind, once or for two seconds. The daemon
continues as soon as it can, or ends with an error and the next one continues; no photo fails.
"""

import collections
import errno
import os
import random
import sys

import parallel
import trial
from daemon import Broken

WRITING = ["ENOSPC", "EIO", "EROFS"]
ERRORS = {
    "create": [*WRITING, "EMFILE"], "open": ["EIO", "EMFILE"], "read": ["EIO", "EINTR", "short"],
    "pread": ["EIO", "EINTR", "short"], "write": [*WRITING, "EDQUOT", "EINTR", "short"],
    "pwrite": [*WRITING, "EINTR", "short"], "fsync": ["EIO", "ENOSPC", "EINTR"], "syncfs": ["EIO", "ENOSPC"], "fdatasync": ["EIO", "ENOSPC"],
    "ftruncate": ["EIO", "ENOSPC"], "rename": WRITING, "unlink": ["EIO", "EROFS"], "mkdir": WRITING, "link": WRITING,
}
#: For how many milliseconds each error repeats; a signal does not interrupt forever.
LASTING = 2000
#: How many values of n for each kind of call.
POINTS = 6
SHORT = 24


def plans(trace, chance):
    """Every kind of call with every error, early and late, once and for a while."""
    counts = collections.Counter()
    for line in trace:
        _, call, place = line.split(" ", 2)
        area = place.split("/")[0]
        # Other folders are not stickerd's: HOME.
        if area in ("inbox", "outbox", "state", "archive", "failed"):
            counts[call, area] += 1
    for area in sorted({area for _, area in counts}):
        count = sum(counts[kind] for kind in counts if kind[1] == area)
        for _ in range(POINTS):
            # The whole disk, or the server of a network folder, is temporarily missing.
            for error in errno.EIO, errno.ESTALE:
                yield f"fail *@{area} {chance.randint(1, count)} {LASTING} {error}"
    for call in "open", "create":
        count = sum(counts[kind] for kind in counts if kind[0] == call)
        for _ in range(POINTS):
            yield f"fail {call}@* {chance.randint(1, count)} {LASTING} {errno.EMFILE}"
    for (call, area), count in sorted(counts.items()):
        numbers = {1, 2, count} | {chance.randint(1, count) for _ in range(POINTS - 3)}
        for error in ERRORS[call]:
            for number in sorted(number for number in numbers if number <= count):
                for milliseconds in [0] if error == "EINTR" else [0, LASTING]:
                    if error == "short":
                        yield f"short {call}@{area} {number} {milliseconds}"
                    else:
                        yield f"fail {call}@{area} {number} {milliseconds} {getattr(errno, error)}"


def name_of(plan):
    """`plan` with the error's name."""
    words = plan.split(" ")
    return " ".join(words[:-1] + [errno.errorcode[int(words[-1])]]) if words[0] == "fail" else plan


def round_of(stickerd, folder, elsewhere, mode, plan, reference):
    """Returns the injected fault (None if the call was never made), whether it ended the daemon, and whether a temporary file
    was left for the next start."""
    place = trial.Trial(stickerd, folder, mode, elsewhere)
    with place.round(f"{mode}, {name_of(plan)}"):
        place.start_with_arrivals(plan)
        status = place.wait(until=place.is_done)
        ended = status is not None
        if ended and os.environ.get("TORTURE_VERBOSE"):
            print(f"ended by {mode}, {name_of(plan)} ({place.deed()}): {place.last_words().splitlines()[-1]}", file=sys.stderr)
        if ended and (status <= 0 or not place.has_complained()):
            raise Broken(f"ended with {status}, without an error message")
        disturbed, left = ended, False
        if not ended:
            left, before = place.heal()
            status = place.stop()
            # The next start handles a fault during the exit.
            disturbed = left or len(place.deeds()) > before
            if status and not disturbed:
                raise Broken(f"ended with {status} after SIGTERM")
        place.check_moment(reference)
        if disturbed:
            place.finish()
        place.check_end(reference)
        return place.deed(), ended, left


def main(stickerd, form):
    seed = parallel.seed()
    chance = random.Random(seed)
    with parallel.folders() as (near, far):
        rounds = []
        for mode, (reference, trace) in parallel.undisturbed(stickerd, near, far, parallel.modes(near, far)).items():
            rounds += [(mode, plan, reference) for plan in plans(trace, chance)]
        # More modes find little more: each plan runs in one of the modes that reach it.
        modes = collections.defaultdict(list)
        for mode, plan, reference in rounds:
            modes[plan].append((mode, plan, reference))
        rounds = [chance.choice(same) for same in modes.values()]
        total = len(rounds)
        if form == "short":
            rounds = chance.sample(rounds, SHORT)
        arguments = [
            (stickerd, f"{near}/{n}", f"{far}/{n}", mode, plan, reference)
            for n, (mode, plan, reference) in enumerate(rounds)
        ]
        results = parallel.run(round_of, arguments)
    met = [result for result in results if result[0]]
    ended, left = sum(result[1] for result in met), sum(result[2] for result in met)
    print(f"faults: {len(met)} faults in {len(rounds)} rounds (of {total} there are); {ended} ended the daemon, with an error,"
          f" and {left} left a temporary file, until the next start; passed (seed {seed})")
    if len(met) < 0.7 * len(rounds):
        sys.exit("faults: too few rounds came to their fault")


if __name__ == "__main__":
    main(*sys.argv[1:3])
