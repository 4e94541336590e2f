"""exports.py STICKERD short|long: SIGKILL at calls that change something below exports/, while a pack is exported and while
one more sticker changes its exports; then an undisturbed run. At the moment of the kill, every file there is complete, and
lists refer to files that are there; at the end, all are those of a run without a kill, and nothing is left over.
"""

import hashlib
import json
import random
import sys
import tarfile
import zipfile
import zlib

import parallel
import photos
import trial
from daemon import Broken

#: With pictures, lists, folders and both kinds of archives.
NAMES = ["whatsapp", "signal", "imessage", "mastodon"]
FIRST, ALL = 4, 5
SHORT = 16
#: Files that are no part of an export.
OWN = {"files.txt"}


class Pack(trial.Shimmed):
    def __init__(self, stickerd, folder):
        super().__init__(
            stickerd, folder, f"{folder}/outbox/exports", {"exports": ":".join(NAMES), "pack.publisher": "Ada"})
        self.exports = self.outbox / "exports"

    def fill(self, numbers):
        for number in numbers:
            if not (self.inbox / f"cat {number}.png").exists():
                self.drop(f"cat {number}.png", photos.subject(number))

    def files(self):
        """Digests of all files by name, without drafts and what is not in an export's folder."""
        found = {}
        for path in self.exports.glob("*/**/*"):
            name = path.relative_to(self.exports)
            if path.is_file() and not any(part.startswith(".") for part in name.parts) and path.name not in OWN:
                try:
                    found[str(name)] = hashlib.sha256(path.read_bytes()).hexdigest()
                except FileNotFoundError:
                    pass  # Removed since it was listed.
        return found

    def has_exported(self, stickers):
        """Whether all exports have this many stickers, and their list is written."""
        try:
            sets = self.read("whatsapp/contents.json")["sticker_packs"]
            with zipfile.ZipFile(self.one("signal/*.zip")) as archive:
                archived = len(archive.namelist()) - 1
            with tarfile.open(self.one("mastodon/*.tar.gz")) as archive:
                packed = len(archive.getnames())
            counts = {
                sum(len(one["stickers"]) for one in sets), archived, packed, len(self.read("names.json")["stickers"]),
                len(self.read("signal/*/manifest.json")["stickers"]),
                len(self.read("imessage/*.stickerpack/Contents.json")["stickers"])}
            # The list is written last.
            listed = (self.exports / "exports.js").read_text()
            sizes = [self.one(pattern).stat().st_size for pattern in ("signal/*.zip", "mastodon/*.tar.gz")]
        except (StopIteration, FileNotFoundError):
            return False
        return counts == {stickers} and all(f'"bytes":{size}' in listed for size in sizes)

    def one(self, pattern):
        return next(self.exports.glob(pattern))

    def read(self, pattern):
        return json.loads(self.one(pattern).read_text())

    def export(self, plan=None):
        """Exports the first photos, then one more. Returns the status if the daemon ends by itself, or None."""
        self.fill(range(FIRST))
        self.start(plan)
        status = self.wait(lambda: self.has_exported(FIRST))
        if status is None:
            self.fill(range(ALL))
            status = self.wait(lambda: self.has_exported(ALL))
        return status


def whole(stickerd, folder):
    """The files of an undisturbed run after the first photos and after all, and the trace."""
    place = Pack(stickerd, folder)
    with place.round("count"):
        place.fill(range(FIRST))
        place.start("count")
        references = []
        for count in (FIRST, ALL):
            place.fill(range(count))
            if place.wait(lambda: place.has_exported(count)) is not None:
                raise Broken("ended by itself")
            references.append(place.files())
        if place.stop():
            raise Broken("ended with an error")
        return references, place.calls()


def is_complete(path):
    """Whether a list or an archive ends properly: on a busy machine, those of fewer stickers are written in between."""
    try:
        if path.suffix == ".zip":
            with zipfile.ZipFile(path) as archive:
                return archive.testzip() is None
        if path.suffix == ".gz":
            with tarfile.open(path) as archive:
                return all(archive.extractfile(member).read() for member in archive if member.isfile())
        if path.name == "withheld.txt":
            return path.read_text().endswith(".\n")
        return path.suffix == ".json" and bool(json.loads(path.read_text()))
    except (OSError, EOFError, ValueError, tarfile.TarError, zipfile.BadZipFile, zlib.error):
        return False


def check_moment(place, references):
    """Every file is one of an undisturbed run, or complete, and a list's files are there."""
    for name, sha256 in place.files().items():
        if sha256 not in [reference.get(name) for reference in references] and not is_complete(place.exports / name):
            raise Broken(f"{name} is not what it should be at the moment of the kill")
    for path in place.exports.glob("signal/*/manifest.json"):
        for sticker in json.loads(path.read_text())["stickers"]:
            if not (path.parent / sticker["file"]).exists():
                raise Broken(f"{path.name} lists {sticker['file']}, which is not there")


def check_end(place, reference):
    if (found := place.files()) != reference:
        names = sorted(name for name in found.keys() | reference.keys() if found.get(name) != reference.get(name))
        raise Broken(f"exports differ: {names}")
    left = [str(path) for path in place.outbox.glob("**/.stickerd-*")]
    if left:
        raise Broken(f"left over: {left}")


def round_of(stickerd, folder, plan, references):
    """One kill, and the checks after it. Returns the call at which it was killed, or None if the run ended before."""
    place = Pack(stickerd, folder)
    with place.round(plan):
        status = place.export(plan)
        if status is None:
            status = place.stop()
        trial.check_kill(place, status)
        check_moment(place, references)
        place.fill(range(ALL))
        place.go_on(lambda: place.has_exported(ALL) and place.files() == references[1])
        check_end(place, references[1])
        return place.deed()


def points(trace, is_long, chance):
    """(number, how) of the kills."""
    every = []
    for line in trace:
        number, call, _ = line.split(" ", 2)
        if number == "0":
            continue
        every.append((int(number), chance.choice(["before", "after"])))
        if call in ("write", "pwrite"):
            every.append((int(number), "torn"))
    if is_long:
        return every
    step = len(every) / SHORT
    return [every[int(step * n + chance.random() * step)] for n in range(SHORT)]


def main(stickerd, form):
    seed = parallel.seed()
    chance = random.Random(seed)
    with parallel.folders() as (near, _):
        references, trace = whole(stickerd, f"{near}/whole")
        kills = points(trace, form == "long", chance)
        rounds = [
            (stickerd, f"{near}/{n}", f"kill {number} {how}", references) for n, (number, how) in enumerate(kills)]
        deeds = parallel.run(round_of, rounds)
    killed = [deed for deed in deeds if deed]
    print(f"exports: {len(killed)} kills of {len(rounds)} rounds, passed (seed {seed})")
    if len(killed) < 0.7 * len(rounds):
        sys.exit("exports: too few rounds came to their kill")


if __name__ == "__main__":
    main(*sys.argv[1:3])
