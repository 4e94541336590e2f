"""signal_pack.py FOLDER: builds Signal's manifest of each pack in FOLDER, and reads it back as a client would."""

import json
import sys
from pathlib import Path

from signalstickers_client.classes.signalcrypto import decrypt, derive_key, encrypt
from signalstickers_client.classes.Stickers_pb2 import Pack
from signalstickers_client.models.local_sticker_pack import LocalStickerPack
from signalstickers_client.models.sticker import Sticker

KEY = "5a" * 32


def local(manifest, folder):
    """The pack as the uploader takes it."""
    pack = LocalStickerPack()
    pack.title, pack.author = manifest["title"], manifest["author"]
    for number, listed in enumerate(manifest["stickers"]):
        sticker = Sticker()
        sticker.id, sticker.emoji = number, listed["emoji"]
        sticker.image_data = (folder / listed["file"]).read_bytes()
        pack._addsticker(sticker)
    return pack


def check(path):
    manifest = json.loads(path.read_text())
    assert set(manifest) == {"title", "author", "cover", "stickers"}, set(manifest)
    assert 1 <= len(manifest["stickers"]) <= 200
    for sticker in manifest["stickers"]:
        assert set(sticker) == {"file", "contentType", "emoji"} and sticker["contentType"] == "image/webp", sticker
    pack = local(manifest, path.parent)
    keys = derive_key(KEY)
    read = Pack()
    read.ParseFromString(decrypt(encrypt(pack.manifest, *keys), KEY))
    assert (read.title, read.author) == (manifest["title"], manifest["author"])
    assert [sticker.emoji for sticker in read.stickers] == [sticker["emoji"] for sticker in manifest["stickers"]]
    for sticker in pack.stickers:
        assert len(sticker.image_data) <= 300_000
        assert decrypt(encrypt(sticker.image_data, *keys), KEY) == sticker.image_data
    return len(pack.stickers)


manifests = sorted(Path(sys.argv[1]).rglob("manifest.json"))
assert manifests, "no manifest"
print(f"signal: {sum(map(check, manifests))} stickers in {len(manifests)} manifests pass signalstickers-client")
