"""A pack with very many stickers, and one as large as a page holds without scripts."""

import time
import urllib.parse

import large
import photos
import pytest
from chromium import PATIENCE
from daemon import read_pack
from gallery import await_change, pass_time, with_contents
from large import MANY, WHOLE

# The last sticker's number.
LAST = MANY + 3


def names_in_view(page):
    """The names of the tiles in view, once their pictures are there."""
    pass_time(page)
    return page.wait_for_function("""() => {
        const tiles = [...document.querySelectorAll('#tiles .tile')].filter((tile) => {
            const { top, bottom } = tile.getBoundingClientRect();
            return bottom > 200 && top < innerHeight;
        });
        const isDrawn = (image) => image?.complete && image.naturalWidth;
        return tiles.length > 5 && tiles.every((tile) => isDrawn(tile.querySelector('img'))) && tiles.map((tile) => tile.textContent);
    }""").json_value()


def wait_for_position(page, number):
    page.wait_for_function("(text) => document.getElementById('position').textContent.startsWith(text)", arg=f"{number:,} of ")
    page.wait_for_function("() => document.getElementById('caption-name').textContent !== 'Loading…'")


def test_the_page_itself_is_small_and_has_the_first_stickers(pack):
    contents = pack.contents()
    assert (pack.outbox / "index.html").stat().st_size < 250_000
    assert [sticker["name"] for sticker in contents["stickers"]] == [f"Sticker {n}" for n in range(1, 101)]
    assert len(contents["pages"]) == MANY // 100 + 1
    scripts = large.scripts(pack.outbox)
    assert [[name, len(scripts[name])] for name, _ in contents["pages"]] == contents["pages"]
    entries = [entry for name, _ in contents["pages"] for entry in scripts[name]]
    assert [entry["file"] for entry in entries] == [sticker["file"] for sticker in read_pack(pack.outbox / "pack.json")["stickers"]]


def test_only_what_is_near_has_elements(opened, many):
    page = opened(many)
    page.keyboard.press("End")
    wait_for_position(page, LAST)
    page.wait_for_function("() => document.querySelectorAll('.slide.filled').length <= 5")
    assert page.locator(".slide").count() <= 201
    assert page.locator(".slide img").count() <= 5


def test_every_place_of_the_grid_shows_its_stickers(opened, many):
    page = opened(f"{many}#/grid")
    for place in (0, 5, 50, 99):
        page.evaluate("(share) => scrollTo(0, document.scrollingElement.scrollHeight * share)", place / 100)
        numbers = [int(name.split(" ")[1]) for name in names_in_view(page)]
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
        assert abs(numbers[0] - MANY * place / 100) < MANY / 50
        first = page.get_by_role("option", name=f"Sticker {numbers[0]}", exact=True)
        assert first.get_attribute("aria-posinset") == str(numbers[0])
        assert first.get_attribute("aria-setsize") == str(LAST)
        assert page.locator("#tiles .tile").count() < WHOLE


def test_a_sticker_is_found_by_name_and_opened(opened, many):
    page = opened(f"{many}#/grid")
    field = page.get_by_role("searchbox", name="Find stickers by name")
    field.fill(f"sticker {MANY - 7}")
    page.wait_for_function("() => document.getElementById('grid-note').textContent === '1 sticker found'")
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
    wait_for_position(page, LAST)
    for number in range(8):
        page.keyboard.press("PageUp")
        wait_for_position(page, LAST - 10 * (number + 1))
    place = LAST - 80
    # The copies' keys are their numbers.
    page.wait_for_function("(key) => location.hash.split('/').length === 4 && location.hash.endsWith(key)", arg=f"{place:064x}")
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
    wait_for_position(plain, place)


def test_all_stickers_can_be_selected_at_once(opened, server):
    page = opened(f"{server}#/grid")
    page.get_by_role("button", name="Select all").click()
    assert page.locator("#selection-count").inner_text() == f"{LAST:,} of {LAST:,} selected"
    page.get_by_role("option").nth(1).click(modifiers=["Control"])
    assert page.locator("#selection-count").inner_text() == f"{LAST - 1:,} of {LAST:,} selected"
    page.evaluate("(most) => { Zip.maxEntries = most; }", LAST - 2)
    page.get_by_role("button", name="Download as ZIP").click()
    page.wait_for_function("() => document.getElementById('grid-note').textContent.includes('too large for a ZIP')")


def test_a_range_may_reach_over_pages_that_are_not_in_memory(opened, server):
    page = opened(f"{server}#/grid")
    page.get_by_role("option").nth(1).click(modifiers=["Control"])
    page.evaluate("scrollTo(0, document.scrollingElement.scrollHeight / 20)")
    page.wait_for_function("(place) => [...document.querySelectorAll('#tiles .tile')].some((tile) => tile.place > place)", arg=MANY // 25)
    name = names_in_view(page)[8]
    page.get_by_role("option", name=name, exact=True).click(modifiers=["Shift"])
    number = int(name.split(" ")[1])
    page.wait_for_function("(text) => document.getElementById('selection-count').textContent.startsWith(text)", arg=f"{number - 1:,} of ")


def test_a_range_may_start_at_a_sticker_that_was_found(opened, server):
    page = opened(f"{server}#/grid")
    field = page.get_by_role("searchbox", name="Find stickers by name")
    field.fill(f"sticker {MANY // 3}")
    page.wait_for_function("() => document.getElementById('grid-note').textContent === '1 sticker found'")
    page.get_by_role("option").click(modifiers=["Control"])
    field.press("Escape")
    page.wait_for_function("() => document.querySelectorAll('#tiles .tile').length > 30")
    page.get_by_role("option").nth(1).click(modifiers=["Shift"])
    page.wait_for_function("(text) => document.getElementById('selection-count').textContent.startsWith(text)", arg=f"{MANY // 3 - 1:,} of ")


def test_the_focus_survives_another_number_of_columns(opened, server):
    page = opened(f"{server}#/grid")
    page.get_by_role("option").nth(3).focus()
    assert page.locator("#tiles .chunk").first.get_by_role("option").count() != 4 * 4
    page.set_viewport_size({"width": 800, "height": 900})
    page.wait_for_function("() => document.querySelector('#tiles .chunk').childElementCount === 4 * 4")
    assert page.evaluate("document.activeElement.textContent") == "Sticker 4"


def test_keys_reach_both_ends_of_the_grid(opened, server):
    page = opened(f"{server}#/grid")
    page.get_by_role("option").first.focus()
    page.keyboard.press("End")
    page.wait_for_function("(text) => document.activeElement.textContent === text", arg="Mushroom")
    page.keyboard.press("Home")
    page.wait_for_function("(text) => document.activeElement.textContent === text", arg="Sticker 1")


def test_a_favorite_is_drawn_without_its_page_in_memory(opened, many):
    page = opened(f"{many}#/carousel")
    page.keyboard.press("End")
    wait_for_position(page, LAST)
    page.get_by_role("tab", name="Colors").click()
    page.get_by_role("button", name="Favorite", exact=True).click()
    page.reload()
    page.goto(f"{page.url.split('#')[0]}#/colors")
    page.get_by_role("button", name="Favorites", exact=True).click()
    page.wait_for_function("() => document.querySelectorAll('#schemes .scheme-row').length === 1")
    # Its colors are drawn when it comes into view.
    page.evaluate("() => document.querySelector('#schemes .scheme-row').scrollIntoView()")
    page.wait_for_function("() => document.querySelectorAll('#schemes .strip span').length >= 3")
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
    before = names_in_view(page)
    pack.drop("Later.png", photos.subject(77))
    await_change(page, "(text) => document.getElementById('summary').textContent.startsWith(text)", f"{LAST + 1:,} sticker")
    assert names_in_view(page) == before
    assert page.evaluate("window.isTheSamePage") is True
    page.get_by_role("option").nth(0).focus()
    page.keyboard.press("End")
    page.wait_for_function("(text) => document.activeElement.textContent === text", arg="Later")


def wait_until_written(pack):
    """The photo of a former test may still be on its way into the pack's files: a page that opens then may find none."""
    while time.time() - (pack.outbox / "index.html").stat().st_mtime < 3:
        time.sleep(0.2)


def hold_scripts(page):
    """From now on, the scripts of pages wait in the returned list."""
    held = []
    page.route("**/pack/0*.js", lambda route: held.append(route))
    return held


def wait_for_scripts(page, held):
    for _ in range(100):
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        page.wait_for_timeout(300)
        if held:
            return
    raise AssertionError("no page was read")


def release(page, held):
    for route in held:
        route.continue_()
    page.unroute("**/pack/0*.js")


def test_a_reader_who_turns_while_a_page_loads_stays_there(opened, pack, server):
    wait_until_written(pack)
    count = sum(count for _, count in pack.contents()["pages"])
    page = opened(f"{server}#/carousel")
    page.keyboard.press("End")
    wait_for_position(page, count)
    # So that it has both pages.
    page.keyboard.press("PageUp")
    wait_for_position(page, count - 10)
    page.keyboard.press("End")
    wait_for_position(page, count)
    held = hold_scripts(page)
    pack.drop("Latest.png", photos.subject(78))
    wait_for_scripts(page, held)
    page.keyboard.press("PageUp")
    wait_for_position(page, count - 10)
    release(page, held)
    await_change(page, "(text) => document.getElementById('summary').textContent.startsWith(text)", f"{count + 1:,} sticker")
    pass_time(page, 500)
    wait_for_position(page, count - 10)


def test_a_search_reads_only_pages_that_are_new(opened, pack, server):
    wait_until_written(pack)
    page = opened(f"{server}#/grid")
    page.get_by_role("searchbox", name="Find stickers by name").fill(f"sticker {MANY - 7}")
    page.wait_for_function("() => document.getElementById('grid-note').textContent === '1 sticker found'")
    page.evaluate("""() => {
        window.loads = [];
        const fetchOne = PageScripts.fetch;
        PageScripts.fetch = (name) => { loads.push(name); return fetchOne(name); };
    }""")
    count = sum(count for _, count in pack.contents()["pages"])
    pack.drop("Last.png", photos.subject(79))
    await_change(page, "(text) => document.getElementById('summary').textContent.startsWith(text)", f"{count + 1:,} sticker")
    pass_time(page, 1000)
    assert len(page.evaluate("loads")) == 1


@pytest.mark.parametrize("view, focused", [
    ("grid", "#tiles .tile"), ("grid", "body"), ("carousel", "body"), ("colors", "[role=tab]")])
def test_keys_of_the_browser_are_left_to_it(opened, server, view, focused):
    page = opened(f"{server}#/{view}")
    page.wait_for_selector("#tiles .tile, .slide, .strip", state="attached")
    page.evaluate("""(selector) => {
        addEventListener('keydown', (event) => {
            if (event.key === 'ArrowLeft') window.isTaken = event.defaultPrevented;
            event.preventDefault();
        });
        document.querySelector(selector).focus();
    }""", focused)
    page.keyboard.press("Alt+ArrowLeft")
    assert page.evaluate("window.isTaken") is False


def test_an_open_page_of_a_small_pack_reloads_when_the_pack_becomes_large(browser, pack, server):
    divided = (pack.outbox / "index.html").read_text()
    contents = {key: value for key, value in pack.contents().items() if key != "pages"}
    small = with_contents(divided, {**contents, "revision": 0})
    small = small.replace("trusted-types pages", "trusted-types 'none'")
    page = browser.new_context().new_page()
    page.set_default_timeout(PATIENCE)
    answers = [small]
    page.route("**/index.html", lambda route: route.fulfill(
        body=answers.pop() if answers else divided, content_type="text/html"))
    page.goto(f"{server}index.html#/grid")
    await_change(page, "(text) => document.getElementById('summary').textContent.startsWith(text)", f"{MANY:,}"[:-1])
    page.context.close()


@pytest.mark.parametrize("width", [320, 700, 1200, 1900])
def test_elements_out_of_view_reserve_their_space(opened, served_whole, width):
    page = opened(served_whole.url, viewport={"width": width, "height": 800})
    for view, list_ in (("Grid", "tiles"), ("Colors", "schemes")):
        page.get_by_role("tab", name=view).click()
        pass_time(page)
        height = lambda: page.evaluate("(id) => document.getElementById(id).offsetHeight", list_)
        guessed = height()
        page.evaluate("""(id) => {
            for (const chunk of document.getElementById(id).children) chunk.style.setProperty('content-visibility', 'visible');
        }""", list_)
        assert guessed == pytest.approx(height(), rel=0.02)
