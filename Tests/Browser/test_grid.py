"""The whole pack, and selections from it."""

import io
import zipfile

import pytest
from gallery import pass_time


def tiles(page):
    return page.get_by_role("option")


def selected(page):
    return [tile.inner_text() for tile in page.get_by_role("option", selected=True).all()]


def check(page, index):
    """Clicks a tile's check circle."""
    tiles(page).nth(index).hover()
    tiles(page).nth(index).locator(".check").click()


def press(page, element, move=0):
    """Holds a finger on an element for longer than a long press takes; with `move`, moves it first."""
    box = element.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    session = page.context.new_cdp_session(page)
    touch = lambda kind, *points: session.send("Input.dispatchTouchEvent", {
        "type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})
    touch("touchStart", (x, y))
    if move:
        touch("touchMove", (x, y - move))
    pass_time(page, 700)
    touch("touchEnd")


def test_every_sticker_is_shown_as_its_thumbnail(opened, served, outbox):
    page = opened(served + "#/grid")
    stickers = outbox.contents()["stickers"]
    assert [tile.inner_text() for tile in tiles(page).all()] == [sticker["name"] for sticker in stickers]
    sources = page.evaluate("[...document.querySelectorAll('#tiles img')].map(image => image.getAttribute('src'))")
    assert sources == [sticker["thumbnail"] for sticker in stickers]
    assert page.locator("#placeholders li").count() == 2


@pytest.mark.engines
def test_one_several_or_all_stickers_can_be_selected(opened, served, outbox):
    page = opened(served + "#/grid")
    names = [sticker["name"] for sticker in outbox.contents()["stickers"]]
    check(page, 2)
    assert selected(page) == [names[2]]
    tiles(page).nth(5).click(modifiers=["Shift"])
    assert selected(page) == names[2:6]
    tiles(page).nth(3).click(modifiers=["Control"])
    assert selected(page) == [names[2], names[4], names[5]]
    check(page, 2)
    check(page, 0)
    assert selected(page) == [names[0], names[4], names[5]]
    page.get_by_role("button", name="Select all").click()
    assert selected(page) == names
    page.get_by_role("button", name="Clear").click()
    assert selected(page) == []
    assert page.evaluate("document.activeElement.id") == "select-all"
    assert page.evaluate("document.body.dataset.view") == "grid"


def test_a_range_in_a_search_has_only_what_was_found(opened, served, outbox):
    page = opened(served + "#/grid")
    names = [sticker["name"] for sticker in outbox.contents()["stickers"]]
    found = [name for name in names if "a" in name.lower()]
    # The last one is not found; the first one that is found comes later in the pack.
    outside = next(name for name in reversed(names) if name not in found)
    tiles(page).nth(names.index(outside)).click(modifiers=["Control"])
    page.get_by_role("searchbox").fill("a")
    note = page.locator("#grid-note")
    note.get_by_text(f"{len(found)} stickers found").wait_for()
    tiles(page).nth(2).click(modifiers=["Shift"])
    assert selected(page) == [found[2]] and page.locator("#selection-count").inner_text().startswith("1 of ")
    check(page, 1)
    tiles(page).nth(3).click(modifiers=["Shift"])
    assert selected(page) == found[1:4] and page.locator("#selection-count").inner_text().startswith("3 of ")
    assert note.inner_text() == f"{len(found)} stickers found"


def test_a_click_opens_a_sticker(opened, served, outbox):
    page = opened(served + "#/grid")
    names = [sticker["name"] for sticker in outbox.contents()["stickers"]]
    tiles(page).nth(2).click()
    assert page.evaluate("document.body.dataset.view") == "carousel"
    assert page.locator("#caption-name").inner_text() == names[2]
    assert page.evaluate("document.activeElement.id") == "track"
    page.get_by_role("tab", name="Grid").click()
    assert selected(page) == []


def test_the_check_circle_appears_under_the_mouse(opened, served):
    page = opened(served + "#/grid", reduced_motion="reduce")
    circle = tiles(page).nth(1).locator(".check")
    opacity = lambda: circle.evaluate("element => getComputedStyle(element).opacity")
    page.mouse.move(0, 0)
    assert opacity() == "0"
    tiles(page).nth(1).hover()
    assert opacity() == "1"
    check(page, 0)
    page.mouse.move(0, 0)
    # All circles show while something is selected.
    assert opacity() == "1"


def test_a_finger_opens_with_a_tap_and_selects_with_a_long_press(opened, served, outbox):
    page = opened(served + "#/grid", has_touch=True, is_mobile=True, viewport={"width": 390, "height": 844})
    names = [sticker["name"] for sticker in outbox.contents()["stickers"]]
    press(page, tiles(page).nth(1))
    assert selected(page) == [names[1]] and page.evaluate("document.body.dataset.view") == "grid"
    # More taps select more; without a selection, a tap opens.
    tiles(page).nth(4).tap()
    assert selected(page) == [names[1], names[4]]
    tiles(page).nth(1).tap()
    tiles(page).nth(4).tap()
    assert selected(page) == []
    tiles(page).nth(3).tap()
    assert page.evaluate("document.body.dataset.view") == "carousel"
    assert page.locator("#caption-name").inner_text() == names[3]


def test_a_finger_that_scrolls_selects_nothing(opened, served):
    page = opened(served + "#/grid", has_touch=True, is_mobile=True, viewport={"width": 390, "height": 844})
    press(page, tiles(page).nth(1), move=40)
    assert selected(page) == [] and page.evaluate("document.body.dataset.view") == "grid"


@pytest.mark.engines
def test_the_keyboard_selects_too(opened, served, outbox):
    page = opened(served + "#/grid")
    names = [sticker["name"] for sticker in outbox.contents()["stickers"]]
    tiles(page).first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press(" ")
    assert selected(page) == [names[1]]
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    assert selected(page) == names[1:4]
    page.keyboard.press("End")
    assert page.evaluate("document.activeElement.textContent") == names[-1]
    page.keyboard.press("Home")
    columns = page.evaluate("getComputedStyle(document.querySelector('#tiles .chunk')).gridTemplateColumns.split(' ').length")
    if columns < len(names):
        page.keyboard.press("ArrowDown")
        assert page.evaluate("document.activeElement.textContent") == names[columns]
    page.keyboard.press("Control+a")
    assert selected(page) == names
    page.keyboard.press("Escape")
    assert selected(page) == []
    assert page.locator("#tiles [tabindex='0']").count() == 1
    page.keyboard.press("Enter")
    assert page.evaluate("document.body.dataset.view") == "carousel"


@pytest.mark.engines
def test_a_selection_is_downloaded_as_a_zip_of_exactly_its_files(opened, served, outbox):
    page = opened(served + "#/grid")
    stickers = outbox.contents()["stickers"]
    chosen = [1, 4, 6]
    for index in chosen:
        tiles(page).nth(index).click(modifiers=["Control"])
    with page.expect_download() as download:
        page.get_by_role("button", name="Download as ZIP").click()
    assert download.value.suggested_filename == "Drawn things.zip"
    with zipfile.ZipFile(download.value.path()) as archive:
        assert archive.testzip() is None
        assert archive.namelist() == [stickers[index]["file"] for index in chosen]
        for entry in archive.infolist():
            assert archive.read(entry) == (outbox.outbox / entry.filename).read_bytes()
            assert entry.compress_type == zipfile.ZIP_STORED and entry.flag_bits & 0x800


def test_a_zip_keeps_names_that_are_not_ascii(opened, served):
    page = opened(served)
    bytes_ = page.evaluate("""async () => {
        const zip = new Zip();
        zip.add('Grüße-猫-🦊.png', new TextEncoder().encode('123456789'), new Date(2026, 1, 28, 13, 14, 16));
        zip.add('empty', new Uint8Array(), new Date(NaN));
        return [...new Uint8Array(await zip.blob().arrayBuffer())];
    }""")
    with zipfile.ZipFile(io.BytesIO(bytes(bytes_))) as archive:
        assert archive.namelist() == ["Grüße-猫-🦊.png", "empty"]
        first = archive.infolist()[0]
        # CRC-32's published check value.
        assert (first.CRC, first.date_time) == (0xCBF43926, (2026, 2, 28, 13, 14, 16))
        assert archive.read(first) == b"123456789" and archive.read("empty") == b""


def test_a_single_sticker_is_downloaded_as_a_file(opened, served, outbox):
    page = opened(served + "#/grid")
    sticker = outbox.contents()["stickers"][2]
    check(page, 2)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download", exact=True).click()
    assert download.value.suggested_filename == f"{sticker['name']}.png" != sticker["file"]
    assert download.value.path().read_bytes() == (outbox.outbox / sticker["file"]).read_bytes()


def test_a_page_opened_as_a_file_explains_why_a_selection_has_no_zip(opened, outbox):
    page = opened((outbox.outbox / "index.html").as_uri() + "#/grid")
    page.get_by_role("button", name="Select all").click()
    page.get_by_role("button", name="Download as ZIP").click()
    explanation = page.get_by_role("status").filter(has_text="Browsers can’t zip a selection")
    check(page, 0)
    assert explanation.is_visible()
    link = page.get_by_role("link", name="Whole pack")
    archive = outbox.contents()["archive"]
    assert link.get_attribute("href") == archive["file"]
    with zipfile.ZipFile(outbox.outbox / archive["file"]) as pack:
        assert len(pack.namelist()) == archive["stickers"] == tiles(page).count()


@pytest.mark.engines
def test_a_page_opened_as_a_file_opens_a_single_sticker_in_another_tab(opened, outbox):
    page = opened((outbox.outbox / "index.html").as_uri())
    # Browsers do not download from one file to another: they would navigate away from the gallery.
    with page.expect_popup() as tab:
        page.get_by_role("link", name="Download", exact=True).click()
    assert tab.value.url.endswith(".png") and page.url.startswith((outbox.outbox / "index.html").as_uri())
    # A page behind another tab may draw nothing, and the other tab may come to the front late.
    page = opened((outbox.outbox / "index.html").as_uri() + "#/grid")
    check(page, 0)
    with page.expect_popup() as tab:
        page.get_by_role("button", name="Download", exact=True).click()
    assert tab.value.url.endswith(".png")


def test_a_selection_is_shared_as_files(opened, served, outbox):
    page = opened(served + "#/grid", init="""
        window.shared = [];
        navigator.canShare = ({ files }) => files.length > 0;
        navigator.share = async ({ files }) => {
            for (const file of files) shared.push([file.name, file.type, file.size]);
        };""")
    stickers = outbox.contents()["stickers"]
    check(page, 0)
    tiles(page).nth(1).click(modifiers=["Shift"])
    page.get_by_role("button", name="Share").click()
    page.wait_for_function("() => shared.length === 2")
    assert page.evaluate("shared") == [[f"{entry['name']}.png", "image/png", entry["bytes"]] for entry in stickers[:2]]
