"""Color schemes: the same as the daemon's, with the number of colors that the reader chooses."""

import json
import re

import pytest


def scheme(page):
    return [swatch.get_attribute("data-hex") for swatch in page.locator("#swatches .swatch:not(.small)").all()]


def open_colors(opened, address, index=0):
    page = opened(address)
    for _ in range(index):
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(50)
    page.wait_for_function("(n) => document.getElementById('position').textContent.startsWith(`${n} of`)", arg=index + 1)
    page.get_by_role("tab", name="Colors").click()
    return page


def test_colors_match_the_daemons(opened, address, outbox):
    page = open_colors(opened, address)
    sticker = outbox.packs()["."]["stickers"][0]
    assert scheme(page) == [color["hex"] for color in sticker["colors"]]
    first = page.locator("#swatches li").first.inner_text()
    color = sticker["colors"][0]
    assert color["name"] in first and color["hex"] in first and color["complement"] in first
    page.get_by_text("Subject", exact=True).click()
    assert scheme(page) == [color["hex"] for color in sticker["subjectColors"]]


@pytest.mark.parametrize("count", range(3, 11))
@pytest.mark.parametrize("side", ["photo", "subject"])
def test_the_slider_gives_the_same_colors_as_stickerd_palette(opened, served, outbox, count, side):
    page = open_colors(opened, served)
    sticker = outbox.contents()["stickers"][0]
    if side == "subject":
        page.get_by_text("Subject", exact=True).click()
    slider = page.get_by_role("slider", name="Colors")
    slider.press("Home")
    for _ in range(count - 3):
        slider.press("ArrowRight")
    assert page.locator("#color-count-value").inner_text() == str(count)
    photo = outbox.inbox / f"{sticker['name']}.png"
    printed = outbox.run(
        "palette", photo, "--colors", str(count), "--format", "json", *(["--subject"] if side == "subject" else [])).stdout
    assert scheme(page) == list(hexes(json.loads(printed)))
    with page.expect_download() as download:
        page.get_by_role("button", name="Save JSON").click()
    assert json.loads(download.value.path().read_text()) == json.loads(printed)


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
    assert [row.inner_text() for row in page.locator("#schemes .name").all()] == expected
    page.get_by_role("button", name="Colors of Fog.png").click()
    assert page.locator("#color-name").inner_text() == "Fog.png"
    assert scheme(page)


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


def test_favorites_work_without_browser_storage(opened, served):
    page = opened(served + "#/colors", init="""
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
