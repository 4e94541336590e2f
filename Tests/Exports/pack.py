"""pack.py STICKERD FOLDER: a daemon makes a pack in FOLDER/outbox and exports it for every messenger and server."""

import json
import sys
from pathlib import Path

import photos
from daemon import Daemon

NAMES = [
    "whatsapp", "telegram", "signal", "discord", "imessage", "line", "matrix", "mastodon", "misskey", "akkoma", "emoji",
]
#: Enough for two sets of WhatsApp, whose second has to be balanced, and for one of LINE.
COUNT = 31
EMOJI = ["🐱", "👋🏽", "👨‍👩‍👧", "🇩🇪", "1️⃣", "", "❤️"]
WORDS = ["Waving Anna", "Жёлтый кот", "黄色い猫", "Grüße aus Köln", "IMG_0012", "a" * 90, "<b>&\"';"]


def listed(folder):
    """The names in the page's list of exports, except those that are withheld."""
    try:
        text = (folder / "exports.js").read_text()
    except FileNotFoundError:
        return set()
    exports = json.loads(text[text.index("["):text.rindex("]") + 1])
    return {export["name"] for export in exports if "withheld" not in export}


def main(stickerd, folder):
    daemon = Daemon(stickerd, folder, {
        "pack.name": "<Drawn>; “things”", "pack.publisher": "Ada & Bob", "pack.emoji": "🎨", "exports": ":".join(NAMES),
        "imessage.size": "large"})
    for number in range(COUNT):
        name = f"{WORDS[number % len(WORDS)]} {EMOJI[number % len(EMOJI)]} {number}.png".replace("/", "")
        daemon.drop(name, photos.subject(number, side=320))
    daemon.start()

    def is_done():
        index = json.loads((daemon.outbox / "pack.json").read_text()) if (daemon.outbox / "pack.json").exists() else {}
        return len(index.get("stickers", [])) == COUNT and listed(daemon.outbox / "exports") == set(NAMES)

    try:
        assert daemon.wait(is_done, 240) is None, daemon.last_words()
        assert daemon.stop() == 0, daemon.last_words()
    finally:
        daemon.kill()


main(sys.argv[1], Path(sys.argv[2]))
