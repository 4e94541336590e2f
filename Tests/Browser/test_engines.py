"""What browser engines do differently. The tests run in all of them: `run.sh STICKERD --engine firefox --engine webkit`."""

import io
import re

import pytest
from gallery import Server, pass_time
from PIL import Image, ImageChops

SIZES = {390: {"width": 390, "height": 844}, 1280: {"width": 1280, "height": 800}}
IS_AT = "(text) => document.getElementById('position').textContent.startsWith(text)"
#: Records each call that moves the carousel's track.
WATCH = """() => {
    window.moves = [];
    const track = document.getElementById('track');
    const move = track.scrollTo;
    track.scrollTo = (options) => { moves.push(options.behavior); move.call(track, options); };
}"""
pytestmark = pytest.mark.engines


def at(page, number):
    page.wait_for_function(IS_AT, arg=f"{number:,} of ")


def swipe(page, slides):
    """What a finger does: the page itself orders no movement."""
    page.evaluate("""(slides) => {
        const track = document.getElementById('track');
        track.scrollBy({ left: slides * track.clientWidth, behavior: 'instant' });
    }""", slides)


@pytest.mark.parametrize("width", SIZES)
def test_every_view_works(opened, address, outbox, width):
    page = opened(address, viewport=SIZES[width])
    names = [sticker["name"] for sticker in outbox.contents()["stickers"]]
    page.get_by_role("button", name="Next sticker").click()
    at(page, 2)
    page.wait_for_function("(name) => document.getElementById('caption-name').textContent === name", arg=names[1])
    page.wait_for_function("() => document.querySelectorAll('.slide.filled img')[1].naturalWidth > 0")
    page.get_by_role("tab", name="Grid").click()
    page.get_by_role("searchbox").fill(names[3])
    page.wait_for_function("() => document.querySelectorAll('.tile[role=option]').length === 1")
    page.get_by_role("option").click()
    at(page, 4)
    page.get_by_role("tab", name="Colors").click()
    page.get_by_role("slider", name="Colors").press("End")
    page.wait_for_function("() => document.querySelectorAll('#swatches li').length > 5")
    page.get_by_role("button", name="Favorite", exact=True).click()
    # It is drawn when it comes into view.
    page.evaluate("document.getElementById('schemes').scrollIntoView()")
    page.wait_for_function("() => document.querySelectorAll('#schemes .favorite .strip span').length > 5")
    for view in ("Carousel", "Grid", "Colors"):
        page.get_by_role("tab", name=view).click()
        pass_time(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_carousel_can_be_swiped_past_the_slides_that_are_there_at_once(opened, served_whole):
    page = opened(f"{served_whole.url}#/carousel", viewport=SIZES[390])
    assert page.locator(".slide").count() == 201
    pass_time(page, 500)
    page.evaluate("(() => { const track = document.getElementById('track'); track.scrollLeft = 199 * track.clientWidth; })()")
    at(page, 200)
    for number in range(201, 205):
        pass_time(page, 500)
        swipe(page, 1)
        at(page, number)


def test_every_arrow_key_counts(opened, address):
    page = opened(f"{address}#/carousel")
    for number in range(2, 6):
        page.keyboard.press("ArrowRight")
        at(page, number)


def test_an_arrow_key_counts_although_the_tracks_height_changes_meanwhile(opened, served):
    """As when a page that has just opened gets its fonts; without `scrollend`, the next key went too far."""
    page = opened(f"{served}#/carousel")
    pass_time(page, 500)
    page.evaluate("""async () => {
        const track = document.getElementById('track');
        track.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
        while (track.scrollLeft < 2) await new Promise(requestAnimationFrame);
        document.getElementById('caption').style.setProperty('padding-block', '60px');
    }""")
    at(page, 2)
    pass_time(page, 700)
    page.keyboard.press("ArrowRight")
    at(page, 3)


@pytest.mark.parametrize("name, number", [("longer", 4), ("shorter", 5)])
def test_a_name_of_two_lines_does_not_cut_the_movement(opened, served_whole, name, number):
    page = opened(f"{served_whole.url}#/carousel/many%20{number - 2}", viewport=SIZES[390])
    at(page, number - 1)
    pass_time(page, 500)
    height = page.evaluate("document.getElementById('track').clientHeight")
    page.evaluate(WATCH)
    page.keyboard.press("ArrowRight")
    page.wait_for_function("""([height, slides]) => {
        const track = document.getElementById('track');
        return track.clientHeight !== height && Math.abs(track.scrollLeft - slides * track.clientWidth) < 1;
    }""", arg=[height, number - 1])
    # If a busy machine draws nothing for a while after the first pixel, the page orders the same movement again.
    assert set(page.evaluate("moves")) == {"smooth"}


def test_only_thumbnails_near_the_view_are_loaded(opened, served_whole):
    served_whole.requested.clear()
    page = opened(f"{served_whole.url}#/grid", viewport=SIZES[390])
    page.wait_for_function("() => document.querySelector('.tile img').naturalWidth > 0")
    pass_time(page, 1500)
    loaded = {path for path in served_whole.requested if "/many-" in path}
    assert 0 < len(loaded) < 200
    page.evaluate("scrollTo(0, document.scrollingElement.scrollHeight)")
    page.wait_for_function("() => [...document.querySelectorAll('.tile img')].at(-1).naturalWidth > 0")


@pytest.mark.parametrize("offered", [[], ["text/uri-list"]])
def test_a_drag_keeps_what_the_browser_offers(opened, served, outbox, offered):
    """WebKit offers the image itself only if a page sets nothing."""
    page = opened(served)
    sticker = outbox.contents()["stickers"][0]
    types = page.evaluate("""(offered) => {
        const dataTransfer = new DataTransfer();
        for (const type of offered) dataTransfer.setData(type, 'https://example.org/');
        document.querySelector('.cutout img').dispatchEvent(new DragEvent('dragstart', { dataTransfer, bubbles: true }));
        return Object.fromEntries([...dataTransfer.types].map((type) => [type.toLowerCase(), dataTransfer.getData(type)]));
    }""", offered)
    assert types.pop("downloadurl", None) == (f"image/png:{sticker['name']}.png:{served}{sticker['file']}" if offered else None)
    assert {name: text.strip() for name, text in types.items()} == {name: "https://example.org/" for name in offered}


PSEUDO = "([selector, pseudo]) => getComputedStyle(document.querySelector(selector), pseudo).content"


def test_symbols_show_without_alternative_texts_in_css(opened, outbox, tmp_path):
    """Safari before 17.4 and Firefox before 128 ignore a declaration with one."""
    page_text, count = re.subn(r"content: '[^']*' / '[^']*';", "", (outbox.outbox / "index.html").read_text())
    assert count
    # It has the style's digest.
    page_text = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page_text)
    for name in ("thumbnails", "pack", *(sticker["file"] for sticker in outbox.contents()["stickers"])):
        (tmp_path / name).symlink_to(outbox.outbox / name)
    (tmp_path / "packs.js").write_text("")
    (tmp_path / "index.html").write_text(page_text)
    server = Server(tmp_path)
    page = opened(server.url)
    content = lambda selector, pseudo: page.evaluate(PSEUDO, [selector, pseudo]).strip("'\"")
    assert content("#caption-facts", "::before") == " · "
    page.get_by_role("tab", name="Grid").click()
    assert content(".tile .check", "::before") == ""
    page.get_by_role("option").first.focus()
    page.keyboard.press(" ")
    assert content(".tile .check", "::before") == "✓"
    page.get_by_role("tab", name="Colors").click()
    assert content("#favorite", "::before") == "♡"
    page.locator("#favorite").click()
    assert content("#favorite", "::before") == "♥"
    assert content(".schemes .favorite .name", "::after") == " ♥"
    assert content("#details", "::after") == ""
    server.stop()


def test_fields_are_large_enough_that_phones_do_not_zoom(opened, served):
    page = opened(f"{served}#/grid")
    sizes = page.evaluate("""async () => {
        const found = [...document.querySelectorAll('input:not([type=range], [type=radio], [type=color])')];
        // Where the old copy command is the only one.
        navigator.clipboard.writeText = () => Promise.reject(new Error());
        const sizes = () => found.map((field) => parseFloat(getComputedStyle(field).fontSize));
        document.execCommand = () => { found.push(document.querySelector('textarea')); window.sizes = sizes(); return true; };
        await Clipboard.copyText('a');
        return window.sizes;
    }""")
    assert len(sizes) == 2 and min(sizes) >= 16


def test_the_hint_of_a_field_is_dark_enough_to_read(opened, served):
    page = opened(f"{served}#/grid", reduced_motion="reduce")
    pass_time(page)
    box = page.locator("#find").bounding_box()
    text = page.screenshot(clip={"x": box["x"] + 16, "y": box["y"] + 8, "width": 100, "height": box["height"] - 16})
    # The color is #66625e; Firefox's own would be 132.
    assert Image.open(io.BytesIO(text)).convert("L").getextrema()[0] < 120


def test_quick_taps_do_not_zoom(opened, served):
    page = opened(served)
    page.wait_for_function("""() => ['next', 'tab-grid', 'select-all', 'favorite', 'archive'].every((id) => {
        for (let element = document.getElementById(id); element; element = element.parentElement) {
            if (getComputedStyle(element).touchAction === 'manipulation') return true;
        }
        return false;
    })""")


def test_a_tap_selects_although_its_click_has_no_pointer_type(opened, served):
    """Firefox before 129 and older versions of Safari send a click that is a MouseEvent."""
    page = opened(f"{served}#/grid")
    page.get_by_role("option").first.focus()
    page.keyboard.press(" ")
    page.evaluate("""() => {
        const tile = document.querySelectorAll('.tile')[2];
        const options = { bubbles: true, cancelable: true, pointerType: 'touch', isPrimary: true };
        for (const name of ['pointerdown', 'pointerup']) tile.dispatchEvent(new PointerEvent(name, options));
        tile.dispatchEvent(new MouseEvent('click', options));
    }""")
    assert page.get_by_role("option", selected=True).count() == 2
    assert page.evaluate("document.body.dataset.view") == "grid"


def test_the_keyboard_reaches_every_control_of_the_grid(opened, served):
    """Tab skips the color picker in WebKit."""
    page = opened(f"{served}#/grid")
    focused = lambda: page.evaluate("document.activeElement.id || document.activeElement.className")
    page.locator("#tab-grid").focus()
    reached = []
    while "chip" not in reached:
        page.keyboard.press("Tab")
        reached.append(focused())
    assert "find" in reached
    for _ in range(12):
        page.keyboard.press("ArrowRight")
    assert focused() == "find-other"
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("document.activeElement.dataset.hex") == "#f7f7f5"
    for _ in range(4):
        page.keyboard.press("Tab")
        reached.append(focused())
    assert [name for name in reached if name in ("select-all", "archive", "tile")] == ["select-all", "archive", "tile"]


def below(page):
    """The row of pixels a little below the picture in front."""
    box = page.locator(".slide.filled .cutout img").first.bounding_box()
    picture = Image.open(io.BytesIO(page.screenshot())).convert("L")
    left, top = round(box["x"]), round(box["y"] + box["height"]) + 3
    return picture.crop((left, top, left + round(box["width"]), top + 1))


def test_the_shadow_is_not_cut_at_the_pictures_edge(opened, served):
    page = opened(served, viewport=SIZES[1280])
    pass_time(page, 700)
    shaded = below(page)
    page.evaluate("document.querySelectorAll('.cutout, .cutout img').forEach((element) => element.style.setProperty('filter', 'none'))")
    pass_time(page, 700)
    assert max(ImageChops.difference(shaded, below(page)).getextrema()) > 8


def test_a_page_opened_as_a_file_names_no_downloads(opened, address):
    """WebKit would warn of each link."""
    page = opened(f"{address}#/grid")
    links = page.evaluate("['archive', 'caption-download'].map((id) => DOM.find(id).download)")
    assert all(links) if address.startswith("http") else links == ["", ""]
