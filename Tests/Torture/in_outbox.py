"""Other programs delete or change what the daemon wrote."""

import re
import shutil

from operations import operation
from world import pack_of


def can_make(world, made):
    """Whether the photos of a sticker, a thumbnail, or all stickers in a folder are in the inbox, stay there, and may have
    a sticker."""
    photos = {(pack_of(file), world.digest(file)) for file in world.files() if world.can_read((world.inbox / file).lstat())}
    makers = {(pack, sha256[:8]) for pack, sha256 in photos if world.verdicts.get((pack, sha256)) != "remove"}
    files = [made, *(path.relative_to(world.outbox).as_posix() for path in (world.outbox / made).glob("**/*"))]
    found = [(pack_of(file.replace("thumbnails/", "")), found[1])
             for file in files if (found := re.search(r"-([0-9a-f]{8})[0-9a-f]*\.(?:png|webp)$", file))]
    return world.modes == {"keep"} and makers.issuperset(found)


def lose_for_a_while(world, made):
    """Deletes what can be made again, and waits until it is: the photo stays until then."""
    is_held = world.chosen["limits.minFreeBytes"] > 0
    if not is_held and can_make(world, made) and world.process and world.is_running():
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
def lose_list(world, list_of_files):
    """Of the files of an export."""
    world.needs_reload = True
    lose(world, list_of_files)


@operation(1)
def lose_pack(world, pack):
    world.needs_reload = True
    lose_for_a_while(world, pack)


@operation(1)
def damage_sticker(world, sticker):
    """In place. Without its photo, it would stay damaged; after three times, too."""
    path = world.outbox / sticker
    if not can_make(world, sticker) or world.damaged[sticker] == 3:
        return
    world.damaged[sticker] += 1
    world.endanger(path)
    with open(path, "r+b") as file:
        file.seek(40)
        file.write(b"damaged")
