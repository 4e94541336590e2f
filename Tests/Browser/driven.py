"""As much of Playwright's page as the tests use, for the browsers of `engines`: the same tests run there.

A test that uses more is skipped with a reason: emulated phones, the developer tools' protocol, clocks and routes are Chromium's.
"""

import contextlib
import io
import pathlib
import tempfile
import time

import pytest
from engines import PATIENCE
from PIL import Image
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.keys import Keys

LOCATE = pathlib.Path(__file__).with_name("locate.js").read_text().split("*/\n", 1)[1].rstrip().rstrip(";")
KEYS = {"Control": Keys.CONTROL, "Shift": Keys.SHIFT, "Alt": Keys.ALT, "Enter": Keys.ENTER, "Escape": Keys.ESCAPE, "Tab": Keys.TAB,
        "Home": Keys.HOME, "End": Keys.END, "PageUp": Keys.PAGE_UP, "PageDown": Keys.PAGE_DOWN,
        **{f"Arrow{name}": getattr(Keys, f"ARROW_{name.upper()}") for name in ("Left", "Right", "Up", "Down")}}
#: How Playwright calls an expression: a function with its argument, anything else as it is.
EVALUATE = "async (arg) => {{ const found = ({}); return typeof found === 'function' ? found(arg) : found; }}"
#: Where a click goes, once nothing covers the element and it no longer moves.
SPOT = """async (element) => {
    if (element.matches(':disabled')) return null;
    element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
    const look = () => { const { left, top, width, height } = element.getBoundingClientRect(); return [left, top, width, height]; };
    const before = look();
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const [left, top, width, height] = look();
    if (String([left, top, width, height]) !== String(before) || !width || !height) return null;
    const [x, y] = [left + width / 2, top + height / 2];
    const hit = document.elementFromPoint(x, y);
    return hit && (element.contains(hit) || hit.contains(element)) ? [Math.floor(x), Math.floor(y)] : null;
}"""


class OtherEngine:
    """What only Playwright has."""

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        pytest.skip(f"{type(self).__name__}.{name} needs Playwright")


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


class Locator(OtherEngine):
    def __init__(self, page, *steps):
        self.page, self.steps = page, steps

    # Which elements

    def locator(self, selector): return Locator(self.page, *self.steps, ["css", selector])
    def nth(self, place): return Locator(self.page, *self.steps, ["nth", place])
    def filter(self, has_text): return Locator(self.page, *self.steps, ["has", has_text])
    def get_by_role(self, role, **options): return Locator(self.page, *self.steps, ["role", role, options])
    def get_by_text(self, text, exact=False): return Locator(self.page, *self.steps, ["text", text, {"exact": exact}])
    def get_by_label(self, text, exact=False): return Locator(self.page, *self.steps, ["label", text, {"exact": exact}])

    @property
    def first(self): return self.nth(0)

    @property
    def last(self): return self.nth(-1)

    def ask(self, function, arg=None):
        """The result of function(all elements, arg)."""
        return self.page.browser.call(f"(steps, arg) => ({function})(({LOCATE})(steps), arg)", self.steps, arg)

    def count(self): return self.ask("(all) => all.length")
    def all(self): return [self.nth(place) for place in range(self.count())]
    def all_inner_texts(self): return self.ask("(all) => all.map((element) => (element.innerText || element.textContent).trim())")
    def is_visible(self): return self.ask("([element]) => Boolean(element?.checkVisibility({ visibilityProperty: true }))")
    def is_hidden(self): return not self.is_visible()

    # One element, when it is there

    def evaluate(self, function, arg=None):
        wrapped = f"async ([element], arg) => element ? [await ({function})(element, arg)] : null"
        return self.page.until(lambda: self.ask(wrapped, arg), self.steps)[0]

    def inner_text(self): return self.evaluate("(element) => (element.innerText || element.textContent).trim()")
    def get_attribute(self, name): return self.evaluate("(element, name) => element.getAttribute(name)", name)
    def input_value(self): return self.evaluate("(element) => element.value")
    def is_disabled(self): return self.evaluate("(element) => element.matches(':disabled')")
    def is_checked(self): return self.evaluate("(element) => element.checked")
    def focus(self): self.evaluate("(element) => element.focus()")

    def bounding_box(self):
        return self.evaluate("(element) => { const { x, y, width, height } = element.getBoundingClientRect(); return { x, y, width, height }; }")

    def dispatch_event(self, name, options):
        self.evaluate("(element, [name, options]) => { element.dispatchEvent(new Event(name, options)); }", [name, options])

    def fill(self, text):
        self.evaluate("(element, text) => { element.focus(); element.value = text; element.dispatchEvent(new Event('input', { bubbles: true })); }", text)

    def press(self, keys):
        self.focus()
        self.page.keyboard.press(keys)

    def wait_for(self, state="visible", timeout=None):
        self.page.until({"visible": lambda: self.is_visible(), "hidden": lambda: self.is_hidden(), "attached": self.count, "detached": lambda: not self.count()}[state], self.steps)

    def spot(self): return self.page.until(lambda: self.evaluate(SPOT), self.steps)
    def hover(self): self.page.mouse.move(*self.spot())

    def click(self, modifiers=()):
        x, y = self.spot()

        def build(pointer, key):
            for modifier in modifiers:
                key.key_down(KEYS[modifier])
            pointer.move_to_location(x, y).pointer_down().pointer_up()
            for modifier in modifiers:
                # The device without anything to do waits meanwhile, so the keys stay down.
                key.pause(0).pause(0).pause(0).key_up(KEYS[modifier])
        self.page.browser.act(build)


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

    def move(self, x, y, steps=1): self.browser.act(lambda pointer, _: pointer.move_to_location(round(x), round(y)))
    def down(self): self.browser.act(lambda pointer, _: pointer.pointer_down())
    def up(self): self.browser.act(lambda pointer, _: pointer.pointer_up())


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
    def reload(self): self.driver.refresh()
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
        count = None
        while count != (count := self.evaluate("document.readyState === 'complete' ? performance.getEntriesByType('resource').length : Math.random()")):
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
