"""A pack with a hundred thousand stickers, and one as large as a page holds without scripts."""

import pathlib
import shutil
import urllib.parse

import large
import photos
import pictures
import pytest
from gallery import Gallery, Server, with_contents

MANY = 100_000
# As many as have elements all the time.
WHOLE = 1200
# Generous: a machine without a graphics card, busy with other tests.
MAX_FIRST_PAINT = 3000
MAX_TYPICAL_FRAME = 60
MAX_MEGABYTES = 300
# Seconds and milliseconds for what takes a daemon or a page as long as the pack is large.
PATIENCE = 300

SCROLL = """async ([selector, property, distance, frames]) => {
    const scroller = selector ? document.querySelector(selector) : document.scrollingElement;
    if (selector) scroller.style.scrollSnapType = 'none';
    const times = [];
    let last = await new Promise(requestAnimationFrame);
    for (let frame = 0; frame < frames; frame += 1) {
        scroller[property] += distance;
        const now = await new Promise(requestAnimationFrame);
        times.push(now - last);
        last = now;
    }
    times.sort((a, b) => a - b);
    return { median: times[frames >> 1], p95: times[Math.floor(frames * 0.95)], worst: times[frames - 1] };
}"""


@pytest.fixture(scope="module")
def pack(tmp_path_factory):
    """A real daemon's pack of MANY stickers and the photos' own."""
    place = Gallery(tmp_path_factory.mktemp("large"))
    place.settings["gallery.maxArchiveBytes"] = 0
    for name, draw in list(pictures.ALL.items())[:3]:
        place.drop(f"{name}.png", draw())
    place.start()
    assert place.wait(lambda: is_made(place, 3)) is None, place.last_words()
    assert place.stop() == 0, place.last_words()
    large.grow(place, MANY)
    place.start()
    assert place.wait(lambda: is_shown(place, MANY + 3), PATIENCE) is None, place.last_words()
    yield place
    assert place.stop() == 0, place.last_words()


def is_made(place, stickers):
    return (place.outbox / "index.html").exists() and len(place.contents()["stickers"]) == stickers


def is_shown(place, stickers):
    return sum(count for _, count in place.contents().get("pages", [])) == stickers


@pytest.fixture(scope="module")
def server(pack):
    server = Server(pack.outbox)
    yield server.url
    server.stop()


@pytest.fixture(params=["file", "http"])
def many(request, pack, server):
    """The large pack's address, as a file and from a server."""
    return (pack.outbox / "index.html").as_uri() if request.param == "file" else server


@pytest.fixture(scope="module")
def whole(outbox, tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole")
    shutil.copytree(outbox.outbox, folder, dirs_exist_ok=True)
    page = (folder / "index.html").read_text()
    contents = outbox.contents()
    stickers = contents["stickers"]
    contents["stickers"] = [{**stickers[n % len(stickers)], "id": f"many {n}", "name": f"Sticker {n}"} for n in range(WHOLE)]
    (folder / "index.html").write_text(with_contents(page, contents))
    server = Server(folder)
    yield server.url
    server.stop()


def report(line):
    pytest.measured = getattr(pytest, "measured", []) + [f"{MANY:,} stickers: {line}"]


def names_in_view(page):
    return page.evaluate("""[...document.querySelectorAll('#tiles .tile')].filter((tile) => {
        const { top, bottom } = tile.getBoundingClientRect();
        return bottom > 200 && top < innerHeight;
    }).map((tile) => tile.textContent)""")


def wait_for_position(page, number, seconds=10):
    page.wait_for_function("(text) => document.getElementById('position').textContent.startsWith(text)", arg=f"{number:,} of ",
                           timeout=seconds * 1000)
    page.wait_for_function("() => document.getElementById('caption-name').textContent !== 'Loading…'")


@pytest.mark.parametrize("view", ["carousel", "grid", "colors"])
def test_the_page_is_painted_quickly(opened, many, view):
    page = opened(f"{many}#/{view}")
    page.wait_for_function("() => performance.getEntriesByName('first-contentful-paint').length")
    paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    report(f"{view} first painted after {paint:.0f} ms ({many.split(':')[0]})")
    assert paint < MAX_FIRST_PAINT


@pytest.mark.parametrize("view, selector, property_, distance", [
    ("carousel", "#track", "scrollLeft", 60), ("grid", None, "scrollTop", 120), ("colors", None, "scrollTop", 120)])
def test_scrolling_is_smooth(opened, many, view, selector, property_, distance):
    page = opened(f"{many}#/{view}")
    found = page.evaluate(SCROLL, [selector, property_, distance, 200])
    report(f"{view} frames while scrolling: median {found['median']:.0f}, 95 % {found['p95']:.0f}, worst {found['worst']:.0f} ms")
    assert found["median"] < MAX_TYPICAL_FRAME


def test_the_page_itself_is_small_and_has_the_first_stickers(pack):
    contents = pack.contents()
    assert (pack.outbox / "index.html").stat().st_size < 250_000
    assert [sticker["name"] for sticker in contents["stickers"]] == [f"Sticker {n}" for n in range(1, 101)]
    assert len(contents["pages"]) == MANY // 100 + 1
    scripts = large.scripts(pack.outbox)
    assert [[name, len(scripts[name])] for name, _ in contents["pages"]] == contents["pages"]
    entries = [entry for name, _ in contents["pages"] for entry in scripts[name]]
    assert [entry["file"] for entry in entries] == [sticker["file"] for sticker in pack.packs()["."]["stickers"]]


def test_only_what_is_near_has_elements_and_memory(opened, many, browser):
    page = opened(many)
    page.keyboard.press("End")
    wait_for_position(page, MANY + 3)
    page.wait_for_function("() => document.querySelectorAll('.slide.filled').length <= 5")
    assert page.locator(".slide").count() <= 201
    assert page.locator(".slide img").count() <= 5
    page.get_by_role("tab", name="Grid").click()
    height = page.evaluate("document.scrollingElement.scrollHeight")
    for step in range(40):
        page.evaluate("(top) => scrollTo(0, top)", height * step / 40)
        page.wait_for_function("() => document.querySelector('.chunk:not(.unfilled)') !== null")
        page.wait_for_timeout(50)
    assert page.locator("#tiles .tile").count() < WHOLE
    session = page.context.new_cdp_session(page)
    heap = session.send("Runtime.getHeapUsage")["usedSize"] / 1e6
    processes = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    renderers = [process["id"] for process in processes if process["type"] == "renderer"]
    peak = max(resident(renderer) for renderer in renderers)
    # Chromium keeps decoded pictures that are out of sight, 100 MB and more, until the system runs short of memory.
    session.send("Memory.simulatePressureNotification", {"level": "critical"})
    page.wait_for_timeout(3000)
    size = max(resident(renderer) for renderer in renderers)
    report(f"memory {heap:.0f} MB of JavaScript, {size:.0f} MB in the largest renderer, "
           f"{peak:.0f} while scrolling ({many.split(':')[0]})")
    assert heap < MAX_MEGABYTES and size < MAX_MEGABYTES and peak < 1.2 * MAX_MEGABYTES


def resident(process):
    """The memory of a process that it shares with no file, in megabytes."""
    lines = pathlib.Path(f"/proc/{process}/status").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith(("RssAnon", "RssShmem"))) / 1000


def test_every_place_of_the_grid_shows_its_stickers(opened, many):
    page = opened(f"{many}#/grid")
    for place in (0, 5, 50, 99):
        page.evaluate("(share) => scrollTo(0, document.scrollingElement.scrollHeight * share)", place / 100)
        page.wait_for_timeout(100)
        page.wait_for_function("""() => {
            const tiles = [...document.querySelectorAll('#tiles .tile')].filter((tile) => tile.getBoundingClientRect().top > 0
                && tile.getBoundingClientRect().bottom < innerHeight);
            return tiles.length > 5 && tiles.every((tile) => tile.querySelector('img').complete && tile.querySelector('img').naturalWidth);
        }""")
        numbers = [int(name.split(" ")[1]) for name in names_in_view(page)]
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
        assert abs(numbers[0] - MANY * place / 100) < MANY / 50
        first = page.get_by_role("option", name=f"Sticker {numbers[0]}", exact=True)
        assert first.get_attribute("aria-posinset") == str(numbers[0])
        assert first.get_attribute("aria-setsize") == str(MANY + 3)


def test_a_sticker_is_found_by_name_and_opened(opened, many):
    page = opened(f"{many}#/grid")
    field = page.get_by_role("searchbox", name="Find stickers by name")
    field.fill(f"sticker {MANY - 7}")
    page.wait_for_function("() => document.getElementById('grid-note').textContent === '1 sticker found'", timeout=PATIENCE * 1000)
    assert [tile.inner_text() for tile in page.get_by_role("option").all()] == [f"Sticker {MANY - 7}"]
    page.get_by_role("option").click()
    wait_for_position(page, MANY - 7)
    assert page.locator("#caption-name").inner_text() == f"Sticker {MANY - 7}"
    page.get_by_role("tab", name="Grid").click()
    field.press("Escape")
    page.wait_for_function("() => document.querySelectorAll('#tiles .tile').length > 30")
    assert field.input_value() == "" and page.locator("#grid-note").is_hidden()


def test_the_page_remembers_its_place(opened, many):
    page = opened(f"{many}#/carousel")
    page.keyboard.press("End")
    wait_for_position(page, MANY + 3)
    for number in range(8):
        page.keyboard.press("PageUp")
        wait_for_position(page, MANY + 3 - 10 * (number + 1))
    place = MANY + 3 - 80
    page.wait_for_function("() => location.hash.split('/').length === 4")
    page.wait_for_timeout(500)
    name, address = page.locator("#caption-name").inner_text(), page.url
    assert name == f"Sticker {place}"
    page.reload()
    wait_for_position(page, place)
    assert page.locator("#caption-name").inner_text() == name
    # Another reader, at the same address.
    other = opened(address)
    wait_for_position(other, place)
    assert other.locator("#caption-name").inner_text() == name
    # An address without its page's number.
    parts = urllib.parse.urlsplit(address).fragment.split("/")
    plain = opened(f"{address.split('#')[0]}#/{parts[1]}/{parts[3]}")
    # It reads all pages from the first.
    wait_for_position(plain, place, PATIENCE)


def test_all_stickers_can_be_selected_at_once(opened, server):
    page = opened(f"{server}#/grid")
    page.get_by_role("button", name="Select all").click()
    assert page.locator("#selection-count").inner_text() == f"{MANY + 3:,} of {MANY + 3:,} selected"
    page.get_by_role("option").nth(1).click(modifiers=["Control"])
    assert page.locator("#selection-count").inner_text() == f"{MANY + 2:,} of {MANY + 3:,} selected"
    page.get_by_role("button", name="Download as ZIP").click()
    page.wait_for_function("() => document.getElementById('grid-note').textContent.includes('too large for a ZIP')")


def test_a_range_may_reach_over_pages_that_are_not_in_memory(opened, many):
    page = opened(f"{many}#/grid")
    page.get_by_role("option").nth(1).click(modifiers=["Control"])
    page.evaluate("scrollTo(0, document.scrollingElement.scrollHeight / 20)")
    page.wait_for_function("() => [...document.querySelectorAll('#tiles .tile')].some((tile) => tile.place > 4000)")
    page.wait_for_timeout(300)
    name = names_in_view(page)[8]
    page.get_by_role("option", name=name, exact=True).click(modifiers=["Shift"])
    number = int(name.split(" ")[1])
    page.wait_for_function("(text) => document.getElementById('selection-count').textContent.startsWith(text)", arg=f"{number - 1:,} of ")


def test_the_focus_survives_another_number_of_columns(opened, many):
    page = opened(f"{many}#/grid")
    page.get_by_role("option").nth(3).focus()
    assert page.locator("#tiles .chunk").first.get_by_role("option").count() != 4 * 4
    page.set_viewport_size({"width": 800, "height": 900})
    page.wait_for_function("() => document.querySelector('#tiles .chunk').childElementCount === 4 * 4")
    assert page.evaluate("document.activeElement.textContent") == "Sticker 4"


def test_keys_reach_both_ends_of_the_grid(opened, many):
    page = opened(f"{many}#/grid")
    page.get_by_role("option").first.focus()
    page.keyboard.press("End")
    page.wait_for_function("(text) => document.activeElement.textContent === text", arg="Mushroom")
    page.keyboard.press("Home")
    page.wait_for_function("(text) => document.activeElement.textContent === text", arg="Sticker 1")


def test_a_favorite_is_drawn_without_its_page_in_memory(opened, many):
    page = opened(f"{many}#/carousel")
    page.keyboard.press("End")
    wait_for_position(page, MANY + 3)
    page.get_by_role("tab", name="Colors").click()
    page.get_by_role("button", name="Favorite", exact=True).click()
    page.reload()
    page.goto(f"{page.url.split('#')[0]}#/colors")
    page.get_by_role("button", name="Favorites", exact=True).click()
    page.wait_for_function("() => document.querySelectorAll('#schemes .strip span').length >= 3")
    assert page.locator("#schemes .scheme-row").count() == 1
    page.locator("#schemes .scheme-row button").click()
    page.wait_for_function("() => document.getElementById('color-name').textContent === 'Mushroom'")


def test_the_policy_lets_only_pages_of_the_pack_in(opened, server):
    page = opened(server)
    assert page.evaluate("""async () => {
        const refused = [];
        for (const work of [
            () => { document.head.append(Object.assign(document.createElement('script'), { src: 'pack/0001-1.js' })); },
            () => trustedTypes.createPolicy('another', {}),
            () => trustedTypes.createPolicy('pages', {}),
            () => PageScripts.policy.createScriptURL('../evil'),
            () => PageScripts.policy.createScriptURL('https://example.org/0001-1'),
        ]) {
            try { work(); refused.push(false); } catch { refused.push(true); }
        }
        return refused;
    }""") == [True] * 5
    page.troubles.clear()


def test_an_open_page_follows_a_large_pack(opened, pack, server):
    page = opened(f"{server}#/grid")
    page.evaluate("window.isTheSamePage = true")
    page.evaluate("scrollTo(0, document.scrollingElement.scrollHeight / 2)")
    page.wait_for_timeout(500)
    before = names_in_view(page)
    pack.drop("Later.png", photos.subject(77))
    page.wait_for_function("(text) => document.getElementById('summary').textContent.startsWith(text)", arg=f"{MANY + 4:,} sticker",
                           timeout=PATIENCE * 1000)
    assert names_in_view(page) == before
    assert page.evaluate("window.isTheSamePage") is True
    page.get_by_role("option").nth(0).focus()
    page.keyboard.press("End")
    page.wait_for_function("(text) => document.activeElement.textContent === text", arg="Later")


def test_an_open_page_of_a_small_pack_reloads_when_the_pack_becomes_large(browser, pack, server):
    divided = (pack.outbox / "index.html").read_text()
    contents = {key: value for key, value in pack.contents().items() if key not in ("pages", "withoutCount")}
    small = with_contents(divided, {**contents, "revision": 0})
    small = small.replace("trusted-types pages", "trusted-types 'none'")
    page = browser.new_context().new_page()
    answers = [small]
    page.route("**/index.html", lambda route: route.fulfill(
        body=answers.pop() if answers else divided, content_type="text/html"))
    page.goto(f"{server}index.html#/grid")
    page.wait_for_function("(text) => document.getElementById('summary').textContent.startsWith(text)", arg="100,00")
    page.context.close()


@pytest.mark.parametrize("width", [320, 700, 1200, 1900])
@pytest.mark.parametrize("view", ["grid", "colors"])
def test_elements_out_of_view_reserve_their_space(opened, whole, view, width):
    page = opened(f"{whole}#/{view}", viewport={"width": width, "height": 800})
    list_ = {"grid": "tiles", "colors": "schemes"}[view]
    height = lambda: page.evaluate("(id) => document.getElementById(id).offsetHeight", list_)
    guessed = height()
    page.evaluate("""(id) => {
        for (const chunk of document.getElementById(id).children) chunk.style.setProperty('content-visibility', 'visible');
    }""", list_)
    assert guessed == pytest.approx(height(), rel=0.02)
