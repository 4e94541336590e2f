"""What must be in the packs, given the photos that are there and what was there at the last comparison.

A sticker without a photo is right or wrong by a rule of Docs/Reliability.md, and sometimes by a race (a photo that is deleted
before it is read leaves nothing): then both are right.
"""

import collections
import hashlib
import os
import re

from oracle import Oracle
from world import ANCHOR, pack_of, regular_files

#: A file with a photo: its path as in the inbox, the photo's SHA-256, and whether it is still there and may be read.
Photo = collections.namedtuple("Photo", "path sha256 inode area")


def photos(place):
    """All photos that the daemon's user may read, in the inbox, the archive and the folder of failed ones."""
    found = []
    for area, folder in ("inbox", place.inbox), ("archive", place.archive), ("failed", place.failed):
        for path in sorted(regular_files(folder)):
            file = folder / path
            if path.endswith(".reason.txt") or area == "inbox" and path == ANCHOR:
                continue
            try:
                status = file.lstat()
                data = file.read_bytes()
            except FileNotFoundError:
                continue  # Moved by the daemon; the comparison is repeated.
            # Archived below year, month and day.
            where = "/".join(path.split("/")[3:]) if area == "archive" else path
            sha256 = hashlib.sha256(data).hexdigest()
            place.contents.setdefault(sha256, data)
            found.append(Photo(where, sha256, status.st_ino, area if place.can_read(status) else "unreadable"))
    return found


class Ledger:
    """What the last comparison found."""

    def __init__(self, world):
        self.world = world
        self.oracle = Oracle(world, world.chosen)
        self.photos, self.listed, self.orders, self.removed = [], set(), {}, set()
        #: Photos that came back under another name, with their packs.
        self.renamed = set()
        #: Photos, with their packs, that stickerd may have deleted; it knows them also after a sticker is lost.
        self.taken = set()

    def look(self):
        """Reads photos and packs; returns the problems."""
        self.now = photos(self.world)
        self.found = self.world.packs()
        self.packs = {self.name(folder, index): index for folder, index in self.found.items()}
        self.oracle.learn(self.world.contents)
        self.shown = {
            (pack, sticker["id"].removeprefix("sha256:")): sticker
            for pack, index in self.packs.items() for sticker in index["stickers"]}
        self.gone = {
            (pack, entry["id"].removeprefix("sha256:"))
            for pack, index in self.packs.items() for entry in index.get("removed", [])}
        self.recipes = {
            (pack, sha256): self.oracle.outline(sha256, digest_of(self.world.outbox / self.folder(pack) / sticker["file"]))
            for (pack, sha256), sticker in self.shown.items()}
        checks = (
            self.missing, self.unfounded, self.lost, self.unmoved, self.disobeyed, self.disordered, self.unaccounted,
            self.misnamed)
        return [problem for check in checks for problem in check()]

    def state(self):
        """What a fresh run is given, and decides by."""
        failed = {pack: index.get("failed") for pack, index in self.packs.items()}
        return self.now, self.shown, self.gone, self.recipes, failed

    def folder(self, pack):
        """A pack's folder in the outbox."""
        return next(folder for folder, index in self.found.items() if pack == self.name(folder, index))

    @staticmethod
    def name(folder, index):
        return "." if folder == "." else index["pack"]["name"]

    def settle(self):
        """What was found is right: the next comparison begins with it."""
        self.photos, self.listed, self.removed = self.now, set(self.shown), self.gone
        self.orders = {pack: [sha256 for where, sha256 in self.shown if where == pack] for pack in self.packs}
        if self.world.ever["originals.mode"] != {"keep"}:
            self.taken |= self.listed - self.here(self.now)
        self.world.begin_epoch()

    def here(self, found):
        return {(pack_of(photo.path), photo.sha256) for photo in found if photo.area != "unreadable"}

    def written(self):
        """The photos that were written since the last comparison, to any pack."""
        return {sha256 for _, sha256 in self.world.written}

    def unmoved(self):
        """Photos with a sticker that are still in the inbox, although none ever ended while they were to stay there."""
        if "keep" in self.world.ever["originals.mode"]:
            return
        for photo in self.now:
            if photo.area == "inbox" and (pack_of(photo.path), photo.sha256) in self.shown:
                yield f"still in the inbox: {photo.path}"

    def is_unsure(self, pack, sha256):
        """Whether the daemon may have read the photo before it became unreadable, or is to move its sticker."""
        return any(
            photo.sha256 == sha256 or pack_of(photo.path) == pack for photo in self.now if photo.area == "unreadable")

    def missing(self):
        """Photos that must have a sticker, and have none."""
        in_inbox = {photo.inode for photo in self.now if photo.area == "inbox"}
        # stickerd does not look again at a file that it moved, also if its hard link in the inbox is written over.
        due = [photo for photo in self.now if photo.area == "inbox" or photo.inode not in in_inbox]
        for pack, sha256 in sorted(self.here(due) - self.shown.keys() - self.gone):
            if self.oracle.has_sticker(sha256) and not self.is_skipped(pack, sha256):
                paths = [f"{photo.area}/{photo.path}" for photo in self.now if photo.sha256 == sha256]
                yield f"missing sticker: {sha256[:8]} in {pack}, photo {paths}"

    def is_skipped(self, pack, sha256):
        """Whether the daemon says that a file of the photo is a near-duplicate: pictures of other photos may be similar, too."""
        return "skip" in self.world.ever["duplicates.near"] and any(
            "near-duplicate of" in text for photo in self.now if photo.sha256 == sha256 and pack_of(photo.path) == pack
            for _, text in self.world.explain(self.world.inbox / photo.path))

    def unfounded(self):
        """Stickers without a photo whose rule withdraws them, twice, of removed photos, or with other bytes."""
        for pack, index in self.packs.items():
            ids = [sticker["id"] for sticker in index["stickers"]]
            yield from (f"listed twice: {pack} {sticker}" for sticker in set(ids) if ids.count(sticker) > 1)
        for (pack, sha256), sticker in self.shown.items():
            if (pack, sha256) in self.gone:
                yield f"removed and listed: {sha256[:8]} in {pack}"
            if self.recipes[pack, sha256] is None:
                yield f"sticker missing, or with bytes that no recipe makes: {sticker['file']} in {pack}"
            elif (pack, sha256) not in self.here(self.now) and not self.is_unsure(pack, sha256):
                if reason := self.must_leave(pack, sha256):
                    yield f"sticker without a photo: {sticker['file']} in {pack}: {reason}"
        for pack, sha256 in self.gone:
            if sha256 not in self.world.removed:
                yield f"no command removed it: {sha256[:8]} in {pack}"

    def must_leave(self, pack, sha256):
        """Why a sticker without a photo may not be there, or None."""
        world, was_here = self.world, self.here(self.photos)
        if (pack, sha256) in self.taken:
            return None  # A copy that comes and goes is none of a photo that stickerd moved.
        if (pack, sha256) in self.listed and (pack, sha256) not in was_here and (
                (pack, sha256) not in world.written or world.ever["originals.mode"] != {"keep"}):
            return None  # Kept before, or the same.
        if world.rules == {"withdraw"} and world.modes == {"keep"}:
            return "withdrawn"
        # A copy that stickerd deleted keeps the sticker of one that moves.
        return "moved" if self.has_moved(pack, sha256) and "delete" not in world.ever["originals.mode"] else None

    def has_moved(self, pack, sha256):
        """Whether its file is in another pack now, which had no such photo."""
        inodes = {photo.inode for photo in self.photos if pack_of(photo.path) == pack and photo.sha256 == sha256}
        others = {pack_of(photo.path) for photo in self.now if photo.sha256 == sha256 and photo.inode in inodes} - {pack}
        was_there = self.here(self.photos) | self.listed
        return sha256 not in self.written() and any((other, sha256) not in was_there for other in others)

    def lost(self):
        """Stickers that were kept, or must be, and are not there."""
        here = self.here(self.now)
        elsewhere = {sha256 for _, sha256 in here} | self.written()
        for pack, sha256 in sorted(self.listed - self.shown.keys() - self.gone - here):
            # What was removed, or arrives in another pack, may have moved there.
            is_kept = (pack, sha256) not in self.here(self.photos) or self.world.rules == {"keep"}
            moved = {photo for where, photo in self.shown if where != pack}
            excused = elsewhere | moved | self.world.removed | self.world.endangered
            if is_kept and sha256 not in excused and not self.is_unsure(pack, sha256):
                yield f"lost sticker: {sha256[:8]} in {pack}"

    def disobeyed(self):
        """What commands did to untouched photos, and the daemon forgot or never did."""
        at_rest = self.at_rest()
        verdicts = {photo: "remove" for photo in self.removed} | self.world.verdicts
        for (pack, sha256), verdict in verdicts.items():
            if (pack, sha256) in at_rest and ((pack, sha256) in self.gone) != (verdict == "remove"):
                yield f"{verdict} without effect: {sha256[:8]} in {pack}"
        for pack, sha256 in at_rest & self.shown.keys():
            if self.world.remade and self.recipes[pack, sha256] != self.world.chosen["sticker.outline.width"]:
                yield f"not remade: {sha256[:8]} in {pack}"

    def at_rest(self):
        """Photos that no operation touched since the last comparison."""
        return self.here(set(self.photos) & set(self.now)) - self.world.written

    def disordered(self):
        """Stickers of untouched photos keep their order, and those of new photos follow."""
        at_rest, former = self.at_rest(), {photo.sha256 for photo in self.photos} | {sha256 for _, sha256 in self.listed}
        paths = {photo.path for photo in self.photos}
        new = {(pack_of(photo.path), photo.sha256)
               for photo in self.now if photo.path not in paths and photo.sha256 not in former}
        for pack in self.packs:
            now = [sha256 for where, sha256 in self.shown if where == pack]
            before = [sha256 for sha256 in self.orders.get(pack, []) if sha256 in now and (pack, sha256) in at_rest]
            after = [sha256 for sha256 in now if (pack, sha256) in new]
            if [sha256 for sha256 in now if sha256 in {*before, *after}] != before + after:
                yield f"order: {pack} has {[sha256[:8] for sha256 in now]}, had {[sha256[:8] for sha256 in before]}"

    def misnamed(self):
        """Stickers that are not named like a file of their photo."""
        for (pack, sha256), sticker in self.shown.items():
            files = [photo for photo in self.now if photo.sha256 == sha256 and pack_of(photo.path) == pack]
            names = {os.path.splitext(os.path.basename(photo.path))[0] for photo in files}
            was_kept = (pack, sha256) not in self.here(self.photos) or (pack, sha256) in self.world.written | self.renamed
            if (pack, sha256) in self.listed and was_kept:
                if names and sticker["name"] not in names:
                    self.renamed.add((pack, sha256))
                continue  # It has the name of its time, also if its photo is back under another one.
            # The daemon numbers names of files that it moves.
            if names and all(photo.area == "inbox" for photo in files) and sticker["name"] not in names:
                yield f"misnamed: {sticker['file']} in {pack} is {sticker['name']}, not {sorted(names)}"

    def unaccounted(self):
        """Originals that neither a user took nor the daemon deleted for their sticker."""
        lying = {photo.sha256 for photo in self.now}
        excused = self.world.retired | self.world.removed | self.world.endangered
        if "delete" in self.world.ever["originals.mode"]:
            excused |= {sha256 for _, sha256 in self.shown}
        for sha256 in sorted(self.world.contents.keys() - lying - excused):
            yield f"lost photo: {sha256[:8]}"


def digest_of(path):
    """None if there is no such file."""
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else None


def leftovers(*folders):
    """Files that must not outlast an idle daemon."""
    for folder in folders:
        for path in folder.rglob("*"):
            if re.search(r"\.tmp$|^\.stickerd-|^recovered-", path.name):
                yield f"left over: {os.path.relpath(path, folder.parent)}"
