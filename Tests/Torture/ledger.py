"""Accounts for every photo: compares the expected files with the inbox, `stickerd status`, the stickers and pack.json."""
import collections
import hashlib
import os
import pathlib
import re

#: The most failed photos that pack.json lists.
MAX_LISTED = 1000


def pack(path):
    return path.split("/")[0] if "/" in path else ""


def files_below(folder):
    for root, _, names in os.walk(folder):
        for name in names:
            yield os.path.relpath(os.path.join(root, name), folder)


def check_inbox(traffic, daemon):
    """Every file is in the inbox and has one state; exactly the files that are not photos are listed as failed. `stickerd verify`
    compares each file with the Library, `check_stickers` each photo with its sticker."""
    problems = []
    lying = set(files_below(traffic.inbox))
    problems += [f"{path}: is not in the inbox any more" for path in traffic.here.keys() - lying]
    problems += [f"{path}: is in the inbox, but was not put there" for path in lying - traffic.here.keys()]
    counts = collections.Counter(daemon.photos())
    kinds = collections.Counter(photo.kind for photo in traffic.here.values())
    # Any photo but a broken one may be a duplicate.
    if (
        counts.total() != len(traffic.here) or counts["failed"] != kinds["broken"] or counts["done"] > kinds["subject"]
        or counts["noSubject"] > kinds["flat"]
    ):
        problems.append(f"{dict(counts)}, and {dict(kinds)} were drawn")
    expected = collections.defaultdict(set)
    for path, photo in traffic.here.items():
        if photo.kind == "broken":
            expected[pack(path)].add(os.path.basename(path))
    for folder, index in daemon.packs().items():
        failed = {entry["name"] for entry in index["failed"]}
        if len(failed) < MAX_LISTED:
            problems += [f"{folder}/{name}: failed or broken" for name in failed ^ expected[name_of(folder, index)]]
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


def name_of(folder, index):
    """The first folder level in the inbox of the pack in this folder of the outbox."""
    return "" if folder == "." else index["pack"]["name"]


def check_stickers(daemon, expected, others_allowed=False):
    """pack.json lists exactly the expected stickers, once; each file exists, and there are no others."""
    problems, listed, packs = [], set(), daemon.packs()
    folders = {path.name for path in daemon.outbox.iterdir() if path.is_dir()} - {"thumbnails", "pack"}
    problems += [f"{folder}: has no pack.json" for folder in folders | {"."} if folder not in packs]
    for folder, index in packs.items():
        place, entries, name = daemon.outbox / folder, index["stickers"], name_of(folder, index)
        if len(entries) != index["stickerCount"]:
            problems.append(f"{place}: lists {len(entries)} stickers and counts {index['stickerCount']}")
        pages = {page["file"] for page in index.get("pages", [])}
        if (place / "index.html").exists():
            scripts = {page.removesuffix("json") + "js" for page in pages}
            page = (place / "index.html").read_text()
            shown = set(re.findall(r'\["(\d+-\d+)",\d+\]', page))
            problems += [f"{place / page}: is missing on the page" for page in scripts ^ {f"pack/{name}.js" for name in shown}]
            pages |= scripts | set(re.findall(r'<script src="(pack/gallery-[0-9a-f]{16}\.js)"', page))
        lying = {f"pack/{path.name}" for path in (place / "pack").glob("*")}
        problems += [f"{place / page}: is missing or too many" for page in pages ^ lying]
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
        if os.path.basename(path).startswith(".") and os.path.basename(path) != ".stickerd" or path.endswith(".tmp")
    ]
