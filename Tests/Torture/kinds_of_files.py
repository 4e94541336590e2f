"""Files of the inbox become links, folders, pipes and sockets, and the other way round."""

import os
import socket

from in_inbox import create, delete, rename, rename_folder
from operations import operation
from world import drawn


@operation(1)
def link_file(world, file, new_name):
    """A file gets another name, and its former one leads to it."""
    rename(world, file, new_name)
    os.symlink(os.path.relpath(new_name, os.path.dirname(file)), world.inbox / file)


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
