"""A fresh run: a new daemon with the same settings, and the photos that are left, in the order of arrival.

What history decides by a rule is given to it:
- Photos that stickerd archived or deleted, and those whose stickers `keep` retains, are photos like others.
- Photos are in the order in which the packs list them, under the names that the packs show. Whether this order and these
  names are right is for levels.py to say.
- Each sticker is made with the outline of its time; settings are reloaded in between.
- Removed stickers are removed by a command.
- Near-duplicates that were skipped are left out, and none is skipped.
"""

import os
import signal
import time

from daemon import Broken
from world import Place, pack_of

#: For several photos of one name.
EXTENSIONS = ["png", "jpg", "jpeg", "webp", "heic", "avif"]


class Fresh(Place):
    def __init__(self, ledger, folder):
        self.ledger, world = ledger, ledger.world
        self.final = world.chosen | {"originals.mode": "keep", "duplicates.near": "report", "whenPhotoRemoved": "keep"}
        super().__init__(world.stickerd, folder, self.final)
        self.clock = time.time() - 3600
        self.taken = {photo.path for photo in ledger.now if photo.area in ("inbox", "unreadable")}
        self.fed, self.given = set(), set()

    def make(self):
        """Feeds photos, those of one recipe at a time, until all are done."""
        ledger = self.ledger
        waiting = {pack: list(index["stickers"]) for pack, index in ledger.packs.items()}
        for pack in waiting.keys() - {"."}:
            self.parents(f"{pack}/x")
        while True:
            heads = [(pack, stickers[0]) for pack, stickers in waiting.items() if stickers]
            outline = self.outline(*heads[0]) if heads else self.final["sticker.outline.width"]
            self.reload(self.final | {"sticker.outline.width": outline})
            for pack, stickers in waiting.items():
                while stickers and self.outline(pack, stickers[0]) == outline:
                    self.arrive_listed(pack, stickers.pop(0))
            if not any(waiting.values()):
                break
            self.go_on()
        self.arrive_others()
        self.go_on()
        self.reload(self.final)
        for pack, sha256 in sorted(ledger.gone):
            self.remove(pack, sha256)
        self.wait(self.is_idle)

    def outline(self, pack, sticker):
        """The recipe of a sticker, from its bytes."""
        return self.ledger.recipes[pack, sticker["id"].removeprefix("sha256:")]

    def reload(self, settings):
        if settings != self.chosen:
            self.configure(settings)
            if self.process:
                before = self.own_words().count("Settings reloaded")
                self.wait(self.is_listening)
                self.process.send_signal(signal.SIGHUP)
                self.wait(lambda: self.own_words().count("Settings reloaded") > before)

    def go_on(self):
        """Until every photo has its state."""
        if not self.process:
            self.start()
        count = len(self.fed) + 1
        if (status := self.wait(lambda: self.is_idle() and sum(self.photos().values()) >= count)) is not None:
            raise Broken(f"the fresh run ended with {status}\n{self.last_words()}")

    def arrive(self, path, sha256, like=None):
        """`like` is a file with the same permissions."""
        self.clock += 1
        permissions = {"mode": like.st_mode & 0o777, "owner": like.st_uid} if like else {}
        self.put(path, self.ledger.world.contents[sha256], moment=self.clock, **permissions)
        self.fed.add(path)

    def arrive_listed(self, pack, sticker):
        sha256 = sticker["id"].removeprefix("sha256:")
        same = [photo for photo in self.ledger.now
                if photo.sha256 == sha256 and pack_of(photo.path) == pack and photo.area == "inbox"]
        named = [photo for photo in same if stem(photo.path) == sticker["name"]]
        for photo in named[:1]:
            self.given.add(photo)
            return self.arrive(photo.path, sha256)
        return self.arrive(self.free(pack, sticker["name"]), sha256)

    def free(self, pack, name):
        """A path for a photo that is not in the inbox."""
        prefix = "" if pack == "." else f"{pack}/kept/"
        path = next(f"{prefix}{name}.{ending}" for ending in EXTENSIONS if f"{prefix}{name}.{ending}" not in self.taken)
        self.taken.add(path)
        return path

    def arrive_others(self):
        """Photos without a sticker, in the order of the packs' lists of failed ones, and copies."""
        ledger = self.ledger
        order = {(pack, entry["name"]): place for pack, index in ledger.packs.items()
                 for place, entry in enumerate(index["failed"])}
        rest = [photo for photo in ledger.now if photo not in self.given]
        for photo in sorted(rest, key=lambda photo: order.get((pack_of(photo.path), os.path.basename(photo.path)), -1)):
            key = pack_of(photo.path), photo.sha256
            if photo.area == "unreadable":
                self.arrive(photo.path, photo.sha256, (ledger.world.inbox / photo.path).lstat())
            elif photo.area == "inbox" and (key in ledger.shown or key in ledger.gone or not ledger.oracle.has_sticker(key[1])):
                self.arrive(photo.path, photo.sha256)
            elif key not in ledger.shown and (key in ledger.gone or not ledger.oracle.has_sticker(key[1])):
                self.arrive(photo.path if photo.path not in self.taken else self.free(key[0], stem(photo.path)), photo.sha256)
        present = ledger.here(ledger.now)
        for pack, sha256 in sorted(ledger.gone - present):
            self.arrive(self.free(pack, "removed"), sha256)

    def remove(self, pack, sha256):
        data = self.ledger.world.contents[sha256]
        same = [path for path in sorted(self.fed) if pack_of(path) == pack and (self.inbox / path).read_bytes() == data]
        if not same:
            raise Broken(f"removed by nobody: {sha256[:8]} in {pack}")
        path = same[0]
        answer = super().run("remove", *self.folders, self.inbox / path)
        if answer.returncode:
            raise Broken(f"the fresh run cannot remove {path}: {answer.stderr}")


def stem(path):
    return os.path.splitext(os.path.basename(path))[0]
