"""An outbox as a comparable value: what a fresh run over the same photos must make byte for byte, without what history decides.

Left out, or made equal, with the reason (fresh.py lists what is given to the fresh run instead):
- Revisions and dates, in ZIPs, too: a fresh run has made fewer changes, later.
- In names of stickers, thumbnails and palettes, what is before the digest, and more digits of it than eight: a sticker keeps
  the name that its photo had when it was made, and gets a longer one if that was taken.
- Shortcodes (the stickers' digests stand for them): a sticker keeps its own, numbered if another one had it.
- The sizes of archives, in the gallery and the list of exports: names have other lengths.
- The order of failed photos and of those without a subject, and which of several equal ones came first: it is that in which
  their contents were complete.
- The order of removed stickers: that of the removals.
- `exports/names.json` and `exports/.pictures`: they remember stickers that left; archives and folders have the pictures.
- Packs without any entry, if only `pack.json` is left of them: a fresh run does not know that the pack existed.
- Folders and identifiers of packs, which are compared by name: they are numbered if sanitized names are equal.
- Names of pages: no pack here is large enough to have any.
- The files of a sticker that others deleted or changed, if its photo cannot be read when it is to be made again: it is not
  listed then, and what is left of it stays until it is made.
"""

import hashlib
import io
import json
import re
import tarfile
import zipfile

#: The name of a sticker, thumbnail or palette, a shortcode, or a CSS variable. Photos' names have letters only.
NAMED = re.compile(r"[a-z]+([-_])([0-9a-f]{8})(?:[0-9a-f]{8})*(?![0-9a-f])")
#: A sticker or its thumbnail.
LEFT = re.compile(r"(?:thumbnails/)?[^/]*-[0-9a-f]{8,}\.(?:png|webp)")
MOMENT = re.compile(r'"(updated|addedAt|added)":"[^"]*",?|"revision":\d+,?')
SIZE = re.compile(r'("(?:archive|file)":(?:\{"file":)?"[^"]*\.(?:zip|tar\.gz)","bytes":)\d+')
#: A pack's identifier, also in names of archives.
NUMBERED = re.compile(r"(stickers[._][A-Za-z])[-_]\d+")
#: Which of several equal photos without a subject came first.
COPY = re.compile(r"; duplicate of [^\"]*")
FOLDER = re.compile(r'"folder":"[^"]*",|(?<="cover":")[^"/]*/(?=thumbnails)')
WITHOUT = re.compile(r'"without":(\[.*?\]),"withoutCount"')
TEXT = {".gpl", ".json", ".html", ".js", ".css", ".txt"}


def outbox(place):
    """Canonical path -> contents: text of texts, else a digest."""
    packs = place.packs()
    names = {folder: index["pack"]["name"] if folder != "." else "." for folder, index in packs.items()}
    codes = {folder: shortcodes(place.outbox / folder / "exports/names.json") for folder in names}
    tree = {}
    for path in sorted(path for path in place.outbox.rglob("*") if not path.is_dir()):
        relative = path.relative_to(place.outbox)
        top = relative.parts[0] if relative.parts[0] in names and len(relative.parts) > 1 else "."
        rest = "/".join(relative.parts if top == "." else relative.parts[1:])
        if rest == ".stickerd" or rest == "exports/names.json" or rest.startswith("exports/.pictures/"):
            continue
        if top in names and waits(rest, packs[top]):
            continue
        where = f"{names[top]}: {without_names(rest)}" if top in names else rest
        if rest == "pack.json":
            tree[where] = index_of(packs[top])
        elif rest == "packs.js":
            tree[where] = without_names(FOLDER.sub("", path.read_text()))
        else:
            tree |= contents(where, rest, path.read_bytes(), codes.get(top, {}))
    for folder, index in packs.items():
        inside = [where for where in tree if where.startswith(f"{names[folder]}: ")]
        if len(inside) == 1 and folder != "." and not entries(index):
            del tree[inside[0]]
    return tree


def waits(name, index):
    """Whether a file may be left of a sticker whose photo cannot be read."""
    listed = {entry.get(key) for entry in index["stickers"] for key in ("file", "thumbnail")}
    is_unreadable = any(entry["reason"].startswith("permission denied") for entry in index["failed"])
    return is_unreadable and name not in listed and LEFT.fullmatch(name)


def entries(index):
    return index["stickers"] or index["failed"] or index.get("removed") or index["pending"]


def shortcodes(file):
    """Canonical name by shortcode."""
    if not file.exists():
        return {}
    stickers = json.loads(file.read_bytes())["stickers"]
    return {entry["shortcode"]: without_names(name).partition(".")[0] for name, entry in stickers.items() if "shortcode" in entry}


def contents(where, name, data, codes):
    """`codes` are the canonical names of an export's shortcodes."""
    if name.endswith(".zip"):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [(info.filename, archive.read(info)) for info in archive.infolist()]
    elif name.endswith(".tar.gz"):
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            members = [(info.name, archive.extractfile(info).read()) for info in archive if info.isfile()]
    else:
        return {where: text(data.decode()) if name[name.rfind("."):] in TEXT else hashlib.sha256(data).hexdigest()}
    members = [(canonical_name(member, codes), inside) for member, inside in members]
    tree = {where: "\n".join(member for member, _ in members)}
    for member, inside in members:
        tree |= contents(f"{where}!{member}", member, inside, codes)
    return tree


def canonical_name(member, codes):
    """Of a file in an archive."""
    stem, dot, ending = member.rpartition(".")
    return codes[stem] + dot + ending if stem in codes else without_names(member)


def text(data):
    data = COPY.sub("", data)
    data = WITHOUT.sub(lambda found: f'"without":{json.dumps(sorted(json.loads(found[1]), key=str))},"withoutCount"', data)
    return SIZE.sub(r"\1", MOMENT.sub("", without_names(data)))


def without_names(data):
    return NUMBERED.sub(r"\1", NAMED.sub(r"*\1\2", data))


def index_of(index):
    """pack.json with the stickers of all pages."""
    kept = {key: value for key, value in index.items() if key not in ("pages", "schemaVersion")}
    for key in "failed", "removed":
        kept[key] = sorted(kept.get(key, []), key=str)
    return text(json.dumps(kept, separators=(",", ":")))


def differences(ours, fresh):
    """What differs between two outboxes, a line each."""
    for where in sorted(ours.keys() | fresh.keys()):
        if where not in fresh:
            yield f"too many: {where}"
        elif where not in ours:
            yield f"missing: {where}"
        elif ours[where] != fresh[where]:
            yield f"different: {where}{difference(ours[where], fresh[where])}"


def difference(ours, fresh):
    """Where two texts begin to differ."""
    place = next((n for n, (a, b) in enumerate(zip(ours, fresh)) if a != b), min(len(ours), len(fresh)))
    start = max(place - 40, 0)
    return f" has …{ours[start:place + 80]!r}…, a fresh run …{fresh[start:place + 80]!r}…"
