"""Edges and sizes on screens of any size."""

import pytest
from gallery import pass_time

BOX = "element => { const { left, right, top, bottom, width, height } = element.getBoundingClientRect();" \
      " return { left, right, top, bottom, width, height }; }"


def box(page, selector):
    return page.locator(selector).first.evaluate(BOX)


@pytest.mark.parametrize("width", [390, 1200])
def test_the_focus_ring_of_a_pack_is_not_clipped(opened, served, width):
    page = opened(served, viewport={"width": width, "height": 800}, reduced_motion="reduce")
    links = page.get_by_role("navigation", name="Packs").get_by_role("link")
    links.first.wait_for()
    assert links.count() == 2
    page.locator("#tab-carousel").focus()
    for index in range(2):
        page.keyboard.press("Tab")
        link = links.nth(index)
        assert link.evaluate("element => element === document.activeElement")
        style = link.evaluate("""element => { const style = getComputedStyle(element);
            return parseFloat(style.outlineWidth) + parseFloat(style.outlineOffset); }""")
        inner, outer = link.evaluate(BOX), box(page, "#packs")
        assert style >= 5
        for side, sign in (("left", -1), ("top", -1), ("right", 1), ("bottom", 1)):
            assert (outer[side] - inner[side]) * sign >= style - 0.5, side


@pytest.mark.parametrize("width", [390, 1280, 2200])
def test_the_masthead_has_the_edges_of_every_view(opened, served, width):
    page = opened(served, viewport={"width": width, "height": 1000})
    edges = {}
    for view, first in (("carousel", ".slide > .card"), ("grid", ".tile .frame"), ("colors", "#color-card")):
        page.get_by_role("tab", name=view.capitalize()).click()
        edges[view] = box(page, first)["left"]
    edges["caption"] = page.evaluate("""() => {
        document.getElementById('tab-carousel').click();
        return document.querySelector('.caption .what').getBoundingClientRect().left;
    }""")
    if width > 704:
        edges["title"] = box(page, "h1")["left"]
        assert box(page, "#packs a:last-child")["right"] == pytest.approx(box(page, ".slide > .card")["right"], abs=1)
    assert max(edges.values()) - min(edges.values()) < 1, edges


@pytest.mark.parametrize("size", [(1600, 1000), (2200, 1200)])
def test_a_sticker_fills_seventy_percent_of_a_large_stage(opened, served, size):
    page = opened(served, viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce")
    card, sticker = box(page, ".slide > .card"), box(page, ".slide > .card img")
    assert max(sticker["width"] / card["width"], sticker["height"] / card["height"]) == pytest.approx(0.7, abs=0.005)


def test_a_phone_held_sideways_shows_the_whole_sticker(opened, served):
    page = opened(served, viewport={"width": 844, "height": 390}, has_touch=True, reduced_motion="reduce")
    assert page.evaluate("document.documentElement.scrollHeight") <= 390
    for selector in (".slide > .card", ".slide > .card img", "#caption-name", "#caption-download"):
        found = box(page, selector)
        assert 0 <= found["top"] < found["bottom"] <= 390 and 0 <= found["left"] < found["right"] <= 844, selector
    assert box(page, ".slide > .card img")["height"] > 195


#: The notch and the home indicator of a phone held sideways.
INSETS = {"left": 59, "right": 59, "top": 0, "bottom": 21}
#: What each view has near the edges.
NEAR = {
    "carousel": ("h1", ".slide:first-child > .card", "#caption-name", "#caption-download", "#without-count"),
    "grid": ("h1", "#find", "#select-all", "#archive", ".tile .frame", "#placeholders .frame"),
    "colors": ("h1", "#color-card", "#swatches li", ".seek", "#schemes .strip"),
}


def test_nothing_is_under_the_notch(opened, served):
    page = opened(served, viewport={"width": 844, "height": 390}, has_touch=True, is_mobile=True, reduced_motion="reduce")
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setSafeAreaInsetsOverride", {"insets": INSETS})
    pass_time(page)
    found = {}
    for view, selectors in NEAR.items():
        page.get_by_role("tab", name=view.capitalize()).click()
        for selector in selectors:
            for place in page.locator(selector).evaluate_all(f"(all) => all.map({BOX})"):
                found[view, selector] = min(found.get((view, selector), 844), place["left"], 844 - place["right"])
        if view == "carousel":
            lowest = max(box(page, selector)["bottom"] for selector in NEAR[view])
            assert lowest <= 390 - INSETS["bottom"] and page.evaluate("document.documentElement.scrollHeight") <= 390
        page.evaluate("scrollTo(0, document.scrollingElement.scrollHeight)")
        assert page.evaluate("document.querySelector('main').getBoundingClientRect().bottom") <= 390 - INSETS["bottom"] + 1
    page.evaluate("document.querySelector('.skip').focus()")
    found["skip"] = box(page, ".skip")["left"]
    session.send("Emulation.setSafeAreaInsetsOverride", {"insets": {}})
    assert {name: gap for name, gap in found.items() if gap < 59} == {}
