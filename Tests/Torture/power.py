"""power.py STICKERD short|long: power cuts at random moments. After each cut, an undisturbed run must have the usual result.

First on an ext4 image: the ioctl for an immediate shutdown, without a flush of its journal, drops unsynced data. Needs root.
A journal keeps directory entries in order, and ext4 without one, also as ext2, syncs the folders of a new file with it
(ext4_sync_parent): neither can lose a folder whose parent was not synced. So the second part simulates that: the process is
killed at a random call, and every folder that it had created by then without syncing its name is removed with its contents,
as a file system without any order may lose it. Needs no root.
"""

import ctypes
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
import trial
from daemon import PATIENCE, Broken, synchronize

#: <linux/ext4.h>: _IOR('X', 125, __u32), and "no log flush".
EXT4_IOC_SHUTDOWN = 0x8004587D
NO_LOG_FLUSH = 2
#: <sched.h>
CLONE_NEWNS = 0x20000
#: The strictest mode of ext4: it flushes only what a program syncs, and in no order.
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
        # The workers end shortly after their daemon, and keep photos open until then. Before the file system is gone, mounting
        # again would give the one that was shut down.
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            subprocess.run(["umount", self.mountpoint], check=False, capture_output=True)
            used = subprocess.run(["losetup", "-j", self.image], check=True, capture_output=True, text=True)
            if not used.stdout:
                return
            time.sleep(0.05)
        raise RuntimeError(f"cannot get rid of the file system: {used.stdout}")


def leave_mounts():
    """Mounts what follows for this process and its children alone: another process's new mount namespace, as a test of the system
    has, would keep the disks."""
    if ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWNS):
        raise OSError(ctypes.get_errno(), "unshare")
    subprocess.run(["mount", "--make-rprivate", "/"], check=True, capture_output=True, text=True)


def reason_not_to():
    """The reason why this machine cannot run it, or None: creates a disk, on which unsynced data must be lost."""
    if os.geteuid() != 0:
        return "not root"
    folder = tempfile.mkdtemp(prefix="torture-")
    try:
        leave_mounts()
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
    """Cuts the power a given time after a given number of photos are done."""
    disk = Disk(folder)
    try:
        place = trial.Trial(stickerd, f"{disk.mountpoint}/work", mode, notes=folder)
        synchronize(disk.mountpoint)
        with place.round(f"{mode}, power gone {seconds:.2f} s after {photos} photos"):
            place.start_with_arrivals(durably=True)
            is_time = place.wait(until=lambda: place.photos().get("done", 0) >= photos) is None
            # Any moment will do: no event is waited for.
            time.sleep(seconds)
            if not is_time or not place.is_running():
                raise Broken("ended by itself")
            done = place.photos().get("done", 0)
            disk.cut_power()
            place.kill()
            disk.unmount()
            disk.mount()
            place.check_moment(reference)
            place.finish()
            place.check_end(reference)
        return done
    finally:
        disk.unmount()
        shutil.rmtree(folder, ignore_errors=True)


def unsynced_folders(trace, existing):
    """Folders, as paths in the trace, that were created and whose parents were not synced after that. `existing` existed
    before: the trace does not say whether mkdir(2) created anything."""
    unsynced = []
    known = set(existing)
    for line in trace:
        _, call, place = line.removeprefix("!").split(" ", 2)
        if call == "mkdir" and place not in known:
            known.add(place)
            unsynced.append(place)
        elif call == "fsync":
            unsynced = [folder for folder in unsynced if os.path.dirname(folder) != place]
        elif call == "syncfs":
            unsynced = []
    return unsynced


def unordered_round(stickerd, folder, elsewhere, mode, number, reference):
    """Kills at one call, and removes everything whose name is not synced. Returns the number of folders removed, or None if
    the run ended before."""
    # The root of the paths in the trace: the test itself created the work folder's entry.
    place = trial.Trial(
        stickerd, f"{folder}/work", mode, elsewhere and f"{elsewhere}/work", notes=folder, traced=(folder, elsewhere))
    with place.round(f"{mode}, call {number}, without order"):
        first, later = trial.contents()
        place.fill(first)
        existing = [str(path.relative_to(folder)) for path in pathlib.Path(folder).glob("**/*") if path.is_dir()]
        place.start(f"kill {number} after")
        place.fill(later)
        if place.wait(until=place.is_done) is None:
            place.stop()
        deed = place.deed()
        lost = unsynced_folders(place.calls(), existing) if deed else []
        for path in lost:
            for top in (folder, elsewhere):
                if top and path.startswith("work/"):
                    shutil.rmtree(f"{top}/{path}", ignore_errors=True)
        place.check_moment(reference)
        place.finish()
        place.check_end(reference)
        return len(lost) if deed else None


def moments(trace, count, chance):
    """Numbers of calls to kill after: half of them removals and moves of originals, the critical calls."""
    changes = [line.split(" ", 2) for line in trace if not line.startswith("0 ")]
    every = [int(number) for number, _, _ in changes]
    leaving = [
        int(number) for number, call, place in changes
        if (call == "unlink" and "inbox/" in place) or (call == "rename" and "archive/" in place and not place.endswith(".tmp"))
    ] or every
    return [chance.choice(leaving if n % 2 else every) for n in range(count)]


def unordered(stickerd, form, chance):
    """Runs the second part and prints its line of figures."""
    with parallel.folders() as (near, far):
        modes = [mode for mode in parallel.modes(near, far) if mode != "keep"]
        rounds = []
        # Traced in the same folder as below, so that the numbers are the same.
        whole = [
            (stickerd, f"{near}/{mode}/work", mode, f"{far}/{mode}/work", (f"{near}/{mode}", f"{far}/{mode}")) for mode in modes]
        for mode, (reference, trace) in zip(modes, parallel.run(trial.undisturbed, whole)):
            for n, number in enumerate(moments(trace, UNORDERED_ROUNDS[form] // len(modes), chance)):
                other = f"{far}/{mode}-{n}" if mode == "elsewhere" else None
                rounds.append((stickerd, f"{near}/{mode}-{n}", other, mode, number, reference))
        done = parallel.run(unordered_round, rounds)
    lost = [count for count in done if count is not None]
    print(f"power: {len(lost)} cuts of {len(rounds)} on a file system without order, in modes {', '.join(modes)}; folders lost"
          f" in {sum(map(bool, lost))} of them, passed")
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
        reference, _ = trial.undisturbed(stickerd, f"{near}/whole")
        rounds = [
            (stickerd, f"{near}/{number}", MODES[number % len(MODES)], chance.randint(0, trial.STICKERS),
             chance.uniform(0, 0.5), reference)
            for number in range(ROUNDS[form])
        ]
        done = parallel.run(round_of, rounds)
    in_the_middle = sum(0 < count < trial.STICKERS for count in done)
    print(f"power: {len(done)} cuts on ext4 in modes {', '.join(MODES)}, {in_the_middle} of them between the first photo and the last,"
          f" passed (seed {seed})")


if __name__ == "__main__":
    main(*sys.argv[1:3])
