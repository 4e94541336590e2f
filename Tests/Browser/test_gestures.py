"""
The commands and gestures for one sticker: copy, drag out of the page, long press, wallpaper, tilt. The clipboard, the dragged
data and the saved files are read back.
"""

import io

import pytest
from gallery import pass_time
from PIL import Image, ImageChops
from test_grid import press, tiles

CLIPBOARD = ["clipboard-read", "clipboard-write"]
SHARING = """
    window.shared = [];
    navigator.canShare = ({ files }) => files.length > 0;
    navigator.share = async ({ files }) => { for (const file of files) shared.push([file.name, file.type, file.size]); };"""
READ = """async () => {
    const [item] = await navigator.clipboard.read();
    return [item.types, [...new Uint8Array(await (await item.getType('image/png')).arrayBuffer())]];
}"""
# The page's title stands in for another program.
CATCH = """() => {
    const target = document.querySelector('h1');
    target.addEventListener('dragover', (event) => { event.preventDefault(); window.isOver = true; });
    target.addEventListener('drop', (event) => {
        event.preventDefault();
        window.dropped = Object.fromEntries(
            ['text/uri-list', 'text/html', 'text/plain'].map((type) => [type, event.dataTransfer.getData(type)]));
    });
    // For file managers only: pages cannot read it once it is dropped.
    addEventListener('dragstart', (event) => {
        window.file = event.dataTransfer.getData('DownloadURL');
        window.dragged = event.target.currentSrc;
    });
}"""


def is_same_picture(first, second):
    """Clipboards drop the colors of transparent pixels, and round those of others."""
    pictures = [Image.open(io.BytesIO(data)).convert("RGBA") for data in (first, second)]
    shown = [Image.alpha_composite(Image.new("RGBA", picture.size, "gray"), picture) for picture in pictures]
    differences = ImageChops.difference(*shown)
    return pictures[0].size == pictures[1].size and all(most <= 2 for _, most in differences.getextrema())


def toast(page, text):
    # Its text stays when it is hidden again, which on a busy machine may be before the first look.
    page.locator("#toast").filter(has_text=text).wait_for(state="attached")


def test_a_message_is_shown(opened, served):
    page = opened(served)
    assert page.evaluate("(text) => { Toast.show(text); return DOM.find('toast').matches('.shown'); }", "Hello")
    page.wait_for_function("() => !DOM.find('toast').matches('.shown')")


@pytest.mark.engines
@pytest.mark.parametrize("way", ["button", "keys", "grid"])
def test_a_sticker_is_copied_as_an_image(opened, served, outbox, way):
    page = opened(served, permissions=CLIPBOARD)
    sticker = outbox.contents()["stickers"][1]
    if way == "grid":
        page.get_by_role("tab", name="Grid").click()
        tiles(page).nth(1).focus()
        page.keyboard.press("Control+c")
    else:
        page.get_by_role("button", name="Next sticker").click()
        page.wait_for_function("() => document.getElementById('position').textContent.startsWith('2 of')")
        if way == "keys":
            page.keyboard.press("Control+c")
        else:
            page.get_by_role("button", name="Copy", exact=True).click()
    toast(page, f"Copied “{sticker['name']}” as an image")
    types, data = page.evaluate(READ)
    assert types == ["image/png"]
    assert is_same_picture(bytes(data), (outbox.outbox / sticker["file"]).read_bytes())


def test_a_webp_sticker_is_copied_as_a_png(opened, served, outbox):
    page = opened(served, permissions=CLIPBOARD)
    thumbnail = outbox.contents()["stickers"][0]["thumbnail"]
    data = page.evaluate("""async (file) => {
        const blob = await Clipboard.picture({ file });
        return [blob.type, [...new Uint8Array(await blob.arrayBuffer())]];
    }""", thumbnail)
    picture = Image.open(io.BytesIO(bytes(data[1])))
    assert (data[0], picture.format) == ("image/png", "PNG")
    assert picture.size == Image.open(outbox.outbox / thumbnail).size


@pytest.mark.parametrize("obstacle, message", [
    ("delete window.ClipboardItem;", "only from pages on https or localhost"),
    ("navigator.clipboard.write = async () => { throw new DOMException('no', 'NotAllowedError'); };", "does not let the page"),
    ("navigator.clipboard.write = async () => { throw new Error('no space'); };", "could not be copied: no space"),
])
def test_a_sticker_that_cannot_be_copied_has_a_message(opened, served, obstacle, message):
    page = opened(served, permissions=CLIPBOARD, init=obstacle)
    page.get_by_role("button", name="Copy", exact=True).click()
    toast(page, message)


@pytest.mark.engines
def test_a_page_opened_as_a_file_says_how_to_copy(opened, outbox):
    page = opened((outbox.outbox / "index.html").as_uri())
    page.get_by_role("button", name="Copy", exact=True).click()
    toast(page, "choose “Copy image” instead")


def test_a_phone_is_not_told_to_right_click(opened, outbox):
    page = opened((outbox.outbox / "index.html").as_uri(), **PHONE)
    page.get_by_role("button", name="Copy", exact=True).click()
    toast(page, "Touch and hold the sticker")


def test_selected_text_is_copied_as_text(opened, served):
    page = opened(served, permissions=CLIPBOARD)
    page.evaluate("getSelection().selectAllChildren(document.querySelector('h1'))")
    page.keyboard.press("Control+c")
    assert page.evaluate("navigator.clipboard.readText()") == "Drawn things"


@pytest.mark.engines
@pytest.mark.parametrize("view", ["carousel", "grid"])
def test_a_sticker_is_dragged_out_of_the_page(opened, served, outbox, view, engine):
    page = opened(f"{served}#/{view}", reduced_motion="reduce")
    sticker = outbox.contents()["stickers"][0]
    page.evaluate(CATCH)
    source = page.locator(".slide .cutout img" if view == "carousel" else ".tile .frame").first
    source.hover()
    page.mouse.down()
    pass_time(page)
    page.locator("h1").hover()
    page.locator("h1").hover()
    # The browser drops it only where it has asked before.
    page.wait_for_function("() => window.isOver")
    page.mouse.up()
    page.wait_for_function("() => window.dropped")
    dropped = page.evaluate("dropped")
    address = served + sticker["file"]
    assert dropped["text/uri-list"].strip() == address
    assert f'src="{address}"' in dropped["text/html"]
    # WebKit offers the image only if the page offers nothing.
    assert page.evaluate("file") == ("" if engine == "webkit" else f"image/png:{sticker['name']}.png:{address}")
    # The browser drags the image itself with its bytes.
    assert page.evaluate("dragged") == address
    assert page.evaluate("document.body.dataset.view") == view


PHONE = {"has_touch": True, "is_mobile": True, "viewport": {"width": 390, "height": 844}}


@pytest.mark.parametrize("choice", ["Share…", "Save", "Copy"])
def test_a_long_press_offers_to_share_save_and_copy(opened, served, outbox, choice):
    page = opened(served, init=SHARING, permissions=CLIPBOARD, **PHONE)
    sticker = outbox.contents()["stickers"][0]
    press(page, page.locator(".slide .cutout img").first)
    sheet = page.get_by_role("dialog", name=sticker["name"])
    sheet.wait_for()
    if choice == "Save":
        with page.expect_download() as download:
            sheet.get_by_role("button", name=choice).click()
        assert download.value.suggested_filename == f"{sticker['name']}.png"
        assert download.value.path().read_bytes() == (outbox.outbox / sticker["file"]).read_bytes()
    else:
        sheet.get_by_role("button", name=choice).click()
        if choice == "Copy":
            toast(page, "as an image")
        else:
            page.wait_for_function("() => shared.length === 1")
            assert page.evaluate("shared") == [[f"{sticker['name']}.png", "image/png", sticker["bytes"]]]
    assert sheet.is_hidden()


def test_a_page_that_cannot_share_leaves_a_long_press_to_the_browser(opened, served):
    page = opened(served, init="delete Navigator.prototype.canShare;", **PHONE)
    page.evaluate("""addEventListener('contextmenu', (event) => { window.wasPrevented = event.defaultPrevented; })""")
    press(page, page.locator(".slide .cutout img").first)
    assert page.get_by_role("dialog").count() == 0
    page.locator(".slide .cutout img").first.dispatch_event("contextmenu", {"bubbles": True, "cancelable": True})
    assert page.evaluate("wasPrevented") is False


@pytest.mark.parametrize("screen, scale", [((1280, 720), 1), ((390, 844), 3)])
def test_a_wallpaper_has_the_screens_size(opened, served, outbox, screen, scale):
    size = dict(zip(("width", "height"), screen))
    page = opened(served, viewport=size, screen=size, device_scale_factor=scale, color_scheme="light")
    sticker = outbox.contents()["stickers"][0]
    with page.expect_download() as download:
        page.get_by_role("button", name="Wallpaper").click()
    assert download.value.suggested_filename == f"{sticker['name']} wallpaper.png"
    toast(page, "Saved a wallpaper of")
    picture = Image.open(download.value.path()).convert("RGB")
    assert picture.size == (screen[0] * scale, screen[1] * scale)
    # The corners are the page's gradient, from top left to bottom right: 70 percent on the paper.
    paper = (0xFB, 0xFA, 0xF9)
    gradient = outbox.packs()["."]["stickers"][0]["gradient"]
    for color, place in ((gradient[0], (0, 0)), (gradient[-1], (picture.width - 1, picture.height - 1))):
        mixed = [0.7 * own + 0.3 * other for own, other in zip(bytes.fromhex(color[1:]), paper)]
        assert picture.getpixel(place) == pytest.approx(mixed, abs=4)
    # The sticker is in the middle, and its white outline with it.
    middle = picture.crop([picture.width // 5, picture.height // 5, picture.width * 4 // 5, picture.height * 4 // 5])
    assert max(min(color) for _, color in middle.getcolors(1 << 24)) > 250


def test_a_page_opened_as_a_file_says_why_it_saves_no_wallpaper(opened, outbox):
    page = opened((outbox.outbox / "index.html").as_uri())
    page.get_by_role("button", name="Wallpaper").click()
    toast(page, "Serve this folder")


TRANSFORM = "element => getComputedStyle(element).transform"


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_sticker_tilts_under_the_mouse(opened, served, motion):
    page = opened(served, reduced_motion=motion)
    sticker = page.locator(".slide .cutout").first
    box = sticker.bounding_box()
    page.mouse.move(box["x"] + box["width"] * 0.8, box["y"] + box["height"] * 0.4)
    if motion == "reduce":
        pass_time(page)
        assert sticker.evaluate(TRANSFORM) == "none"
        assert page.locator(".tilted").count() == 0
        return
    page.locator(".slide .cutout.tilted").wait_for()
    page.wait_for_function("() => getComputedStyle(document.querySelector('.tilted')).transform.startsWith('matrix3d')")
    page.wait_for_function("() => getComputedStyle(document.querySelector('.tilted .shine')).opacity > 0.2")
    page.mouse.move(2, 2)
    page.wait_for_function("() => getComputedStyle(document.querySelector('.slide .cutout')).transform === 'none'")


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_sticker_tilts_with_the_phone(opened, served, motion):
    page = opened(served, reduced_motion=motion, **PHONE)
    lean = "(angles) => dispatchEvent(new DeviceOrientationEvent('deviceorientation', angles))"
    page.evaluate(lean, {"beta": 40, "gamma": 0})
    page.evaluate(lean, {"beta": 40, "gamma": 20})
    if motion == "reduce":
        assert page.locator(".tilted").count() == 0
        return
    turned = page.locator(".slide .cutout.tilted").first.evaluate("element => element.style.getPropertyValue('--tilt-y')")
    assert 8 < float(turned.removesuffix("deg")) <= 14
    # If the phone is held still, the sticker returns to its rest position.
    for _ in range(300):
        page.evaluate(lean, {"beta": 40, "gamma": 20})
    turned = page.locator(".slide .cutout.tilted").first.evaluate("element => element.style.getPropertyValue('--tilt-y')")
    assert abs(float(turned.removesuffix("deg"))) < 0.5


def test_the_sheet_closes_with_escape_and_beside_it(opened, served):
    page = opened(served, init=SHARING, **PHONE)
    picture = page.locator(".slide .cutout img").first
    press(page, picture)
    page.keyboard.press("Escape")
    assert page.get_by_role("dialog").count() == 0
    press(page, picture)
    page.get_by_role("dialog").wait_for()
    # What is behind it stays.
    page.keyboard.press("End")
    pass_time(page)
    assert page.locator("#position").inner_text().startswith("1 of ")
    page.touchscreen.tap(195, 20)
    page.wait_for_function("() => !document.getElementById('sheet').open")


def test_names_of_saved_files_are_safe(opened, served):
    page = opened(served)
    names = page.evaluate("""[
        ['a/b\\\\c:d', 'a-1.png'], ['', 'b.png'], ['photo\\u202egnp.exe', 'c.webp'], ['🦊'.repeat(100), 'd.png'], ['...', 'e.png'],
    ].map(([name, file]) => Files.nameOf({ name, file }))""")
    assert names == ["a b c d.png", "sticker.png", "photo gnp.exe.webp", "🦊" * 80 + ".png", "....png"]
