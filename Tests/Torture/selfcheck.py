"""selfcheck.py STICKERD: checks that this harness finds errors. It plants each kind of error in the result of a good run, and
the harness must find each one."""

import json
import pathlib
import shutil
import sqlite3
import sys
import time

import parallel
import trial
from daemon import Broken


def sticker(place):
    return sorted(place.outbox.glob("a*.png"))[3]


def change(path, old, new):
    data = path.read_bytes()
    assert old in data
    path.write_bytes(data.replace(old, new, 1))


def forget(place):
    pack = json.loads((place.outbox / "pack.json").read_bytes())
    del pack["stickers"][2]
    (place.outbox / "pack.json").write_text(json.dumps(pack))


def in_library(place, statement):
    # No command makes the Library wrong.
    library = sqlite3.connect(place.state / "library" / "library.sqlite")
    library.execute(statement)
    library.commit()
    library.close()


def archived(place):
    return next(place.archive.glob("**/a05.png"))


ERRORS = {
    "an original lost": lambda place: archived(place).unlink(),
    "an original doubled": lambda place: shutil.copy2(archived(place), place.inbox / "a05.png"),
    "an original changed": lambda place: change(archived(place), b"IDAT", b"IDAU"),
    "a sticker lost": lambda place: sticker(place).unlink(),
    "a sticker with a byte changed": lambda place: change(sticker(place), b"IDAT", b"IDAU"),
    "a sticker doubled": lambda place: shutil.copy2(sticker(place), place.outbox / "more-00000000.png"),
    "a temporary file in the outbox": lambda place: (place.outbox / ".stickerd-1.tmp").touch(),
    "a temporary file in the archive": lambda place: (archived(place).parent / ".stickerd-1.tmp").touch(),
    "a sticker missing in pack.json": forget,
    "a photo that failed": lambda place: in_library(place, "UPDATE file SET state = 'failed' WHERE path = 'a03.png'"),
    "a page that is not the pack's": lambda place: (place.outbox / "index.html").write_text("another"),
}


def is_found(place, reference):
    try:
        place.check_end(reference)
    except (Broken, KeyError):
        return True
    return False


def main(stickerd):
    missed = []
    begin = time.monotonic()
    with parallel.folders() as (near, _):
        good = trial.Trial(stickerd, f"{near}/good", "archive")
        first, later = trial.contents()
        good.fill(first | later)
        good.finish()
        reference = good.stickers() | good.thumbnails()
        good.check_end(reference)
        # The Library stores paths and inodes: errors are planted in place, and a copy of everything is restored each time.
        for name, plant in ERRORS.items():
            kept = pathlib.Path(near, "kept")
            shutil.rmtree(kept, ignore_errors=True)
            shutil.copytree(good.root, kept)
            plant(good)
            if not is_found(good, reference):
                missed.append(name)
            for path in [path for path in good.root.glob("**/*") if path.is_file()]:
                if not (kept / path.relative_to(good.root)).exists():
                    path.unlink()
            for path in [path for path in kept.glob("**/*") if path.is_file()]:
                old = good.root / path.relative_to(kept)
                if not old.exists() or old.read_bytes() != path.read_bytes():
                    shutil.copy2(path, old)
            good.check_end(reference)
    if missed:
        sys.exit(f"selfcheck: not found: {', '.join(missed)}")
    print(f"selfcheck: {len(ERRORS)} of {len(ERRORS)} planted errors found, in {time.monotonic() - begin:.0f} s")


if __name__ == "__main__":
    main(sys.argv[1])
