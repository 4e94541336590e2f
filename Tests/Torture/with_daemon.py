"""The daemon ends, starts and reloads, and commands are run beside it."""

import signal
import time

from daemon import PATIENCE, Broken
from operations import operation
from world import pack_of


#: More bytes than any disk has.
FULL = 10 ** 15


@operation(2)
def kill(world):
    if world.process and world.is_running():
        world.kills += 1
        world.killed = bool(world.moved)
        world.kill()


@operation(2)
def stop(world):
    if world.process and world.is_running() and (status := world.stop(signal.SIGTERM)):
        raise Broken(f"the daemon ended with {status} after SIGTERM")


@operation(4)
def start(world):
    if not world.process or not world.is_running():
        world.start()


@operation(4)
def reload(world, key, value):
    """Changes a setting."""
    world.set(key, value)
    if world.process and world.is_running():
        world.wait(world.is_listening)
        world.process.send_signal(signal.SIGHUP)


@operation(1)
def export_palettes(world, formats):
    reload(world, "colors.export", formats)


@operation(1)
def hold(world):
    """No photo is claimed until the next comparison, as if the disk were full."""
    reload(world, "limits.minFreeBytes", FULL)


@operation(1)
def skip_near(world):
    """Near-duplicates get no sticker from now on."""
    reload(world, "duplicates.near", "skip")


@operation(2)
def restart(world, mode):
    """Changes what becomes of originals, which needs a start."""
    stop(world)
    world.set("originals.mode", mode)
    world.start()


@operation(3)
def pause(world, seconds):
    time.sleep(seconds)


# Commands

@operation(2)
def remove(world, file):
    """What cannot be read has no digest that could be recorded."""
    if world.can_read((world.inbox / file).lstat()):
        sha256 = world.digest(file)
        # The daemon may not have read the latest contents yet.
        world.removed |= world.former[file] | {sha256}
        judge(world, "remove", world.inbox / file, (pack_of(file), sha256))


@operation(1)
def remove_sticker(world, sticker):
    for sha256 in list(world.contents):
        if f"-{sha256[:8]}" in sticker:
            world.removed.add(sha256)
            judge(world, "remove", world.outbox / sticker, (pack_of(sticker), sha256))


@operation(2)
def restore(world, file):
    judge(world, "restore", world.inbox / file, (pack_of(file), world.digest(file)))
    if not world.can_read((world.inbox / file).lstat()) or any(file.startswith(f"{folder}/") for folder in world.closed):
        # The command means the contents that the daemon read last. Once the daemon can read the file again, it is a new arrival.
        world.written |= {(pack_of(file), sha256) for sha256 in world.former[file]}


def judge(world, name, path, photo):
    """`photo` is its pack and SHA-256."""
    if command(world, name, path):
        world.verdicts[photo] = name


@operation(1)
def retry(world, file):
    command(world, "retry", world.inbox / file)


@operation(1)
def look(world, file):
    """At everything that changes nothing."""
    for arguments in ["status"], ["explain", "--", world.inbox / file], ["verify"]:
        command(world, *arguments)


@operation(1)
def remake(world, which):
    world.remade = command(world, "remake", which)


@operation(1)
def repair(world):
    command(world, "verify", "--repair")


def command(world, name, *arguments):
    """Whether it succeeds: what it is for may have gone."""
    # A repair waits as long for a daemon that has no room on its disk.
    answer = world.run(name, *world.folders, *arguments, seconds=2 * PATIENCE)
    if answer.returncode < 0:
        raise Broken(f"{name} ended by signal {-answer.returncode}: {answer.stderr}")
    return answer.returncode == 0
