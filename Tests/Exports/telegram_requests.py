"""telegram_requests.py FOLDER: sends the requests in FOLDER with python-telegram-bot to a server that checks them as Telegram does.

Rules: https://core.telegram.org/bots/api#createnewstickerset and the methods and types that it links to.
"""

import asyncio
import email
import email.policy
import http.server
import io
import json
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from PIL import Image
from telegram import Bot, InputSticker
from telegram.error import BadRequest

MANUAL = Path(__file__).parents[2] / "Docs/Exports.md"
BOT = "drawn_things_bot"
OWNER = 7


class Rejection(Exception):
    """What Telegram answers to a request that breaks a rule."""


def require(is_right, why):
    if not is_right:
        raise Rejection(why)


def check_sticker(sticker, files):
    require(sticker["format"] == "static", "format")
    require(1 <= len(sticker["emoji_list"]) <= 20 and all(sticker["emoji_list"]), "emoji_list")
    keywords = sticker.get("keywords", [])
    require(len(keywords) <= 20 and sum(map(len, keywords)) <= 64 and all(keywords), "keywords")
    require(sticker["sticker"].startswith("attach://"), "sticker")
    data = files[sticker["sticker"].removeprefix("attach://")]
    require(len(data) <= 512_000, "the file is too large")
    image = Image.open(io.BytesIO(data))
    require(image.format in ("PNG", "WEBP"), image.format)
    require(max(image.size) == 512, f"no side has 512 pixels: {image.size}")


class Telegram(http.server.BaseHTTPRequestHandler):
    sets = {}
    titles = {}

    def log_message(self, *_):
        pass

    def fields(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        head = f"Content-Type: {self.headers['Content-Type']}\r\n\r\n".encode()
        message = email.message_from_bytes(head + body, policy=email.policy.HTTP)
        return {part.get_param("name", header="content-disposition"): part.get_payload(decode=True) for part in message.iter_parts()}

    def do_POST(self):
        try:
            getattr(self, self.path.rsplit("/", 1)[1])(self.fields())
            self.answer(200, {"ok": True, "result": True})
        except Rejection as why:
            self.answer(400, {"ok": False, "error_code": 400, "description": f"Bad Request: {why}"})

    def answer(self, status, reply):
        data = json.dumps(reply).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def createNewStickerSet(self, fields):
        name, title = fields["name"].decode(), fields["title"].decode()
        require(re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name) and "__" not in name, f"name {name}")
        require(len(name) <= 64 and name.endswith(f"_by_{BOT}"), f"name {name}")
        require(name not in self.sets, "the name is taken")
        require(1 <= len(title) <= 64, "title")
        stickers = json.loads(fields["stickers"])
        require(1 <= len(stickers) <= 50, f"{len(stickers)} stickers")
        for sticker in stickers:
            check_sticker(sticker, fields)
        self.sets[name] = len(stickers)
        self.titles[name] = title

    def addStickerToSet(self, fields):
        name = fields["name"].decode()
        require(name in self.sets, f"no set {name}")
        check_sticker(json.loads(fields["sticker"]), fields)
        self.sets[name] += 1
        require(self.sets[name] <= 120, "the set is full")

    def setStickerSetThumbnail(self, fields):
        data = fields["thumbnail"]
        require(len(data) <= 128_000 and Image.open(io.BytesIO(data)).size == (100, 100), "thumbnail")


def sticker(body, folder):
    """An `InputSticker` as the request has it, with its file."""
    assert set(body) <= {"sticker", "format", "emoji_list", "keywords"}, set(body)
    data = (folder / body["sticker"].removeprefix("attach://")).read_bytes()
    return InputSticker(data, body["emoji_list"], body["format"], keywords=body.get("keywords") or None)


async def send(bot, folder):
    creation = json.loads((folder / "create.json").read_text())
    assert set(creation) == {"name", "title", "stickers"}, set(creation)
    name = creation["name"].replace("<bot>", BOT)
    stickers = [sticker(body, folder) for body in creation["stickers"]]
    await bot.create_new_sticker_set(OWNER, name, creation["title"], stickers)
    for path in sorted(folder.glob("*.json")):
        if path.name == "create.json":
            continue
        addition = json.loads(path.read_text())
        await bot.add_sticker_to_set(OWNER, addition["name"].replace("<bot>", BOT), sticker(addition["sticker"], folder))
    [thumbnail] = folder.glob("thumbnail.*")
    await bot.set_sticker_set_thumbnail(name, OWNER, "static", thumbnail.read_bytes())
    # The server is no rubber stamp.
    wrong = InputSticker((folder / thumbnail.name).read_bytes(), ["🐱"], "static")
    for request in (
        bot.add_sticker_to_set(OWNER, name, wrong),
        bot.create_new_sticker_set(OWNER, f"two__lines_by_{BOT}", "Wrong", stickers[:1]),
    ):
        try:
            await request
        except BadRequest:
            continue
        raise AssertionError("the server accepted a wrong request")
    return Telegram.sets[name]


def follow_manual(folder, address):
    """Creates a set with the manual's command."""
    command = "bot=" + MANUAL.read_text().split("```sh\nbot=")[1].split("```")[0]
    command = command.replace("https://api.telegram.org", address).replace("my_bot", BOT)
    with tempfile.TemporaryDirectory() as copy:
        shutil.copytree(folder, copy, dirs_exist_ok=True)
        subprocess.run(["sh", "-ec", command], cwd=copy, check=True, stdout=subprocess.DEVNULL)
    creation = json.loads((folder / "create.json").read_text())
    name = creation["name"].replace("<bot>", BOT)
    assert Telegram.titles.get(name) == creation["title"], Telegram.titles
    assert Telegram.sets.pop(name) == len(creation["stickers"])


async def main(folder):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Telegram)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    folders = sorted(path.parent for path in folder.rglob("create.json"))
    assert folders, "no set"
    address = f"http://127.0.0.1:{server.server_port}"
    for set_folder in folders:
        follow_manual(set_folder, address)
    bot = Bot("1:loopback", base_url=f"{address}/bot")
    sent = [await send(bot, folder) for folder in folders]
    print(f"telegram: {sum(sent)} stickers in {len(sent)} sets sent with python-telegram-bot")


asyncio.run(main(Path(sys.argv[1])))
