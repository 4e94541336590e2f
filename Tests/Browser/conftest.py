import photos
import pictures
import pytest
from gallery import Gallery, Server
from playwright.sync_api import sync_playwright

CHROMIUM = "/usr/bin/chromium"
# The carousel's slides fill the view, so this is the width in the formulas.
VIEW = {"width": 1200, "height": 800}
# Timeout for anything that a page does at once; milliseconds.
PATIENCE = 10_000


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


class Watched:
    """A page, with all its errors and requests."""

    def __init__(self, context):
        self.page = context.new_page()
        self.troubles = []
        self.requests = []
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


@pytest.fixture
def opened(browser):
    """`opened(url, …options of the context)` opens a page; at the end no page may have had an error."""
    opened = []

    def open_page(url, init=None, **options):
        context = browser.new_context(**{"viewport": VIEW, "accept_downloads": True, **options})
        context.set_default_timeout(PATIENCE)
        watched = Watched(context)
        if init:
            watched.page.add_init_script(init)
        opened.append((context, watched))
        watched.page.goto(url)
        watched.page.locator("body[data-view]").wait_for(state="attached")
        watched.page.troubles = watched.troubles
        watched.page.requests = watched.requests
        return watched.page

    yield open_page
    troubles = [trouble for _, watched in opened for trouble in watched.troubles]
    for context, _ in opened:
        context.close()
    assert not troubles


@pytest.fixture(params=["file", "http"])
def address(request, outbox, served):
    """The gallery's address, as a file and from a server."""
    return (outbox.outbox / "index.html").as_uri() if request.param == "file" else served


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
