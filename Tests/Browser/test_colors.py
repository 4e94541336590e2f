"""Color schemes: the same as the daemon's, with the number of colors that the reader chooses."""

import json
import re

import pytest
from PIL import Image


def scheme(page):
    return [swatch.get_attribute("data-hex") for swatch in page.locator("#swatches .swatch:not(.small)").all()]


def open_colors(opened, address, index=0):
    page = opened(address)
    for number in range(index + 1):
        if number:
            page.keyboard.press("ArrowRight")
        page.wait_for_function("(n) => document.getElementById('position').textContent.startsWith(`${n} of`)", arg=number + 1)
    page.get_by_role("tab", name="Colors").click()
    return page


@pytest.mark.engines
def test_colors_match_the_daemons(opened, address, outbox):
    page = open_colors(opened, address)
    sticker = outbox.packs()["."]["stickers"][0]
    assert scheme(page) == [color["hex"] for color in sticker["colors"]]
    first = page.locator("#swatches li").first.inner_text()
    color = sticker["colors"][0]
    assert color["name"] in first and color["hex"] in first
    page.get_by_text("Subject", exact=True).click()
    assert scheme(page) == [color["hex"] for color in sticker["subjectColors"]]


@pytest.mark.parametrize("side", ["photo", "subject"])
def test_the_slider_gives_the_same_colors_as_stickerd_palette(opened, served, outbox, side):
    page = open_colors(opened, served)
    sticker = outbox.contents()["stickers"][0]
    if side == "subject":
        page.get_by_text("Subject", exact=True).click()
    slider = page.get_by_role("slider", name="Colors")
    slider.press("Home")
    photo = outbox.inbox / f"{sticker['name']}.png"
    for count in range(3, 11):
        assert page.locator("#color-count-value").inner_text() == str(count)
        printed = outbox.run(
            "palette", photo, "--colors", str(count), "--format", "json", *(["--subject"] if side == "subject" else [])).stdout
        assert scheme(page) == list(hexes(json.loads(printed)))
        with page.expect_download() as download:
            page.get_by_role("button", name="Save JSON").click()
        assert json.loads(download.value.path().read_text()) == json.loads(printed)
        slider.press("ArrowRight")


@pytest.mark.engines
def test_every_format_is_saved_as_the_daemon_writes_it(opened, address, outbox, tmp_path):
    page = open_colors(opened, address)
    sticker = outbox.contents()["stickers"][0]
    photo = outbox.inbox / f"{sticker['name']}.png"
    for button, format, extension in (
        ("CSS", "css", "css"), ("GIMP palette", "gpl", "gpl"), ("Adobe swatches", "ase", "ase"), ("text", "text", "txt"),
        ("SVG of the wheel", "svg", "svg"),
    ):
        with page.expect_download() as download:
            page.get_by_role("button", name=f"Save {button}", exact=True).click()
        assert download.value.suggested_filename == f"{sticker['name']}.{extension}"
        outbox.run("palette", photo, "--format", format, "--output", tmp_path)
        (written,) = tmp_path.glob(f"*.{extension}")
        assert download.value.path().read_bytes() == written.read_bytes()


def test_the_wheel_is_saved_as_a_png(opened, address, outbox):
    page = open_colors(opened, address)
    colors = scheme(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save PNG of the wheel").click()
    assert download.value.suggested_filename.endswith(".png")
    picture = Image.open(download.value.path()).convert("RGB")
    assert picture.size == (1600, 2 * (752 + 44 * len(colors) + 28))
    shown = {f"#{red:02x}{green:02x}{blue:02x}" for _, (red, green, blue) in picture.getcolors(1 << 22)}
    assert set(colors) <= shown


def test_details_of_colors_are_folded(opened, served):
    page = open_colors(opened, served)
    first = page.locator("#swatches li").first
    assert "oklch" not in first.inner_text() and "on white" not in first.inner_text()
    button = page.get_by_role("button", name="Details")
    assert button.get_attribute("aria-expanded") == "false"
    button.click()
    assert button.get_attribute("aria-expanded") == "true"
    assert "oklch" in first.inner_text() and re.search(r"on white \d+\.\d : 1", first.inner_text())
    # The details stay open for the next photo.
    page.locator("#schemes button").nth(2).click()
    assert "oklch" in page.locator("#swatches li").first.inner_text()


def found(page):
    page.wait_for_function("() => /found$/.test(document.getElementById('grid-note').textContent)")
    # The DOM's text: the rendered text of a tile is empty until the browser has laid it out.
    return page.get_by_role("option").all_text_contents()


def test_stickers_are_found_by_color(opened, served):
    page = opened(served + "#/grid")
    everything = page.get_by_role("option").count()
    for color, wanted, unwanted in (("yellow", "Lemon", "Cactus"), ("green", "Cactus", "Lemon")):
        chip = page.get_by_role("button", name=f"Find {color} stickers")
        chip.click()
        names = found(page)
        assert chip.get_attribute("aria-pressed") == "true"
        assert names[0] == wanted and unwanted not in names, (color, names)
    # A color and a name together.
    page.get_by_role("searchbox").fill("lem")
    page.wait_for_function("() => document.getElementById('grid-note').textContent.startsWith('0 ')")
    page.get_by_role("searchbox").fill("")
    page.get_by_role("button", name="Find green stickers").click()
    page.wait_for_function("(count) => document.querySelectorAll('.tile[role=option]').length === count", arg=everything)


def test_arrow_keys_reach_all_colors(opened, served):
    page = opened(served + "#/grid")
    page.get_by_role("searchbox").focus()
    page.keyboard.press("Tab")
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert page.get_by_role("button", name="Find yellow stickers").get_attribute("aria-pressed") == "true"
    assert page.locator("#find-colors [tabindex='0']").count() == 1
    for _ in range(10):
        page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.id") == "find-other"


def test_any_color_can_be_looked_for(opened, served):
    page = opened(served + "#/grid")
    page.get_by_label("Find stickers by another color").fill("#2fa84f")
    assert found(page)[0] == "Cactus"
    assert page.locator("#find-other-label.chosen").count() == 1


@pytest.mark.parametrize("of", ["Photo", "Subject"])
def test_every_swatch_finds_its_own_sticker(opened, served, of):
    page = open_colors(opened, served)
    name = page.locator("#color-name").inner_text()
    page.get_by_text(of, exact=True).click()
    for number in range(page.locator("#swatches .seek").count()):
        page.locator("#swatches .seek").nth(number).click()
        assert page.evaluate("document.body.dataset.view") == "grid"
        assert name in found(page)
        page.get_by_role("tab", name="Colors").click()


def hexes(tokens):
    """The colors of a group of design tokens, in order, without complements and gradient."""
    (group,) = tokens.values()
    for name, token in group.items():
        if re.fullmatch(r"color-\d+", name):
            yield token["$value"]["hex"]


def test_the_wheel_has_a_wedge_and_a_complement_for_each_color(opened, served):
    page = open_colors(opened, served)
    fills = page.evaluate("[...document.querySelectorAll('#wheel path')].map(path => path.getAttribute('fill'))")
    assert fills[::2] == scheme(page)
    complements = [swatch.get_attribute("data-hex") for swatch in page.locator("#swatches .swatch.small").all()]
    assert fills[1::2] == complements


def test_the_history_has_every_photo_with_colors(opened, served, outbox):
    page = open_colors(opened, served)
    contents = outbox.contents()
    expected = [e["name"] for e in contents["stickers"]] + [e["name"] for e in contents["without"] if e.get("photo")]
    assert "Fog.png" in expected
    assert page.locator("#schemes .name").all_text_contents() == expected
    page.get_by_role("button", name="Colors of Fog.png").click()
    assert page.locator("#color-name").inner_text() == "Fog.png"
    assert scheme(page)


@pytest.mark.engines
def test_favorites_are_kept_and_can_be_removed(opened, served):
    page = open_colors(opened, served, index=1)
    name = page.locator("#color-name").inner_text()
    page.get_by_role("slider", name="Colors").press("End")
    page.get_by_role("button", name="Favorite", exact=True).click()
    marked = scheme(page)
    page.reload()
    favorite = page.get_by_role("button", name="Favorite", exact=True)
    assert favorite.get_attribute("aria-pressed") == "true"
    page.get_by_role("button", name="Favorites", exact=True).click()
    assert [row.inner_text() for row in page.locator("#schemes .name").all()] == [name]
    with page.expect_download() as download:
        page.get_by_role("button", name="Save favorites").click()
    saved = json.loads(download.value.path().read_text())
    (group,) = saved.values()
    assert name in group["$description"] and list(hexes(saved)) == marked
    favorite.click()
    assert page.locator("#schemes .name").count() == 0


def test_the_names_of_css_are_the_browsers(opened, served):
    assert opened(served).evaluate("""ColorNames.css.filter((entry) => {
        const [name, hex] = entry.split(' ');
        const of = (color) => getComputedStyle(DOM.paint(document.body, { color })).color;
        return of(name) !== of(`#${hex}`);
    })""") == []


def test_a_tab_keeps_and_shows_the_favorites_of_another(opened, served):
    page = open_colors(opened, served)
    with page.context.expect_page() as opening:
        page.evaluate("() => { open('#/colors') }")
    other = opening.value
    for tab in (page, other):
        tab.locator("#color-name", has_text=re.compile(".")).wait_for()
    other.locator("#schemes button").last.click()
    names = [tab.locator("#color-name").inner_text() for tab in (page, other)]
    for tab in (page, other):
        tab.get_by_role("button", name="Favorite", exact=True).click()
    # The first tab shows both at once, and after a reload.
    for _ in range(2):
        page.get_by_role("button", name="Favorites", exact=True).click()
        page.locator("#schemes .name").nth(1).wait_for()
        assert sorted(row.inner_text() for row in page.locator("#schemes .name").all()) == sorted(names)
        page.reload()


def test_saved_schemes_have_their_photos_names(opened, served):
    groups = opened(served).evaluate("""Object.keys(JSON.parse(Colors.tokens(
        ['constructor', 'constructor', 'cat'].map((name) => ({ name, colors: [{ hex: '#ff0000', weight: 1 }] })))))""")
    assert groups == ["constructor", "constructor-2", "cat"]


def test_favorites_work_without_browser_storage(opened, served):
    page = opened(served + "#/colors", is_new=True, init="""
        for (const name of ['localStorage', 'sessionStorage']) {
            Object.defineProperty(window, name, { get() { throw new DOMException('no', 'SecurityError'); } });
        }""")
    page.get_by_role("button", name="Favorite", exact=True).click()
    assert page.locator("#color-note").inner_text().startswith("This browser does not store favorites")


def test_css_is_copied_and_saved(opened, served):
    page = opened(served + "#/colors", permissions=["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy as CSS").click()
    page.get_by_text("CSS copied to the clipboard").first.wait_for()
    css = page.evaluate("navigator.clipboard.readText()")
    assert all(hex_ in css for hex_ in scheme(page))
    with page.expect_download() as download:
        page.get_by_role("button", name="Save CSS").click()
    assert download.value.path().read_text() == css
    # The browser parses the same colors from it.
    found = page.evaluate("""(css) => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(css);
        const style = sheet.cssRules[0].style;
        return [...style].map((name) => style.getPropertyValue(name).trim());
    }""", css)
    assert [value for value in found if value in scheme(page)] == scheme(page)
