"""What users and programs do to an inbox, an outbox and a daemon. Each operation is a function; its parameters say what a random
one is done to (`choose` in stress.py): `file` is a regular file of the inbox, `name` any name there.

An operation that is impossible, because an earlier one was left out or the daemon moved the file, does nothing.
"""

import ctypes
import os
import re
import shutil
import signal
import socket
import time

from daemon import Broken
from world import OTHER_USER, drawn, pack_of

#: Operations that the present program does not survive, with a reason each. They wait for its new design.
NOT_YET = {
    "become_folder": "the sticker of a photo that became a folder stays, and verify complains",
    "become_pipe": "as become_folder",
    "become_socket": "as become_folder",
    "close_folder": "photos that were read while their folder was closed stay failed",
    "damage_sticker": "a sticker that was changed in place stays in stickers.zip, and its ZIP is never written again",
    "export_palettes": "palettes of photos that are gone stay",
    "link_file": "as become_folder",
    "link_folder": "a folder that is moved and replaced by a link doubles its stickers",
    "lose_archive": "a deleted stickers.zip is written again only when its pack changes",
    "lose_last": "palette and thumbnail stay when a sticker that has no photo is deleted while no daemon runs",
    "lose_palette": "a deleted palette is never written again",
    "rename_over": "a failed photo that is renamed over another one stays in the index of its former pack",
}
#: name -> (function, weight)
OPERATIONS = {}
EXCHANGE = 2
NOREPLACE = 1
libc = ctypes.CDLL(None, use_errno=True)


def operation(weight):
    """Registers a function; another one of twice the weight is chosen twice as often."""
    def register(function):
        OPERATIONS[function.__name__] = function, weight
        return function
    return register


def renameat2(old, new, flags):
    if libc.renameat2(-100, os.fsencode(old), -100, os.fsencode(new), flags):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), str(old))


# Photos arrive

@operation(10)
def create(world, name, content):
    """Complete, by a rename."""
    place(world, name, drawn(content))


@operation(3)
def write(world, name, content):
    """Under its own name from the start."""
    write_slowly(world, name, content, 0)


@operation(2)
def write_slowly(world, name, content, pause):
    """In two parts."""
    if os.path.lexists(world.inbox / name):
        return
    world.parents(name)
    data = drawn(content)
    world.remember(name, data)
    with open(world.inbox / name, "xb", buffering=0) as file:
        world.give(world.inbox / name)
        file.write(data[:len(data) // 2])
        time.sleep(pause)
        file.write(data[len(data) // 2:])


@operation(2)
def overwrite(world, file, content):
    """By a rename."""
    if not os.path.lexists(world.inbox / file):
        return
    data = drawn(content)
    world.retire(world.inbox / file)
    world.remember(file, data)
    world.put(file, data)


@operation(2)
def write_over(world, file, content):
    """In place."""
    world.retire(world.inbox / file)
    data = drawn(content)
    world.remember(file, data)
    with open(world.inbox / file, "r+b", buffering=0) as open_file:
        open_file.truncate(0)
        open_file.write(data)


@operation(1)
def create_foreign(world, name, content, mode):
    """Another user's, which the daemon may read or not."""
    place(world, name, drawn(content), mode=int(mode, 8), owner=OTHER_USER)


def place(world, name, data, **permissions):
    if not os.path.lexists(world.inbox / name):
        world.remember(name, data)
        world.put(name, data, **permissions)


# Names change

@operation(5)
def rename(world, file, name):
    world.parents(name)
    renameat2(world.inbox / file, world.inbox / name, NOREPLACE)


@operation(2)
def rename_over(world, file, other_file):
    world.retire(world.inbox / other_file)
    os.rename(world.inbox / file, world.inbox / other_file)


@operation(1)
def exchange(world, file, other_file):
    renameat2(world.inbox / file, world.inbox / other_file, EXCHANGE)


@operation(2)
def rename_folder(world, folder, new_folder):
    renameat2(world.inbox / folder, world.inbox / new_folder, NOREPLACE)


@operation(1)
def swap_folders(world, folder, other_folder):
    renameat2(world.inbox / folder, world.inbox / other_folder, EXCHANGE)


@operation(1)
def hard_link(world, file, name):
    world.parents(name)
    os.link(world.inbox / file, world.inbox / name)
    world.note(name)


@operation(1)
def take_out(world, file):
    """It comes back later, or never."""
    world.retire(world.inbox / file)
    os.rename(world.inbox / file, world.outside / file.replace("/", ":"))


@operation(2)
def bring_back(world, taken):
    world.parents(taken.replace(":", "/"))
    renameat2(world.outside / taken, world.inbox / taken.replace(":", "/"), NOREPLACE)
    world.note(taken.replace(":", "/"))


# Other kinds of files

@operation(1)
def link_file(world, file, name):
    """A file gets another name, and its former one leads to it."""
    rename(world, file, name)
    os.symlink(os.path.relpath(name, os.path.dirname(file)), world.inbox / file)


@operation(1)
def link_folder(world, folder, new_folder):
    rename_folder(world, folder, new_folder)
    os.symlink(new_folder, world.inbox / folder)


@operation(1)
def link_outside(world, name, content):
    target = world.outside / "linked.png"
    target.write_bytes(drawn(content))
    world.parents(name)
    os.symlink(target, world.inbox / name)


@operation(1)
def become_folder(world, file):
    delete(world, file)
    (world.inbox / file).mkdir()
    world.give(world.inbox / file)


@operation(1)
def become_pipe(world, file):
    delete(world, file)
    os.mkfifo(world.inbox / file)
    world.give(world.inbox / file)


@operation(1)
def become_socket(world, file):
    delete(world, file)
    with socket.socket(socket.AF_UNIX) as new:
        # A socket's path may have at most 108 bytes.
        new.bind(str(world.root / "socket"))
    os.rename(world.root / "socket", world.inbox / file)


@operation(1)
def become_file(world, special, content):
    """What is no regular file becomes a photo."""
    path = world.inbox / special
    if os.path.isdir(path) and not os.path.islink(path):
        path.rmdir()
    else:
        path.unlink()
    create(world, special, content)


# Contents change, or only look like it

@operation(1)
def truncate(world, file):
    """To half its size. A daemon takes an empty file ten seconds later."""
    path = world.inbox / file
    world.retire(path)
    with open(path, "r+b") as open_file:
        open_file.truncate(path.stat().st_size // 2 or 1)
    world.note(file)


@operation(2)
def append(world, file):
    world.retire(world.inbox / file)
    with open(world.inbox / file, "r+b") as open_file:
        open_file.seek(0, os.SEEK_END)
        open_file.write(b"\0")
    world.note(file)


@operation(1)
def touch(world, file):
    os.utime(world.inbox / file)


@operation(1)
def rewrite(world, file):
    """The same bytes, in place."""
    with open(world.inbox / file, "r+b", buffering=0) as open_file:
        data = open_file.read()
        world.remember(file, data)
        open_file.seek(0)
        open_file.write(data)


@operation(1)
def protect(world, file):
    """Nobody may read it."""
    (world.inbox / file).chmod(0)


@operation(1)
def unprotect(world, protected):
    (world.inbox / protected).chmod(0o644)
    world.note(protected)


@operation(1)
def close_folder(world, folder):
    """Until `open_folders`."""
    path = world.inbox / folder
    if folder and path.is_dir() and not path.is_symlink() and folder not in world.closed:
        world.closed[folder] = path.stat().st_mode & 0o777
        path.chmod(0)


@operation(1)
def open_folders(world, closed):
    """All of them, whichever is given."""
    open_all(world)


def open_all(world):
    for folder, mode in world.closed.items():
        # If it was renamed meanwhile, all are opened.
        for path in {world.inbox / folder, *(path for path in world.inbox.iterdir() if path.is_dir())}:
            if path.is_dir() and not path.is_symlink():
                path.chmod(mode)
    world.closed.clear()


# Deletions

@operation(5)
def delete(world, file):
    world.retire(world.inbox / file)
    (world.inbox / file).unlink()


@operation(1)
def delete_folder(world, folder):
    if folder:
        world.retire(world.inbox / folder)
        shutil.rmtree(world.inbox / folder)


def can_make(world, made):
    """Whether the photos of a sticker, a thumbnail, or all stickers in a folder are in the inbox, and stay there."""
    photos = {(pack_of(file), world.digest(file)[:8])
              for file in world.files() if world.can_read((world.inbox / file).lstat())}
    files = [made, *(path.relative_to(world.outbox).as_posix() for path in (world.outbox / made).glob("**/*"))]
    found = [(pack_of(file.replace("thumbnails/", "")), found[1])
             for file in files if (found := re.search(r"-([0-9a-f]{8})[0-9a-f]*\.(?:png|webp)$", file))]
    return world.modes == {"keep"} and photos.issuperset(found)


def lose_for_a_while(world, made):
    """Deletes what can be made again, and waits until it is: the photo stays until then."""
    if can_make(world, made) and world.process and world.is_running():
        lose(world, made)
        world.wait((world.outbox / made).exists)


def lose(world, made):
    path = world.outbox / made
    world.endanger(path)
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()


@operation(2)
def lose_sticker(world, sticker):
    lose_for_a_while(world, sticker)


@operation(1)
def lose_last(world, sticker):
    """Perhaps nothing can make it again."""
    lose(world, sticker)


@operation(1)
def lose_thumbnail(world, thumbnail):
    lose_for_a_while(world, thumbnail)


@operation(1)
def lose_index(world, index):
    """pack.json, the gallery's page, its script, or the list of packs."""
    lose(world, index)


@operation(1)
def lose_palette(world, palette):
    lose(world, palette)


@operation(1)
def lose_archive(world, archive):
    lose(world, archive)


@operation(1)
def lose_export(world, exported):
    world.needs_reload = True
    lose(world, exported)


@operation(1)
def lose_pack(world, pack):
    world.needs_reload = True
    lose_for_a_while(world, pack)


@operation(1)
def damage_sticker(world, sticker):
    """In place. Without its photo, it would stay damaged."""
    if not can_make(world, sticker):
        return
    world.endanger(world.outbox / sticker)
    with open(world.outbox / sticker, "r+b") as file:
        file.seek(40)
        file.write(b"damaged")


# The process

@operation(2)
def kill(world):
    if world.process and world.is_running():
        world.kills += 1
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
    if not world.can_read((world.inbox / file).lstat()):
        return
    world.removed.add(world.digest(file))
    command(world, "remove", world.inbox / file)


@operation(1)
def remove_sticker(world, sticker):
    world.removed |= {sha256 for sha256 in world.contents if f"-{sha256[:8]}" in sticker}
    command(world, "remove", world.outbox / sticker)


@operation(2)
def restore(world, file):
    command(world, "restore", world.inbox / file)


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
    command(world, "remake", which)


@operation(1)
def repair(world):
    command(world, "verify", "--repair")


def command(world, name, *arguments):
    """Its status is not compared: what it is for may have gone."""
    if name == "restore":
        world.restored = True
    answer = world.run(name, *world.folders, *arguments)
    if answer.returncode < 0:
        raise Broken(f"{name} ended by signal {-answer.returncode}: {answer.stderr}")
