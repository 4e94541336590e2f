import urllib.parse

import large
import photos
import pictures
import pytest
from gallery import Gallery, Server
from playwright.sync_api import sync_playwright

CHROMIUM = "/usr/bin/chromium"
# The carousel's slides fill the view, so this is the width in the formulas.
VIEW = {"width": 1200, "height": 800}
# Timeout for anything that a page does at once, on a busy machine; milliseconds.
PATIENCE = 60_000
#: What can be changed about an open page, with its usual value.
CHANGEABLE = {
    "viewport": VIEW, "permissions": [], "reduced_motion": "no-preference", "color_scheme": "light", "forced_colors": "none"}
#: How many pages wait for tests with the same options.
MAX_PAGES = 4


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def outbox(tmp_path_factory):
    """A real daemon's results for the drawn photos, one without a subject, and a file that is not a photo."""
    place = Gallery(tmp_path_factory.mktemp("outbox"))
    for name, draw in pictures.ALL.items():
        place.drop(f"{name}.png", draw())
    place.drop("Fog.png", photos.flat(0))
    place.drop("Broken.jpg", b"\xff\xd8\xff\xe0 no photo")
    place.drop("Holiday/Small.png", photos.subject(0))
    place.start()
    place.settle(len(pictures.ALL))
    place.settle(1, "Holiday")
    yield place
    assert place.stop() == 0, place.last_words()


@pytest.fixture(scope="session")
def served(outbox):
    server = Server(outbox.outbox)
    yield server.url
    server.stop()


@pytest.fixture
def serve():
    """`serve(folder)` is the address of a web server for it until the end of the test."""
    servers = []

    def serve(folder):
        servers.append(Server(folder))
        return servers[-1].url

    yield serve
    for server in servers:
        server.stop()


class Watched:
    """A page, with all its errors and requests."""

    def __init__(self, browser, init, **options):
        self.context = browser.new_context(accept_downloads=True, **options)
        self.context.set_default_timeout(PATIENCE)
        self.page = self.context.new_page()
        if init:
            self.page.add_init_script(init)
        self.page.troubles = self.troubles = []
        self.page.requests = self.requests = []
        self.page.on("console", lambda message: message.type in ("error", "warning") and self.troubles.append(message.text))
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.page.on("requestfailed", self.fail)
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("dialog", lambda dialog: (self.troubles.append("a dialog"), dialog.dismiss()))

    def fail(self, request):
        # The page aborts requests itself: for the rest of the index, of which it reads only the beginning, and for the
        # images of tiles that it replaces before they have arrived. A missing file is a 404, which the console reports.
        if "ERR_ABORTED" not in request.failure:
            self.troubles.append(f"{request.url}: {request.failure}")


    def renew(self, viewport, permissions, **media):
        """Makes it as good as new, for the next test."""
        if self.page.viewport_size != viewport:
            self.page.set_viewport_size(viewport)
        self.context.clear_permissions()
        self.context.grant_permissions(permissions)
        self.page.emulate_media(**media)
        self.page.mouse.move(0, 0)
        self.troubles.clear()
        self.requests.clear()

    def leave(self, nowhere):
        """Closes the gallery, and forgets what it has stored."""
        for page in self.context.pages:
            if page != self.page:
                page.close()
        # Another page of the same origin: the gallery cannot store anything afterwards, and the process stays.
        self.page.goto(nowhere if self.page.url.startswith("file:") else urllib.parse.urljoin(self.page.url, "/packs.js"))
        self.page.evaluate("localStorage.clear(), sessionStorage.clear()")


@pytest.fixture(scope="session")
def waiting():
    """Pages without a gallery by their options: a new page takes a new process, and twice the processor time."""
    return {}


@pytest.fixture
def opened(browser, waiting, serve, tmp_path_factory):
    """`opened(url, …options of the context)` opens a page; at the end no page may have had an error. No test sees what another
    has stored. `is_new`: the page was never used, and never will be again."""
    opened = []

    def open_page(url, init=None, is_new=False, **options):
        fixed = {name: value for name, value in options.items() if name not in CHANGEABLE}
        # From a file to a server, it would change its process.
        key = None if is_new else repr((url.split(":")[0], init, fixed))
        watched = waiting.pop(key, None) or Watched(browser, init, **fixed)
        watched.renew(**CHANGEABLE | {name: options[name] for name in options.keys() - fixed.keys()})
        opened.append((key, watched))
        watched.page.goto(url)
        watched.page.locator("body[data-view]").wait_for(state="attached")
        return watched.page

    yield open_page
    troubles = [trouble for _, watched in opened for trouble in watched.troubles]
    nowhere = tmp_path_factory.getbasetemp() / "nowhere.html"
    nowhere.touch()
    for key, watched in opened:
        if key is None or key in waiting:
            watched.context.close()
        else:
            watched.leave(nowhere.as_uri())
            waiting[key] = watched
    while len(waiting) > MAX_PAGES:
        waiting.pop(next(iter(waiting))).context.close()
    assert not troubles


@pytest.fixture(params=["file", "http"])
def address(request, outbox, served):
    """The gallery's address, as a file and from a server."""
    return (outbox.outbox / "index.html").as_uri() if request.param == "file" else served


@pytest.fixture(scope="session")
def pack(tmp_path_factory):
    """A real daemon's pack of MANY stickers and the photos' own."""
    place = Gallery(tmp_path_factory.mktemp("large"))
    place.settings["gallery.maxArchiveBytes"] = 0
    for name, draw in list(pictures.ALL.items())[:3]:
        place.drop(f"{name}.png", draw())
    place.start()
    assert place.wait(lambda: place.has_stickers(3)) is None, place.last_words()
    assert place.stop() == 0, place.last_words()
    large.grow(place, large.MANY)
    place.start()
    assert place.wait(lambda: place.has_stickers(large.MANY + 3), 300) is None, place.last_words()
    yield place
    assert place.stop() == 0, place.last_words()


@pytest.fixture(scope="session")
def server(pack):
    server = Server(pack.outbox)
    yield server.url
    server.stop()


@pytest.fixture(params=["file", "http"])
def many(request, pack, server):
    """The large pack's address, as a file and from a server."""
    return (pack.outbox / "index.html").as_uri() if request.param == "file" else server


@pytest.fixture
def place(tmp_path):
    """A daemon for a single test."""
    place = Gallery(tmp_path / "place")
    yield place
    if place.process:
        assert place.stop() == 0, place.last_words()


def pytest_terminal_summary(terminalreporter):
    for line in getattr(pytest, "measured", []):
        terminalreporter.write_line(line)
