"""A fresh run: a new daemon with the same settings, and the photos that are left, in the order of arrival.

What history decides by a rule is given to it:
- Photos that stickerd archived or deleted, and those whose stickers `keep` retains, are photos like others.
- Photos are in the order in which the packs list them, under the names that the packs show. Whether this order and these
  names are right is for levels.py to say.
- Each sticker is made with the outline of its time; settings are reloaded in between.
- Removed stickers are removed by a command.
- A photo that failed before it became unreadable is readable.
- Near-duplicates that were skipped are left out, and none is skipped.
"""

import os
import signal
import time

from daemon import PATIENCE, Broken
from world import Place, pack_of

#: For several photos of one name.
EXTENSIONS = ["jpg", "jpeg", "webp", "heic", "heif", "avif", "JPG", "JPEG", "WEBP", "HEIC", "HEIF", "AVIF"]


class Fresh(Place):
    def __init__(self, ledger, folder):
        self.ledger, world = ledger, ledger.world
        self.final = world.chosen | {"originals.mode": "keep", "duplicates.near": "report", "whenPhotoRemoved": "keep"}
        super().__init__(world.stickerd, folder, self.final)
        self.clock = time.time() - 3600
        self.count = 1  # The anchor.
        self.taken = {photo.path for photo in ledger.now}
        #: What the daemon may read of what was fed: SHA-256 by path.
        self.fed = {}

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
        """Until every photo is known and, looked at afterwards, none is pending."""
        if not self.process:
            self.start()
        if (status := self.wait(lambda: sum(self.photos().values()) == self.count and self.is_idle())) is not None:
            raise Broken(f"the fresh run ended with {status}\n{self.last_words()}")

    def arrive(self, path, sha256, like=None):
        """`like` is a file with the same permissions."""
        self.clock += 1
        permissions = {"mode": like.st_mode & 0o777, "owner": like.st_uid} if like else {}
        self.put(path, self.ledger.world.contents[sha256], moment=self.clock, **permissions)
        self.count += 1
        if not like:
            self.fed[path] = sha256

    def arrive_listed(self, pack, sticker):
        self.arrive(self.free(pack, sticker["name"]), sticker["id"].removeprefix("sha256:"))

    def free(self, pack, name):
        """A path that no other photo has. A first reading sorts the files of a folder by time, so all are in one folder."""
        prefix = "" if pack == "." else f"{pack}/"
        path = next(f"{prefix}{name}.{ending}" for ending in EXTENSIONS if f"{prefix}{name}.{ending}" not in self.taken)
        self.taken.add(path)
        return path

    def arrive_others(self):
        """Photos that have no sticker, in the inbox and where the daemon moved them."""
        ledger = self.ledger
        for photo in ledger.now:
            key = pack_of(photo.path), photo.sha256
            if photo.area == "unreadable":
                like = None if self.has_failed(photo) else (ledger.world.inbox / photo.path).lstat()
                self.arrive(photo.path, photo.sha256, like)
            elif key not in ledger.shown and (key in ledger.gone or not ledger.oracle.has_sticker(photo.sha256)):
                self.arrive(photo.path if photo.path not in self.fed else self.free(key[0], stem(photo.path)), photo.sha256)
        for pack, sha256 in sorted(ledger.gone - ledger.here(ledger.now)):
            self.arrive(self.free(pack, "removed"), sha256)

    def has_failed(self, unreadable):
        """Whether the daemon read the photo while it could, and goes by what it found: in this file, or else in a copy."""
        index = self.ledger.packs.get(pack_of(unreadable.path), {})
        reasons = {failure["name"]: failure["reason"] for failure in index.get("failed", [])}
        copies = [os.path.basename(photo.path) for photo in self.ledger.now if photo.sha256 == unreadable.sha256]
        own = os.path.basename(unreadable.path)
        names = [own] if own in reasons else copies
        return any(not reasons.get(name, "permission denied").startswith("permission denied") for name in names)

    def remove(self, pack, sha256):
        path = next((path for path, fed in self.fed.items() if fed == sha256 and pack_of(path) == pack), None)
        if not path:
            raise Broken(f"no command removed it: {sha256[:8]} in {pack}")
        end = time.monotonic() + PATIENCE
        while (answer := super().run("remove", *self.folders, self.inbox / path)).returncode:
            # A reload may have put it into the queue again.
            if "try again" not in answer.stderr or time.monotonic() > end:
                raise Broken(f"the fresh run cannot remove {path}: {answer.stderr}")
            time.sleep(0.1)


def stem(path):
    return os.path.splitext(os.path.basename(path))[0]
