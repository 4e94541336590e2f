"""power.py STICKERD short|long: the power goes at random moments. After each cut an undisturbed run has to come to the same
end as ever.

First on an ext4 image: the ioctl for an immediate shutdown, without a flush of its journal, drops what was not synced. Needs
root. A journal keeps directory entries in order, and ext4 without one, also as ext2, syncs the folders of a new file with it
(ext4_sync_parent): neither can lose a folder whose parent was not synced. So that is done by hand: the process is killed at a
random call, and every folder that it had made by then, and whose name it had not synced, is removed with all it holds, as a
file system that orders nothing may lose it. Needs no root.
"""

import fcntl
import os
import pathlib
import random
import shutil
import struct
import subprocess
import sys
import tempfile
import time

import parallel
import workplace

#: <linux/ext4.h>: _IOR('X', 125, __u32), and "no log flush".
EXT4_IOC_SHUTDOWN = 0x8004587D
NO_LOG_FLUSH = 2
#: The strictest that ext4 can be made: nothing is flushed but what somebody asks for, not even in an orderly fashion.
OPTIONS = "loop,data=writeback,noauto_da_alloc,commit=300"
MODES = ["keep", "archive", "delete"]
ROUNDS = {"short": 6, "long": 51}
UNORDERED_ROUNDS = {"short": 12, "long": 150}


class Disk:
    """An ext4 file system in a file."""

    def __init__(self, folder):
        self.image, self.mountpoint = f"{folder}/image", f"{folder}/disk"
        os.makedirs(self.mountpoint, exist_ok=True)
        with open(self.image, "wb") as image:
            image.truncate(64 << 20)
        subprocess.run(["mkfs.ext4", "-q", "-F", self.image], check=True)
        self.mount()

    def mount(self):
        subprocess.run(["mount", "-o", OPTIONS, self.image, self.mountpoint], check=True, capture_output=True, text=True)

    def cut_power(self):
        folder = os.open(self.mountpoint, os.O_RDONLY)
        try:
            fcntl.ioctl(folder, EXT4_IOC_SHUTDOWN, struct.pack("I", NO_LOG_FLUSH))
        finally:
            os.close(folder)

    def unmount(self):
        # The workers end a moment after their daemon, and hold photos open until then. Somebody else's new mount namespace
        # may hold the whole file system: mounted again it would be the one that is shut down.
        for _ in range(400):
            subprocess.run(["umount", self.mountpoint], check=False, capture_output=True)
            used = subprocess.run(["losetup", "-j", self.image], check=True, capture_output=True, text=True)
            if not used.stdout:
                return
            time.sleep(0.05)
        raise RuntimeError(f"cannot get rid of the file system: {used.stdout}")


def reason_not_to():
    """Why this machine cannot, or None: a disk is made, and something that nobody synced has to be lost."""
    if os.geteuid() != 0:
        return "not root"
    folder = tempfile.mkdtemp(prefix="torture-")
    try:
        disk = Disk(folder)
        try:
            file = pathlib.Path(disk.mountpoint, "file")
            file.write_text("not synced")
            disk.cut_power()
            disk.unmount()
            disk.mount()
            if file.exists():
                return "the shutdown ioctl lost nothing"
        finally:
            disk.unmount()
    except (OSError, subprocess.CalledProcessError) as error:
        return f"no ext4 image can be mounted and shut down: {getattr(error, 'stderr', None) or error}"
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return None


def round_of(stickerd, folder, mode, photos, seconds, reference):
    """The power goes so many seconds after so many photos are done."""
    place = None
    disk = Disk(folder)
    try:
        place = workplace.Workplace(stickerd, f"{disk.mountpoint}/work", mode, notes=folder)
        first, later = workplace.contents()
        place.fill(first, synchronize=True)
        workplace.synchronize_folder(disk.mountpoint)
        place.start()
        place.fill(later, synchronize=True)
        is_time = place.wait(until=lambda: place.counts().get("done", 0) >= photos) is None
        if not is_time or place.wait_for(seconds) is not None:
            raise workplace.Broken("ended by itself")
        counts = place.counts()
        disk.cut_power()
        place.process.kill()
        place.process.wait()
        disk.unmount()
        disk.mount()
        place.check_moment(reference)
        place.finish()
        place.check_end(reference)
        return counts.get("done", 0)
    except Exception as error:
        raise workplace.Broken(f"{mode}, power gone {seconds:.2f} s after {photos} photos: {error}\n{place and place.last_words()}") from error
    finally:
        if place and place.process and place.process.poll() is None:
            place.process.kill()
            place.process.wait()
        disk.unmount()
        shutil.rmtree(folder, ignore_errors=True)


def unsynced_folders(trace, existing):
    """Folders, as paths in the trace, that were made and whose parents were not synced after that. `existing` were there
    before: the trace does not say whether mkdir(2) made anything."""
    unsynced = []
    known = set(existing)
    for line in trace:
        _, call, place = line.removeprefix("!").split(" ", 2)
        if call == "mkdir" and place not in known:
            known.add(place)
            unsynced.append(place)
        elif call == "fsync":
            unsynced = [folder for folder in unsynced if os.path.dirname(folder) != place]
    return unsynced


def unordered_round(stickerd, folder, elsewhere, mode, number, reference):
    """A kill at one call, and all that has no name on disk is gone. Returns how many folders that were, or None where the
    run ended before."""
    # The folder of which the paths in the trace are part: the work folder's own entry is the test's.
    place = workplace.Workplace(
        stickerd, f"{folder}/work", mode, elsewhere and f"{elsewhere}/work", notes=folder, traced=(folder, elsewhere))
    try:
        first, later = workplace.contents()
        place.fill(first)
        existing = [str(path.relative_to(folder)) for path in pathlib.Path(folder).glob("**/*") if path.is_dir()]
        place.start(f"kill {number} after")
        place.fill(later)
        if place.wait(until=place.is_done) is None:
            place.process.terminate()
        place.process.wait(30)
        deed = place.deed()
        trace = place.trace.read_text(errors="replace").splitlines()
        lost = unsynced_folders(trace, existing) if deed else []
        for path in lost:
            for top in (folder, elsewhere):
                if top and path.startswith("work/"):
                    shutil.rmtree(f"{top}/{path}", ignore_errors=True)
        place.check_moment(reference)
        place.finish()
        place.check_end(reference)
        return len(lost) if deed else None
    except Exception as error:
        raise workplace.Broken(f"{mode}, call {number} ({place.deed()}), without order: {error}\n{place.last_words()}") from error
    finally:
        place.close()
        shutil.rmtree(folder, ignore_errors=True)
        if elsewhere:
            shutil.rmtree(elsewhere, ignore_errors=True)


def moments(trace, count, chance):
    """Numbers of calls to be killed after: half of them the removals and moves of originals, which is when it counts."""
    changes = [line.split(" ", 2) for line in trace if not line.startswith("0 ")]
    every = [int(number) for number, _, _ in changes]
    leaving = [
        int(number) for number, call, place in changes
        if (call == "unlink" and "inbox/" in place) or (call == "rename" and "archive/" in place and not place.endswith(".tmp"))
    ] or every
    return [chance.choice(leaving if n % 2 else every) for n in range(count)]


def unordered(stickerd, form, chance):
    """The second part, and its line of figures."""
    with parallel.folders() as (near, far):
        modes = [mode for mode in parallel.modes(near, far) if mode != "keep"]
        rounds = []
        for mode in modes:
            # Traced from the same folder as below, so that the numbers are the same.
            reference, trace = workplace.undisturbed(
                stickerd, f"{near}/{mode}/work", mode, f"{far}/{mode}/work", (f"{near}/{mode}", f"{far}/{mode}"))
            for n, number in enumerate(moments(trace, UNORDERED_ROUNDS[form] // len(modes), chance)):
                other = f"{far}/{mode}-{n}" if mode == "elsewhere" else None
                rounds.append((stickerd, f"{near}/{mode}-{n}", other, mode, number, reference))
        done = parallel.run(unordered_round, rounds)
    lost = [count for count in done if count is not None]
    print(f"power: {len(lost)} cuts of {len(rounds)} on a file system without order, in modes {', '.join(modes)}; folders lost"
          f" in {sum(map(bool, lost))} of them, all as they should be")
    if len(lost) < 0.6 * len(rounds):
        sys.exit("power: too few rounds came to their cut")


def main(stickerd, form):
    seed = parallel.seed()
    chance = random.Random(seed)
    unordered(stickerd, form, chance)
    if reason := reason_not_to():
        print(f"power: NOT RUN on ext4, this machine cannot: {reason}")
        return
    with parallel.folders() as (near, _):
        reference, _ = workplace.undisturbed(stickerd, f"{near}/whole")
        rounds = [
            (stickerd, f"{near}/{number}", MODES[number % len(MODES)], chance.randint(0, workplace.STICKERS),
             chance.uniform(0, 0.5), reference)
            for number in range(ROUNDS[form])
        ]
        done = parallel.run(round_of, rounds)
    in_the_middle = sum(0 < count < workplace.STICKERS for count in done)
    print(f"power: {len(done)} cuts on ext4 in modes {', '.join(MODES)}, {in_the_middle} of them between the first photo and the last,"
          f" all as they should be (seed {seed})")


if __name__ == "__main__":
    main(*sys.argv[1:3])
