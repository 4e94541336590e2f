"""power.py STICKERD short|long: the power goes at random moments. Inbox, outbox and state lie on an ext4 image; the ioctl
for an immediate shutdown, without a flush of its journal, drops whatever nobody synced. After the journal's replay an
undisturbed run has to come to the same end as ever. Needs root.
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


def main(stickerd, form):
    if reason := reason_not_to():
        print(f"power: NOT RUN, this machine cannot: {reason}")
        return
    seed = parallel.seed()
    chance = random.Random(seed)
    with parallel.folders() as (near, _):
        reference, _ = workplace.undisturbed(stickerd, f"{near}/whole")
        rounds = [
            (stickerd, f"{near}/{number}", MODES[number % len(MODES)], chance.randint(0, workplace.STICKERS),
             chance.uniform(0, 0.5), reference)
            for number in range(ROUNDS[form])
        ]
        done = parallel.run(round_of, rounds)
    in_the_middle = sum(0 < count < workplace.STICKERS for count in done)
    print(f"power: {len(done)} cuts in modes {', '.join(MODES)}, {in_the_middle} of them between the first photo and the last,"
          f" all as they should be (seed {seed})")


if __name__ == "__main__":
    main(*sys.argv[1:3])
