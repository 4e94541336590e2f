"""The small world of the stress: a daemon with its folders, and what operations did to them since the last comparison."""

import collections
import hashlib
import json
import os
import pathlib
import stat

import photos
from daemon import Daemon

#: As root, the daemon runs as this user, because root may read and write everything. Another user drops photos, too.
USER, OTHER_USER = 12345, 22222
SETTINGS = {
    "sticker.size": 128, "sticker.outline.width": 4, "watch.settleSeconds": 0.1, "watch.rescanSeconds": 1,
    "limits.minFreeBytes": 0, "workers": 2, "colors.export": [], "exports": [], "gallery.enabled": True,
    "duplicates.near": "report", "whenPhotoRemoved": "keep", "originals.mode": "keep"}
#: Not a photo, and never moved or deleted: an inbox without any of its files could be another disk, and is looked at again only
#: after ten minutes.
ANCHOR = "notes.txt"


class Place(Daemon):
    """A daemon whose settings are in a file, so that they can change while it runs."""

    def __init__(self, stickerd, folder, settings):
        self.user = USER if os.geteuid() == 0 else None
        super().__init__(stickerd, folder, user=self.user)
        self.config = self.root / "config.json"
        self.archive, self.failed = self.root / "archive", self.root / "failed"
        self.outside = self.root / "outside"
        self.outside.mkdir()
        self.outbox.mkdir()
        for path in self.root, self.inbox, self.outbox:
            self.give(path)
        self.configure(settings)
        self.put(ANCHOR, b"no photo")

    @property
    def folders(self):
        return [*super().folders, "--config", self.config]

    def configure(self, settings):
        self.chosen = dict(settings)
        nested = {"originals": {"archive": str(self.archive), "failed": str(self.failed)}}
        for key, value in settings.items():
            section, _, name = key.rpartition(".")
            inner = nested
            for part in section.split(".") if section else []:
                inner = inner.setdefault(part, {})
            inner[name] = value
        draft = self.root / "config.draft"
        draft.write_text(json.dumps(nested))
        draft.rename(self.config)

    def give(self, path, owner=None):
        """Makes it the daemon's user's, or `owner`'s, as far as this process may."""
        if self.user is not None:
            os.chown(path, owner or self.user, owner or self.user, follow_symlinks=False)

    def put(self, name, data, mode=0o644, owner=None, moment=None):
        """Renames a complete file to this name. `moment` is its time."""
        draft = self.root / "draft"
        draft.write_bytes(data)
        draft.chmod(mode)
        self.give(draft, owner)
        if moment:
            os.utime(draft, (moment, moment))
        self.parents(name)
        draft.rename(self.inbox / name)

    def parents(self, name):
        """Creates its folders."""
        for parent in reversed((self.inbox / name).relative_to(self.inbox).parents[:-1]):
            if not os.path.lexists(self.inbox / parent):
                (self.inbox / parent).mkdir()
                self.give(self.inbox / parent)
        # A link may lead nowhere.
        (self.inbox / name).parent.stat()

    def can_read(self, status):
        """Whether the daemon's user may read a file, given its status."""
        if self.user is None:
            return True
        shift = 6 if status.st_uid == self.user else 3 if status.st_gid == self.user else 0
        return bool(status.st_mode >> shift & 4)


class World(Place):
    """The daemon under stress, with what happened to it since the last comparison, and ever."""

    def __init__(self, stickerd, folder, settings):
        super().__init__(stickerd, folder, SETTINGS | settings)
        # Longer than a busy machine delays the second half of a slow write.
        self.settings["watch.incompleteSeconds"] = 3
        #: The bytes of all photos that there ever were, by SHA-256.
        self.contents = {}
        #: The values that a setting had.
        self.ever = {key: {value} for key, value in self.chosen.items() if isinstance(value, (str, int))}
        #: Inbox folders that the daemon may not enter at the moment, with their former modes.
        self.closed = {}
        self.kills = 0
        self.damaged = collections.Counter()  # How often each sticker was changed in place.
        self.former = collections.defaultdict(set)  # SHA-256 of the photos that each name has or had.
        self.retired = set()  # SHA-256 of photos that a user deleted, replaced or took out: ever.
        self.removed = set()  # SHA-256 of photos whose stickers a command may have removed: ever.
        self.begin_epoch()

    def begin_epoch(self):
        """A comparison has been made."""
        #: The photos that were written, linked or brought in since, with their packs.
        self.written = set()
        #: SHA-256 of photos that were moved since, and whether the daemon was killed after that.
        self.moved, self.killed = set(), False
        self.rules = {self.chosen["whenPhotoRemoved"]}
        self.modes = {self.chosen["originals.mode"]}
        #: What commands did to photos: the last of "remove" and "restore", by pack and SHA-256.
        self.verdicts = {}
        #: Whether all stickers were to be remade, and their recipe has not changed since.
        self.remade = False
        #: SHA-256 of photos whose stickers somebody deleted or damaged: without the photo, they cannot be made again.
        self.endangered = set()
        #: Whether something was deleted from the outbox that only a reload or a start looks for.
        self.needs_reload = False

    def set(self, key, value):
        self.remade = self.remade and self.chosen[key] == value
        self.configure(self.chosen | {key: value})
        if key in self.ever:
            self.ever[key].add(value)
        self.rules.add(self.chosen["whenPhotoRemoved"])
        self.modes.add(self.chosen["originals.mode"])

    def note(self, name):
        """Remembers the contents of a file that was written."""
        try:
            data = (self.inbox / name).read_bytes()
        except OSError:
            return  # Moved by the daemon: nothing was written since `remember`.
        self.remember(name, data)

    def digest(self, name):
        return hashlib.sha256((self.inbox / name).read_bytes()).hexdigest()

    def remember(self, name, data):
        """Before this is written to a file of this name."""
        sha256 = hashlib.sha256(data).hexdigest()
        self.contents[sha256] = data
        self.written.add((pack_of(name), sha256))
        self.former[name].add(sha256)

    def retire(self, path):
        """Before files are deleted or replaced: their photos may be nowhere from now on."""
        for file in [path, *pathlib.Path(path).rglob("*")]:
            if is_regular(file):
                try:
                    self.retired.add(hashlib.sha256(file.read_bytes()).hexdigest())
                except OSError:
                    pass  # Moved by the daemon.

    def endanger(self, path):
        """Before something in the outbox is deleted or damaged."""
        paths = " ".join(map(str, [path, *path.rglob("*")]))
        endangered = {sha256 for sha256 in self.contents if sha256[:8] in paths}
        self.endangered |= endangered
        if "delete" in self.ever["originals.mode"]:
            # Of what the daemon deleted, this was all that was left.
            self.retired |= endangered - set(map(self.digest, self.files()))

    def files(self):
        """The paths of the regular files in the inbox, except the anchor; links are not followed."""
        return regular_files(self.inbox) - {ANCHOR}


def pack_of(path):
    """The name of a path's pack; the root's is "."."""
    return path.split("/")[0] if "/" in path else "."


def is_regular(path):
    try:
        return stat.S_ISREG(os.lstat(path).st_mode)
    except OSError:
        return False


def regular_files(folder):
    return {
        os.path.relpath(os.path.join(root, name), folder)
        for root, _, names in os.walk(folder) for name in names if is_regular(os.path.join(root, name))}


def drawn(content):
    """The bytes of a photo by its description, such as `subject 3`. `near 3` has other bytes and the same picture."""
    kind, number = content.split()
    if kind == "near":
        return photos.subject(int(number)) + b"\0"
    return getattr(photos, kind)(int(number))
