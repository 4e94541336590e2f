"""library.py STICKERD short|long: a start at which the disk fails to read the Library, once, and a command for which it does. The
Library is not damaged and must not be treated as damaged: quarantining it would lose every photo's history. Then one that is
damaged, in several ways, each after a clean stop and after kill -9: `verify` must notice it, and `verify --repair` rebuild it
from the outbox.
"""

import contextlib
import errno
import signal
import sqlite3
import sys

import parallel
import trial
from daemon import Broken

#: The numbers of the reads that fail.
READS = {"short": [1, 2, 3, 4, 6, 8], "long": list(range(1, 31))}
#: What `status` reads.
COMMAND_READS = 40


def look(library, query):
    """The answer to a query, after which the file has everything, and no WAL is left."""
    with contextlib.closing(sqlite3.connect(library)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return database.execute(query).fetchone()[0]


def overwrite(library, place, data):
    with open(library, "r+b") as file:
        file.seek(place)
        file.write(data)


def unused_page(library):
    """Adds a page that no table uses: only a check of the whole file notices it."""
    pages, size = look(library, "PRAGMA page_count"), look(library, "PRAGMA page_size")
    overwrite(library, 28, (pages + 1).to_bytes(4, "big"))  # sqlite.org/fileformat2.html, 1.3
    overwrite(library, pages * size, bytes(size))


def wrong_page(library):
    """Damages the first page of the table of stickers."""
    page, size = look(library, "SELECT rootpage FROM sqlite_schema WHERE name = 'sticker'"), look(library, "PRAGMA page_size")
    overwrite(library, (page - 1) * size, b"\xa5" * size)


def truncated_file(library):
    pages, size = look(library, "PRAGMA page_count"), look(library, "PRAGMA page_size")
    with open(library, "r+b") as file:
        file.truncate(pages // 2 * size)


def zeroed_header(library):
    look(library, "PRAGMA page_count")
    overwrite(library, 0, bytes(100))


def deleted_wal(library):
    """The last commits may be lost, and what is left need not be damaged."""
    for name in "library.sqlite-wal", "library.sqlite-shm":
        library.with_name(name).unlink(missing_ok=True)


DAMAGES = [unused_page, wrong_page, truncated_file, zeroed_header, deleted_wal]


def repair(place, damage, how):
    """Damages the Library of a daemon that `how` ended, and repairs it without a daemon."""
    place.start()
    if (status := place.wait(until=place.is_idle)) is not None:
        raise Broken(f"the undisturbed daemon ended by itself: {status}")
    if (status := place.stop(how)) != (0 if how == signal.SIGTERM else -how):
        raise Broken(f"ended with {status}")
    before, quarantined = listed(place), set(place.state.glob("library/library.damaged*"))
    damage(place.state / "library" / "library.sqlite")
    is_damaged = damage is not deleted_wal
    if is_damaged and not place.verify():
        raise Broken("verify does not notice it")
    said = place.run("verify", "--repair", *place.folders)
    if is_damaged and set(place.state.glob("library/library.damaged*")) == quarantined:
        raise Broken(f"verify --repair keeps it:\n{said.stdout}{said.stderr}")
    if complaint := place.verify():
        raise Broken(f"after verify --repair, {complaint}\n{said.stdout}{said.stderr}")
    if listed(place) != before:
        raise Broken(f"verify --repair left {listed(place)} of {before}\n{said.stdout}{said.stderr}")


def listed(place):
    return {folder: {sticker["file"] for sticker in pack["stickers"]} for folder, pack in place.packs().items()}


def fail_read(place, number):
    """A start at which one read of the Library fails. Returns whether it came to it, and whether that ended the daemon."""
    place.trace.unlink(missing_ok=True)
    place.start(f"fail pread@state {number} 0 {errno.EIO}")
    status = place.wait(until=place.is_idle)
    if status is None:
        status = place.stop()
    if status < 0:
        raise Broken(f"ended with {status}")
    if left := [path.name for path in place.state.glob("library/library.damaged*")]:
        raise Broken(f"the Library was quarantined: {left}")
    return place.deed() is not None, status > 0


def fail_reads(place, number):
    """A command whose reads of the Library fail, from one of them on, must not advise to rebuild it."""
    plan = f"fail pread@state {number} {trial.PATIENCE * 1000} {errno.EIO}"
    said = place.run("status", "--state", place.state, **place.shimmed(plan))
    if "damaged" in said.stderr:
        raise Broken(said.stderr)


def main(stickerd, form):
    with parallel.folders() as (near, _):
        place = trial.Trial(stickerd, f"{near}/work", "archive")
        first, later = trial.contents()
        place.fill(first | later)
        with place.explained("undisturbed"):
            place.finish()
        reference = place.stickers() | place.thumbnails()
        came = ended = 0
        for number in READS[form]:
            with place.explained(f"read {number} failed once"):
                failed, has_ended = fail_read(place, number)
            came, ended = came + failed, ended + has_ended
        for number in range(1, COMMAND_READS):
            with place.explained(f"reads of a command failed from number {number} on"):
                fail_reads(place, number)
        if not came:
            sys.exit("library: no read failed")
        with place.explained("after failed reads"):
            place.finish()
            place.check_end(reference)
        for damage in DAMAGES:
            for how in signal.SIGTERM, signal.SIGKILL:
                with place.explained(f"{damage.__name__} after {how.name}"):
                    repair(place, damage, how)
    print(f"library: {came} failed reads in {len(READS[form])} starts, {ended} of these ended with an"
          f" error; the Library was kept. verify --repair rebuilt it in {2 * len(DAMAGES)} of {2 * len(DAMAGES)} cases: passed")


if __name__ == "__main__":
    main(*sys.argv[1:3])
