"""crash.py STICKERD short|long: SIGKILL at calls that change something, in a run of a dozen photos in each mode of
`originals`, then an undisturbed run: nothing lost, nothing twice, nothing left over, the same bytes.

A kill after one call equals a kill before the next one: the long form kills before every call, and in the middle of every
write except those to the Library's journal. Of these, and in the short form of all calls, it takes a sample.
"""

import random
import sys

import parallel
import trial

#: SQLite's own writes are many and similar.
LIBRARY_SHARE = 8
SHORT = 12


def points(trace, is_long, chance):
    """(number, how) of the kills; `trace` is the trace of an undisturbed run."""
    changes = [line.split(" ", 2) for line in trace if not line.startswith("0 ")]
    every = []
    for number, call, place in changes:
        is_library = call == "pwrite" and place.startswith("state/")
        if is_library and chance.randrange(LIBRARY_SHARE):
            continue
        every.append((int(number), "before"))
        if call in ("write", "pwrite"):
            every.append((int(number), "torn"))
    if is_long:
        return every
    # One call of each section of the run: early and late, and different ones each time.
    step = len(every) / SHORT
    spread = [every[int(step * n + chance.random() * step)] for n in range(SHORT)]
    return [(number, chance.choice(["before", "after"]) if how == "before" else how) for number, how in spread]


def round_of(stickerd, folder, elsewhere, mode, plan, reference):
    """One kill, and the checks after it. Returns the call at which it was killed, or None if the run ended before."""
    place = trial.Trial(stickerd, folder, mode, elsewhere)
    with place.round(f"{mode}, {plan}"):
        place.start_with_arrivals(plan)
        status = place.wait(until=place.is_done)
        if status is None:
            status = place.stop()
        trial.check_kill(place, status)
        deed = place.deed()
        place.check_moment(reference)
        place.finish()
        place.check_end(reference)
        return deed


def main(stickerd, form):
    seed = parallel.seed()
    chance = random.Random(seed)
    with parallel.folders() as (near, far):
        modes = parallel.modes(near, far)
        rounds = []
        for mode, (reference, trace) in parallel.undisturbed(stickerd, near, far, modes).items():
            for n, (number, how) in enumerate(points(trace, form == "long", chance)):
                name = f"{mode}-{n}"
                rounds.append((stickerd, f"{near}/{name}", f"{far}/{name}", mode, f"kill {number} {how}", reference))
        deeds = parallel.run(round_of, rounds)
    killed = [deed for deed in deeds if deed]
    calls = len({tuple(deed.split(" ")[1:2] + deed.split(" ")[2].split("/")[:1]) for deed in killed})
    print(f"crash: {len(killed)} kills of {len(rounds)} rounds in modes {', '.join(modes)}, at {calls} kinds of calls,"
          f" passed (seed {seed})")
    if len(killed) < 0.8 * len(rounds):
        sys.exit("crash: too few rounds came to their kill")


if __name__ == "__main__":
    main(*sys.argv[1:3])
