import os
import shutil
import signal

import large
import photos
import pictures
import pytest
from chromium import CHANGEABLE, CHROMIUM, MAX_PAGES, PATIENCE, Watched
from gallery import Gallery, Server, with_contents
from playwright.sync_api import sync_playwright
from windows import opened_elsewhere, windows  # noqa: F401


def pytest_addoption(parser):
    parser.addoption("--engine", choices=["chromium", "firefox", "webkit"], action="append", help="the browser; may be repeated")


def pytest_configure():
    # A run that is ended stops its daemons and browsers.
    signal.signal(signal.SIGTERM, signal.default_int_handler)


def pytest_generate_tests(metafunc):
    if "engine" in metafunc.fixturenames:
        metafunc.parametrize("engine", metafunc.config.getoption("engine") or ["chromium"], scope="session")


@pytest.fixture(scope="session")
def browser(engine):
    if engine != "chromium":
        pytest.skip("needs Playwright")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, timeout=PATIENCE)
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


@pytest.fixture(scope="session")
def waiting():
    """Pages without a gallery by their options: a new page takes a new process, and twice the processor time."""
    return {}


@pytest.fixture
def opened(request, engine):
    """`opened(url, …options of the context)` opens a page; at the end no page may have had an error. No test sees what another
    has stored. `is_new`: the page was never used, and never will be again."""
    return request.getfixturevalue("opened_in_chromium" if engine == "chromium" else "opened_elsewhere")


@pytest.fixture
def opened_in_chromium(browser, waiting, serve, tmp_path_factory):
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


@pytest.fixture(scope="session")
def whole(outbox, tmp_path_factory):
    """The folder of a pack as large as a page holds without scripts. The names of some stickers have two lines on a phone."""
    folder = tmp_path_factory.mktemp("whole")
    shutil.copytree(outbox.outbox, folder, dirs_exist_ok=True)
    contents = outbox.contents()
    drawn = contents["stickers"]
    contents["stickers"] = []
    for number in range(large.WHOLE):
        sticker = drawn[number % len(drawn)]
        thumbnail = f"thumbnails/many-{number}.webp"
        os.link(folder / sticker["thumbnail"], folder / thumbnail)
        name = f"Sticker {number}" + " with a name that is too long for a line" * (number % 10 == 3)
        contents["stickers"].append({**sticker, "id": f"many {number}", "name": name, "thumbnail": thumbnail})
    (folder / "index.html").write_text(with_contents((folder / "index.html").read_text(), contents))
    return folder


@pytest.fixture(scope="session")
def served_whole(whole):
    server = Server(whole)
    yield server
    server.stop()


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
