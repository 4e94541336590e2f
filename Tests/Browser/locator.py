"""As much of Playwright's locators as the tests use, for `driven.Page`."""

import pathlib

import pytest
from selenium.webdriver.common.keys import Keys

LOCATE = pathlib.Path(__file__).with_name("locate.js").read_text().split("*/\n", 1)[1].rstrip().rstrip(";")
KEYS = {
    **{name: getattr(Keys, name.upper()) for name in ("Control", "Shift", "Alt", "Enter", "Escape", "Tab", "Home", "End")},
    **{f"Page{name}": getattr(Keys, f"PAGE_{name.upper()}") for name in ("Up", "Down")},
    **{f"Arrow{name}": getattr(Keys, f"ARROW_{name.upper()}") for name in ("Left", "Right", "Up", "Down")},
}
#: Where a click goes, once nothing covers the element and it no longer moves.
SPOT = """async (element) => {
    if (element.matches(':disabled')) return null;
    element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
    const look = () => {
        const { left, top, width, height } = element.getBoundingClientRect();
        return [left, top, width, height];
    };
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
    def is_visible(self):
        return self.ask("([element]) => Boolean(element?.checkVisibility({ visibilityProperty: true }))")

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
        return self.evaluate("(element) => element.getBoundingClientRect().toJSON()")

    def dispatch_event(self, name, options):
        self.evaluate("(element, [name, options]) => element.dispatchEvent(new Event(name, options))", [name, options])

    def fill(self, text):
        self.evaluate("""(element, value) => {
            element.focus();
            Object.assign(element, { value }).dispatchEvent(new Event('input', { bubbles: true }));
        }""", text)

    def press(self, keys):
        self.focus()
        self.page.keyboard.press(keys)

    def wait_for(self, state="visible", timeout=None):
        self.page.until({
            "visible": self.is_visible, "hidden": self.is_hidden, "attached": self.count, "detached": lambda: not self.count(),
        }[state], self.steps)

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
