"""A running stickerd with its own folders, and a web server for its outbox."""

import functools
import http.server
import io
import json
import os
import pathlib
import subprocess
import threading
import time

STICKERD = os.environ["STICKERD"]
# Timeout for anything that the daemon does; generous, for a busy machine.
PATIENCE = 60


class Workplace:
    def __init__(self, folder, settings=None):
        self.folder = pathlib.Path(folder)
        self.inbox = self.folder / "inbox"
        self.outbox = self.folder / "outbox"
        self.config = self.folder / "config.json"
        self.inbox.mkdir(parents=True)
        self.config.write_text(json.dumps({"pack": {"name": "Drawn things"}, **(settings or {})}))
        self.process = None

    def drop(self, name, picture):
        """Writes the file under a temporary name and renames it, so that it appears complete."""
        bytes_ = picture
        if not isinstance(picture, bytes):
            buffer = io.BytesIO()
            picture.save(buffer, "PNG")
            bytes_ = buffer.getvalue()
        target = self.inbox / name
        target.parent.mkdir(parents=True, exist_ok=True)
        hidden = target.with_name(f".{os.getpid()}.tmp")
        hidden.write_bytes(bytes_)
        hidden.rename(target)

    def start(self):
        folders = [f"--{name}={self.folder / name}" for name in ("inbox", "outbox", "state")]
        self.log = open(self.folder / "log", "wb")
        self.process = subprocess.Popen(
            [STICKERD, "run", "--config", self.config, *folders], stderr=self.log, stdout=self.log,
            env={"HOME": str(self.folder), "PATH": os.environ["PATH"]})
        return self

    def stop(self):
        self.process.terminate()
        assert self.process.wait(PATIENCE) == 0, (self.folder / "log").read_text()
        self.log.close()

    def index(self, pack="."):
        try:
            return json.loads((self.outbox / pack / "pack.json").read_text())
        except FileNotFoundError:
            return {"stickers": [], "pending": [], "failed": []}

    def contents(self, pack="."):
        """The page's data block."""
        page = (self.outbox / pack / "index.html").read_text()
        start = page.index(OPENING) + len(OPENING)
        return json.loads(page[start:page.index("</script>", start)])

    def settle(self, stickers, pack="."):
        """Waits until this many stickers are on the page, nothing is pending, and the ZIP is written."""
        def is_settled():
            page = self.contents(pack)
            return (len(page["stickers"]), page["pending"]) == (stickers, 0) and (
                not stickers or page.get("archive", {}).get("stickers") == stickers)
        eventually(is_settled, lambda: (self.folder / "log").read_text()[-3000:])


OPENING = '<script type="application/json" id="contents">'


def eventually(holds, explain=lambda: ""):
    end = time.monotonic() + PATIENCE
    while True:
        try:
            if holds():
                return
        except (FileNotFoundError, KeyError, ValueError):
            pass
        assert time.monotonic() < end, f"never happened: {explain()}"
        time.sleep(0.05)


def with_contents(page, contents):
    """The same page with another data block, escaped like the daemon's."""
    start = page.index(OPENING) + len(OPENING)
    text = json.dumps(contents)
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return page[:start] + text + page[page.index("</script>", start):]


class Quiet(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass


class Server:
    """A simple static web server for one folder."""

    def __init__(self, folder):
        handler = functools.partial(Quiet, directory=str(folder))
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/"

    def stop(self):
        self.server.shutdown()
        self.server.server_close()
