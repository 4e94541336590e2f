"""Photos arrive in the inbox, change, get other names, and leave."""

import ctypes
import os
import shutil
import time

from operations import operation
from world import OTHER_USER, drawn, pack_of

EXCHANGE, NOREPLACE = 2, 1
libc = ctypes.CDLL(None, use_errno=True)


def relocate(world, old, new, flags=NOREPLACE):
    """Renames in the inbox. No photo gets to another pack whose sticker was removed, or that was moved before a kill."""
    moved = {path for path in world.files() for end in (old, new) if path == end or path.startswith(f"{end}/")}
    if pack_of(f"{old}/x" if old not in moved else old) == pack_of(f"{new}/x" if old not in moved else new) or not any(
            world.digest(path) in world.removed or world.killed and world.digest(path) in world.moved for path in moved):
        move(world, old, new, flags)


def move(world, old, new, flags=NOREPLACE):
    """Renames in the inbox."""
    world.moved |= {world.digest(path) for path in world.files() if pack_of(path) in (pack_of(old), old, new)}
    renameat2(world.inbox / old, world.inbox / new, flags)


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
        # May fail; then nothing arrives.
        world.parents(name)
        world.remember(name, data)
        world.put(name, data, **permissions)


# Names change

@operation(5)
def rename(world, file, new_name):
    """To a name that no photo ever had."""
    if new_name not in world.former:
        world.parents(new_name)
        relocate(world, file, new_name)
        world.former[new_name].add(world.digest(new_name))


@operation(1)
def rename_to_former(world, file, name):
    world.parents(name)
    relocate(world, file, name)


@operation(1)
def move_again(world, file, new_name):
    """A photo that may have been moved before a kill."""
    move_removed(world, file, new_name)


@operation(1)
def move_removed(world, file, new_name):
    """A photo whose sticker was removed, perhaps to a pack that has it."""
    world.parents(new_name)
    move(world, file, new_name)
    world.former[new_name].add(world.digest(new_name))


@operation(2)
def rename_over(world, file, other_file):
    world.retire(world.inbox / other_file)
    os.rename(world.inbox / file, world.inbox / other_file)


@operation(1)
def exchange(world, file, other_file):
    relocate(world, file, other_file, EXCHANGE)


@operation(2)
def rename_folder(world, folder, new_folder):
    """To a name that had none of its files before."""
    if not any(new_folder + path.removeprefix(folder) in world.former for path in world.files() if pack_of(path) == folder):
        relocate(world, folder, new_folder)
        for path in world.files():
            world.former[path].add(world.digest(path))


@operation(1)
def swap_folders(world, folder, other_folder):
    relocate(world, folder, other_folder, EXCHANGE)


@operation(1)
def hard_link(world, file, new_name):
    world.parents(new_name)
    os.link(world.inbox / file, world.inbox / new_name)
    world.note(new_name)


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
    """No user may read it."""
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
