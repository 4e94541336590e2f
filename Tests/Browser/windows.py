"""The windows of Firefox and WebKitGTK that tests get, with all their errors; each is used by one test after the other."""

import pytest
from driven import Page
from engines import ENGINES

#: What a test may say about a window that these browsers know, with its usual value.
KNOWN = {"viewport": {"width": 1200, "height": 800}, "permissions": [], "reduced_motion": "no-preference", "color_scheme": "light",
         "is_new": False, "init": None, "device_scale_factor": 1, "forced_colors": "none"}
#: Of these only what is set here.
FIXED = {"device_scale_factor": 1, "forced_colors": "none"}
#: How many windows wait for tests with the same options.
MAX_WINDOWS = 3


@pytest.fixture(scope="session")
def windows(engine, tmp_path_factory):
    """Windows without a gallery by their options."""
    waiting = {}

    def take(init, color_scheme, reduced_motion, **_):
        key = (init, color_scheme, reduced_motion)
        if key in waiting:
            return key, waiting.pop(key)
        folder = tmp_path_factory.mktemp(engine)
        return key, Page(ENGINES[engine](folder, init or "", color_scheme == "dark", reduced_motion == "reduce"))

    def give_back(key, page):
        if key in waiting:
            page.browser.close()
            return
        # Nothing may be stored after this.
        page.evaluate("() => { Memory.write = () => false; try { localStorage.clear(); sessionStorage.clear(); } catch {} }")
        page.goto("about:blank")
        waiting[key] = page
        while len(waiting) > MAX_WINDOWS:
            waiting.pop(next(iter(waiting))).browser.close()

    take.give_back = give_back
    yield take
    for page in waiting.values():
        page.browser.close()


@pytest.fixture
def opened_elsewhere(windows):
    """As `opened`, in Firefox or WebKitGTK."""
    opened = []

    def open_page(url, **options):
        unknown = options.keys() - KNOWN.keys() | {name for name, value in FIXED.items() if options.get(name, value) != value}
        if unknown:
            pytest.skip(f"{', '.join(sorted(unknown))} needs Playwright")
        key, page = windows(**KNOWN | options)
        opened.append((key, page))
        page.set_viewport_size(KNOWN["viewport"] | options.get("viewport", {}))
        if page.browser.spot != (0, 0):
            page.mouse.move(0, 0)
        page.troubles.clear()
        page.goto(url)
        page.locator("body[data-view]").wait_for(state="attached")
        return page

    yield open_page
    troubles = []
    for key, page in opened:
        troubles += page.troubles.take()
        windows.give_back(key, page)
    assert not troubles, troubles
