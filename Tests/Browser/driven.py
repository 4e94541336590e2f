"""As much of Playwright's page as the tests use, for the browsers of `engines`: the same tests run there.

A test that uses more is skipped with a reason: emulated phones, the tools of developers, clocks and routes are Chromium's.
"""

import contextlib
import io
import pathlib
import tempfile
import time

from engines import PATIENCE
from locator import KEYS, Locator, OtherEngine
from PIL import Image
from selenium.common.exceptions import WebDriverException

#: How Playwright calls an expression: a function with its argument, anything else as it is.
EVALUATE = "async (arg) => {{ const found = ({}); return typeof found === 'function' ? found(arg) : found; }}"


class Handle:
    def __init__(self, value):
        self.json_value = lambda: value


class Saved:
    """A download, when it is complete. It is moved: a browser renames a second file of the same name."""

    def __init__(self, path):
        target = pathlib.Path(tempfile.mkdtemp(dir=path.parent.parent)) / path.name
        path.rename(target)
        self.suggested_filename, self.path = path.name, lambda: target


class Later:
    """What a `with` block made happen."""
    value = None


class Troubles:
    """The errors since the last look, as a list that can be cleared."""

    def __init__(self, browser):
        self.clear = self.take = browser.troubles


class Keyboard(OtherEngine):
    def __init__(self, browser):
        self.browser = browser

    def press(self, keys):
        *held, last = [KEYS.get(name, name) for name in (keys.split("+") if len(keys) > 1 else [keys])]

        def build(_, key):
            for name in [*held, last]:
                key.key_down(name)
            for name in [last, *reversed(held)]:
                key.key_up(name)
        self.browser.act(build)


class Mouse(OtherEngine):
    def __init__(self, browser):
        self.browser = browser

    def move(self, x, y): self.browser.move(x, y)
    def down(self): self.browser.screen.point("mousedown", 1)
    def up(self): self.browser.screen.point("mouseup", 1)


class Page(OtherEngine):
    def __init__(self, browser):
        self.browser, self.driver = browser, browser.driver
        self.keyboard, self.mouse = Keyboard(browser), Mouse(browser)
        self.troubles = Troubles(browser)

    def until(self, look, what, seconds=PATIENCE):
        end = time.monotonic() + seconds
        while True:
            found = look()
            if found:
                return found
            assert time.monotonic() < end, f"not so after {seconds} s: {what}"
            time.sleep(0.03)

    @property
    def url(self): return self.driver.current_url

    @property
    def requests(self):
        return [self.url, *self.evaluate("performance.getEntriesByType('resource').map(({ name }) => name)")]

    def goto(self, url): self.driver.get(url)

    def reload(self):
        # If the page changes its address while a reload begins, WebKit's driver does not wait for the other page.
        self.evaluate("window.isEarlier = true")
        self.driver.refresh()
        self.wait_for_function("() => !window.isEarlier && document.readyState === 'complete'")

    def title(self): return self.driver.title

    def screenshot(self, clip=None):
        if not clip:
            return self.browser.screenshot()
        left, top, width, height = (round(clip[name]) for name in ("x", "y", "width", "height"))
        file = io.BytesIO()
        Image.open(io.BytesIO(self.browser.screenshot())).crop((left, top, left + width, top + height)).save(file, "PNG")
        return file.getvalue()

    def wait_for_timeout(self, milliseconds): time.sleep(milliseconds / 1000)
    def locator(self, selector): return Locator(self, ["css", selector])
    def get_by_role(self, role, **options): return Locator(self).get_by_role(role, **options)
    def get_by_text(self, text, exact=False): return Locator(self).get_by_text(text, exact)
    def get_by_label(self, text, exact=False): return Locator(self).get_by_label(text, exact)

    def set_viewport_size(self, size):
        self.browser.resize(size["width"], size["height"])

    def evaluate(self, expression, arg=None):
        return self.browser.call(EVALUATE.format(expression.strip().rstrip(";")), arg)

    def wait_for_function(self, expression, arg=None, polling=None):
        def look():
            try:
                return self.evaluate(expression, arg)
            except (RuntimeError, WebDriverException):
                # The page is being reloaded, which ends its scripts.
                return None
        found = self.until(look, expression)
        return Handle(found)

    def wait_for_load_state(self, _):
        """Until nothing has been loaded for half a second."""
        look = "[document.readyState, performance.getEntriesByType('resource').length]"
        before = None
        while (now := self.evaluate(look)) != before or now[0] != "complete":
            before = now
            time.sleep(0.5)

    @contextlib.contextmanager
    def expect_download(self):
        later = Later()
        yield later
        later.value = Saved(self.until(self.browser.saved, "a download"))

    @contextlib.contextmanager
    def expect_popup(self):
        before, own, later = set(self.driver.window_handles), self.driver.current_window_handle, Later()
        yield later
        other = self.until(lambda: next(iter(set(self.driver.window_handles) - before), None), "another tab")
        self.driver.switch_to.window(other)
        self.until(lambda: self.url != "about:blank", "its address")
        later.value = Tab(self.url)
        self.driver.close()
        self.driver.switch_to.window(own)


class Tab(OtherEngine):
    def __init__(self, url):
        self.url = url
