"""library.py STICKERD short|long: a start at which the disk fails to read the Library, once. The Library is not damaged and
must not be treated as damaged: quarantining it would lose every photo's history. Then one that is damaged: it must be rebuilt
from the outbox, also if the first command after the damage is `verify --repair`.
"""

import collections
import contextlib
import errno
import sqlite3
import sys

import parallel
import trial

#: The numbers of the reads that fail.
READS = {"short": [1, 2, 3, 4, 6, 8], "long": list(range(1, 31))}


def damage(library):
    """Adds a page to the file that no table uses: only a check of the whole file notices it."""
    with contextlib.closing(sqlite3.connect(library)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        size = database.execute("PRAGMA page_size").fetchone()[0]
    with open(library, "r+b") as file:
        file.seek(28)  # the number of pages (sqlite.org/fileformat2.html, 1.3)
        pages = int.from_bytes(file.read(4), "big")
        file.seek(28)
        file.write((pages + 1).to_bytes(4, "big"))
        file.truncate((pages + 1) * size)


def rebuild(place):
    """Damages the Library of a killed daemon, and repairs it without a daemon."""
    place.start()
    if (status := place.wait(until=place.is_done)) is not None:
        sys.exit(f"BROKEN: the undisturbed daemon ended by itself: {status}")
    place.kill()
    before = place.packs()
    damage(place.state / "library.sqlite")
    place.run("verify", "--repair", *place.folders)
    if not list(place.state.glob("library.damaged*")):
        sys.exit("BROKEN: the damage was not noticed")
    listed = {folder: {sticker["file"] for sticker in pack["stickers"]} for folder, pack in place.packs().items()}
    if listed != {folder: {sticker["file"] for sticker in pack["stickers"]} for folder, pack in before.items()}:
        sys.exit(f"BROKEN: verify --repair left {listed} of a damaged Library's stickers\n{place.last_words()}")


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
        rebuild(place)
    print(f"library: {ends['came to it']} failed reads in {len(READS[form])} starts, {ends['ended']} of these ended with an"
          " error; the Library was kept. A damaged one was rebuilt by verify --repair: passed")


if __name__ == "__main__":
    main(*sys.argv[1:3])
