#!/usr/bin/env python3
"""planted.py STICKERD: checks that the stress finds errors. It plants each kind of error in what a daemon made, which is
stopped so that it cannot repair anything, and the comparison must find each one."""

import shutil
import signal
import sys

import scenario
import settling
from daemon import Broken

PHOTOS = [
    ["create", "ant.png", "subject 0"], ["create", "bee.png", "subject 1"], ["create", "A/cat.png", "subject 2"],
    ["create", "A/dog.png", "flat 3"], ["create", "eel.png", "broken 0"]]


def sticker(world, name="ant"):
    return next(world.outbox.glob(f"{name}-*.png"))


def change(path, old, new):
    data = path.read_text()
    assert old in data
    path.write_text(data.replace(old, new, 1))


def swap(world):
    """The order of two stickers."""
    pack = world.outbox / "pack.json"
    *head, first, second = pack.read_text().split('{"id":')
    second, end = second.rsplit("]", 1)
    pack.write_text('{"id":'.join([*head, second + ",\n", first.rstrip(",\n")]) + "]" + end)


def older(world):
    """A ZIP that lacks the last photo."""
    shutil.copyfile(world.outbox / "A/stickers.zip", world.outbox / "stickers.zip")


PLANTS = {
    "a sticker is missing": lambda world: sticker(world).unlink(),
    "a sticker shows another photo": lambda world: shutil.copyfile(sticker(world, "bee"), sticker(world)),
    "a sticker has another page's thumbnail": lambda world: shutil.copyfile(
        *(next((world.outbox / "thumbnails").glob(f"{name}-*")) for name in ("bee", "ant"))),
    "a sticker has another name": lambda world: change(world.outbox / "pack.json", '"name":"ant"', '"name":"bat"'),
    "the order is wrong": swap,
    "a ZIP is older": older,
    "the gallery's page is older": lambda world: change(world.outbox / "index.html", '"name":"ant"', '"name":"bat"'),
    "a failed photo is not listed": lambda world: change(world.outbox / "pack.json", '"eel.png"', '"eex.png"'),
    "the list of packs is older": lambda world: change(world.outbox / "packs.js", '"stickers":2', '"stickers":1'),
    "a file belongs to nothing": lambda world: (world.outbox / "thumbnails/old-01234567.webp").write_bytes(b""),
    "a temporary file is left": lambda world: (world.outbox / "A/x.tmp").write_bytes(b""),
    "a photo is lost": lambda world: (world.inbox / "A/dog.png").unlink(),
    "a sticker has no photo": lambda world: (world.inbox / "bee.png").unlink(),
}


def main(stickerd):
    settling.PATIENCE = 1
    missed = []
    for name, plant in PLANTS.items():
        with scenario.Run(stickerd, {"whenPhotoRemoved": "withdraw"}) as run:
            for step in PHOTOS:
                run.do(*step)
            settling.PATIENCE = 60
            run.do("settle")
            run.world.process.send_signal(signal.SIGSTOP)
            plant(run.world)
            settling.PATIENCE = 1
            try:
                run.do("settle")
                missed.append(name)
            except Broken as broken:
                print(f"{name}: {str(broken).splitlines()[0][:100]}", flush=True)
    if missed:
        sys.exit(f"planted: not found: {missed}")
    print(f"planted: {len(PLANTS)} of {len(PLANTS)} errors found")


if __name__ == "__main__":
    main(*sys.argv[1:])
