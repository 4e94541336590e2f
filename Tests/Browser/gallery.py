"""A daemon, the pages of its packs, and a web server for its outbox."""

import functools
import http.server
import json
import os
import threading

from daemon import Daemon

STICKERD = os.environ["STICKERD"]
OPENING = '<script type="application/json" id="contents">'


class Gallery(Daemon):
    def __init__(self, folder):
        super().__init__(STICKERD, folder, {"pack.name": "Drawn things"})

    def contents(self, pack="."):
        """The page's data block."""
        page = (self.outbox / pack / "index.html").read_text()
        start = page.index(OPENING) + len(OPENING)
        return json.loads(page[start:page.index("</script>", start)])

    def has_stickers(self, count):
        """Whether the page has this many, in pages or not."""
        if not (self.outbox / "index.html").exists():
            return False
        contents = self.contents()
        return count == (sum(count for _, count in contents["pages"]) if "pages" in contents else len(contents["stickers"]))

    def settle(self, stickers, pack="."):
        """Waits until this many stickers are on the page, nothing is pending, and the ZIP is written."""
        def is_settled():
            if not (self.outbox / pack / "index.html").exists():
                return False
            page = self.contents(pack)
            return (len(page["stickers"]), page["pending"]) == (stickers, 0) and (
                not stickers or page.get("archive", {}).get("stickers") == stickers)
        assert self.wait(is_settled) is None, self.last_words()


def pass_time(page, milliseconds=0):
    """Returns when the page has run every timer that was due by then, and drawn another frame."""
    page.evaluate("""(milliseconds) => new Promise((done) => setTimeout(
        () => requestAnimationFrame(() => requestAnimationFrame(done)), milliseconds))""", milliseconds)


def await_change(page, condition, arg=None):
    """Waits until a condition holds, with a page that looks for changes every second, as when it comes to the front: by itself it
    looks less often."""
    page.wait_for_function(
        "([arg]) => { document.dispatchEvent(new Event('visibilitychange')); return (" + condition + ")(arg); }", arg=[arg],
        polling=1000)


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

    def do_GET(self):
        self.server.requested.append(self.path)
        super().do_GET()


class Server:
    """A simple static web server for one folder."""

    def __init__(self, folder):
        handler = functools.partial(Quiet, directory=str(folder))
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.server.daemon_threads = True
        #: The paths that were requested.
        self.requested = self.server.requested = []
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/"

    def stop(self):
        self.server.shutdown()
        self.server.server_close()
