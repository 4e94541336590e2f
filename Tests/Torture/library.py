"""library.py STICKERD short|long: a start at which the disk fails to read the Library, once. The Library is not damaged and
must not be treated as damaged: quarantining it would lose every photo's history.
"""

import collections
import errno
import sys

import parallel
import trial

#: The numbers of the reads that fail.
READS = {"short": [1, 2, 3, 4, 6, 8], "long": list(range(1, 31))}


def main(stickerd, form):
    ends = collections.Counter()
    with parallel.folders() as (near, _):
        place = trial.Trial(stickerd, f"{near}/work", "archive")
        first, later = trial.contents()
        place.fill(first | later)
        place.finish()
        reference = place.stickers() | place.thumbnails()
        for number in READS[form]:
            place.trace.unlink(missing_ok=True)
            place.start(f"fail pread@state {number} 0 {errno.EIO}")
            status = place.wait(until=place.is_listening)
            if status is None:
                status = place.stop()
            if status < 0:
                sys.exit(f"BROKEN: ended with {status} at read {number}")
            ends["came to it" if place.deed() else "did not"] += 1
            ends["ended"] += status > 0
            if left := [path.name for path in place.state.glob("library.damaged*")]:
                sys.exit(f"BROKEN: read {number} failed once, and the Library was quarantined: {left}\n{place.last_words()}")
        place.finish()
        place.check_end(reference)
    print(f"library: {ends['came to it']} failed reads in {len(READS[form])} starts, {ends['ended']} of these ended with an"
          " error; the Library was kept: passed")


if __name__ == "__main__":
    main(*sys.argv[1:3])
