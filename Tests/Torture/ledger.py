"""Accounts for every photo: compares the expected files, the Library, the stickers and pack.json."""
import collections
import contextlib
import hashlib
import json
import os
import pathlib
import sqlite3

# The possible final states of each kind of photo.
ENDINGS = {"subject": {"done", "duplicate"}, "flat": {"noSubject", "duplicate"}, "broken": {"failed"}}


def rows(state, query):
    uri = f"file:{pathlib.Path(state) / 'library.sqlite'}?mode=ro"
    with contextlib.closing(sqlite3.connect(uri, uri=True, timeout=30)) as library:
        return library.execute(query).fetchall()


def unescaped(path):
    """The Library escapes bytes that are not plain text as \\xNN; the names here need no escapes."""
    assert "\\" not in path, path
    return path


def pack(path):
    return path.split("/")[0] if "/" in path else ""


def files_below(folder):
    for root, _, names in os.walk(folder):
        for name in names:
            yield os.path.relpath(os.path.join(root, name), folder)


def check_inbox(traffic, state):
    """Every file in the inbox has one state, the correct one."""
    problems = []
    lying = set(files_below(traffic.inbox))
    problems += [f"{path}: is not in the inbox any more" for path in traffic.here.keys() - lying]
    problems += [f"{path}: is in the inbox, but was not put there" for path in lying - traffic.here.keys()]
    known = collections.defaultdict(list)
    for path, ending, reason in rows(state, "SELECT path, state, reason FROM file"):
        known[unescaped(path)].append((ending, reason))
    for path, photo in traffic.here.items():
        states = known.pop(path, [])
        if len(states) != 1:
            problems.append(f"{path}: has {len(states)} states")
        elif states[0][0] not in ENDINGS[photo.kind]:
            problems.append(f"{path}: is {states[0]}, and drawn as {photo.kind}")
    problems += [f"{path}: is {states} in the Library, and not in the inbox" for path, states in known.items()]
    return problems


def check_originals(traffic, archive, failed):
    """Every photo that arrived and was not taken out is archived or in the folder of failed photos, as often as it arrived."""
    problems = [f"{path}: is still in the inbox" for path in files_below(traffic.inbox)]
    places = {"archive": collections.Counter(), "failed": collections.Counter()}
    for folder, name in ((archive, "archive"), (failed, "failed")):
        for path in files_below(folder):
            if not path.endswith(".txt"):
                places[name][hashlib.sha256((pathlib.Path(folder) / path).read_bytes()).hexdigest()] += 1
    for photo, count in traffic.dropped.items():
        name = "failed" if photo.kind == "broken" else "archive"
        found, expected = places[name].pop(photo.sha256, 0), count - traffic.lifted[photo]
        if found != expected:
            problems.append(f"{photo}: {found} of {expected} in {name}")
    for name, rest in places.items():
        problems += [f"{sha256}: {count} too many in {name}" for sha256, count in rest.items()]
    return problems


def expected_stickers(traffic):
    """(pack, photo) of all photos that must have a sticker: those in the inbox with a subject."""
    return {(pack(path), photo.sha256) for path, photo in traffic.here.items() if photo.kind == "subject"}


def check_stickers(state, outbox, expected, others_allowed=False):
    """pack.json lists exactly the expected stickers, once; each file exists, and there are no others."""
    problems, listed = [], set()
    folders = dict(rows(state, "SELECT name, folder FROM pack"))
    for name, folder in folders.items():
        place = pathlib.Path(outbox) / folder
        try:
            entries = json.loads((place / "pack.json").read_text())["stickers"]
        except FileNotFoundError:
            problems.append(f"{place}: has no pack.json")
            continue
        ids = collections.Counter(entry["id"] for entry in entries)
        problems += [f"{name}: {key} is listed {count} times" for key, count in ids.items() if count > 1]
        listed |= {(name, key.removeprefix("sha256:")) for key in ids}
        files = {entry["file"] for entry in entries}
        lying = {path.name for path in place.glob("*.png")}
        problems += [f"{place / file}: is listed, but does not exist" for file in files - lying]
        problems += [f"{place / file}: exists, but is not listed" for file in lying - files]
        thumbnails = {os.path.basename(entry["thumbnail"]) for entry in entries}
        small = {path.name for path in (place / "thumbnails").glob("*")}
        problems += [f"{place}/thumbnails/{file}: is missing or too many" for file in thumbnails ^ small]
    problems += [f"{key}: has no sticker" for key in expected - listed]
    if not others_allowed:
        problems += [f"{key}: has a sticker, but no photo in the inbox" for key in listed - expected]
    return problems


def check_leftovers(*folders):
    return [
        f"{folder}/{path}: was left behind"
        for folder in folders
        for path in files_below(folder)
        if os.path.basename(path).startswith(".") or path.endswith(".tmp")
    ]
