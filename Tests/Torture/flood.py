"""flood.py STICKERD [FILES]: many files at once, half of them with their folders, half one after another as fast as the
kernel renames. A tenth are photos, four tenths are copies of them in the same and other packs, the rest are not photos."""

import os
import shutil
import sys
import tempfile
import time

import gauge
import photos
from daemon import Broken, Daemon

#: Many more than the kernel's event queue holds (fs.inotify.max_queued_events, 16,384 by default).
FILES = 100_000
FOLDERS = 50
#: How many different images are drawn.
DISTINCT = 600
MAX_DAEMON_PEAK = 160_000
MAX_DESCRIPTORS = 200
SECONDS_PER_FILE = 0.05


def pack(number):
    """The folder below the inbox with which a file arrives; empty for files that arrive one by one."""
    return f"{number // 2 % FOLDERS:02}" if number % 2 else ""


def photo(number):
    """The number of the file's photo; None for half of the files, which are not photos."""
    return number // 10 if number % 10 < 5 else None


def contents(number, drawn):
    if photo(number) is None:
        return b"GIF89a no photo %d" % number
    # A decoder ignores the bytes after the image, but they make it another photo.
    return drawn[photo(number) % DISTINCT] + b"%d" % photo(number)


def expected(count):
    """The expected number of files in each state. A photo has a sticker in each pack."""
    numbers = [number for number in range(count) if photo(number) is not None]
    done = len({(pack(number), photo(number)) for number in numbers})
    return {"done": done, "duplicate": len(numbers) - done, "failed": count - len(numbers)}


def fill(place, count):
    """All folders next to the inbox, on the same file system."""
    drawn = [photos.subject(number, side=64) for number in range(DISTINCT)]
    for number in range(count):
        folder = place.root / "stage" / (pack(number) or "loose")
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{number:06}.png").write_bytes(contents(number, drawn))


def let_in(place):
    """Returns how long it took."""
    began = time.monotonic()
    stage = place.root / "stage"
    for folder in sorted(stage.iterdir()):
        if folder.name != "loose":
            os.rename(folder, place.inbox / folder.name)
    for name in os.listdir(stage / "loose"):
        os.rename(stage / "loose" / name, place.inbox / name)
    return time.monotonic() - began


def flood(place, count):
    fill(place, count)
    place.start()
    if place.wait(until=place.is_idle) is not None:
        raise Broken("ended at once")
    took, began, known = let_in(place), time.monotonic(), 0
    peak = descriptors = 0

    def is_through():
        nonlocal known, peak, descriptors
        counts = place.photos()
        try:
            peak = max(peak, gauge.fields(place.process.pid)["VmHWM"])
            descriptors = max(descriptors, len(os.listdir(f"/proc/{place.process.pid}/fd")))
        except (OSError, KeyError):  # It has ended: `wait` says how.
            return False
        if sum(counts.values()) < count:
            return False
        known = known or time.monotonic() - began
        return not counts.get("pending") and not counts.get("processing")

    if (status := place.wait(is_through, seconds=count * SECONDS_PER_FILE + 60)) is not None:
        raise Broken(f"ended with {status}")
    seconds = time.monotonic() - began
    if (counts := place.photos()) != expected(count):
        raise Broken(f"{counts}, not {expected(count)}")
    # It writes the packs before it ends.
    if status := place.stop():
        raise Broken(f"ended with {status} after SIGTERM")
    if complaint := place.verify(seconds=600):
        raise Broken(complaint[:2000])
    if peak > MAX_DAEMON_PEAK or descriptors > MAX_DESCRIPTORS:
        raise Broken(f"the daemon took {peak} kB and {descriptors} descriptors")
    return (f"{count} files let in within {took:.1f} s, all known after {known:.1f} s, all through after {seconds:.0f} s; "
            f"daemon's peak {peak} kB, descriptors at most {descriptors}")


def main():
    stickerd, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else FILES
    place = Daemon(stickerd, tempfile.mkdtemp(prefix="flood-"), {
        "sticker.size": 96, "workers": 2, "watch.settleSeconds": 0.1, "watch.rescanSeconds": 300, "limits.minFreeBytes": 0})
    try:
        print("flood: " + flood(place, count))
    except Broken as broken:
        print(f"FAILED: flood: {broken}\n{place.last_words()}")
        return 1
    finally:
        place.kill()
        shutil.rmtree(place.root)
    return 0


if __name__ == "__main__":
    sys.exit(main())
