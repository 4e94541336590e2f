"""kills.py STICKERD [MODE [ROUNDS]]: kills the daemon at random moments while photos arrive, then lets it finish. Every photo
must be one sticker, with the same bytes as in an undisturbed run, and no unfinished file may be left. MODE is
originals.mode (keep, archive, delete): each original must be in exactly one place.
"""

import random
import shutil
import signal
import sys
import tempfile
import time

import ledger
import parallel
import photos
from daemon import Broken, Daemon

PHOTOS_PER_ROUND = 3


def kills(daemon, mode, rounds, chance):
    drawn = daemon.root / "photos"
    drawn.mkdir()
    disc = photos.jpeg(1600, 1200, photos.DISC)
    for number in range(rounds):
        daemon.start()
        # New photos in every round, so that some are always in progress when the daemon is killed.
        for which in range(PHOTOS_PER_ROUND):
            name, photo = f"p{number}-{which}.jpg", disc + b"%d %d" % (number, which)
            (drawn / name).write_bytes(photo)
            daemon.drop(name, photo)
        time.sleep(chance.uniform(0, 1))
        daemon.process.send_signal(signal.SIGKILL)
        daemon.process.wait()
    names = sorted(path.name for path in drawn.iterdir())

    def is_done():
        # A photo that was the only one in progress at three kills in a row fails, as intended, until it is retried.
        if daemon.photos().get("failed"):
            daemon.run("retry", "--failed", *daemon.folders)
        listed = [sticker["id"] for pack in daemon.packs().values() for sticker in pack["stickers"]]
        return daemon.is_idle() and daemon.photos() == {"done": len(names)} and len(set(listed)) == len(listed) == len(names)

    daemon.start()
    if (status := daemon.wait(is_done, seconds=300)) is not None:
        raise Broken(f"the daemon ended by itself: {status}")
    if mode != "keep":
        daemon.wait(lambda: not any(daemon.inbox.iterdir()))
    if status := daemon.stop():
        raise Broken(f"exit status {status} after SIGTERM")
    for folder, has_originals in (("inbox", mode == "keep"), ("archive", mode == "archive")):
        lying = sorted(path.rpartition("/")[2] for path in ledger.files_below(daemon.root / folder))
        if lying != (names if has_originals else []):
            raise Broken(f"{len(lying)} originals in {folder}: {lying}")
    if problems := [*ledger.files_below(daemon.root / "failed"), *ledger.check_leftovers(daemon.outbox)]:
        raise Broken(f"{problems}")
    if complaint := daemon.verify():
        raise Broken(complaint)
    made = daemon.run("make", *(drawn / name for name in names), "--output", daemon.root / "undisturbed", seconds=600)
    if made.returncode or stickers(daemon.root / "undisturbed") != stickers(daemon.outbox):
        raise Broken(f"other stickers than an undisturbed run makes: {made.stderr}")
    return len(names)


def stickers(folder):
    return {path.name: path.read_bytes() for path in folder.glob("*.png")}


def main(stickerd, mode="keep", rounds="30"):
    seed = parallel.seed()
    daemon = Daemon(stickerd, tempfile.mkdtemp(prefix="kills-"), {"originals.mode": mode})
    try:
        made = kills(daemon, mode, int(rounds), random.Random(seed))
    except Broken as broken:
        sys.exit(f"kills ({mode}, seed {seed}): {broken}\n{daemon.last_words()}")
    finally:
        daemon.kill()
        shutil.rmtree(daemon.root)
    print(f"kills ({mode}): {rounds} kills, {made} stickers, passed (seed {seed})")


if __name__ == "__main__":
    main(*sys.argv[1:])
