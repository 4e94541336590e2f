"""Keyboard and screen reader."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from gallery import pass_time


VIEWS = ["carousel", "grid", "colors"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1200, 390])
def test_axe_finds_no_violations(opened, served, width, scheme):
    page = opened(served, viewport={"width": width, "height": 800}, color_scheme=scheme, reduced_motion="reduce", bypass_csp=True)
    for view in VIEWS:
        page.get_by_role("tab", name=view.capitalize()).click()
        pass_time(page)
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()


def test_every_control_has_a_name(opened, served):
    page = opened(served)
    for view in VIEWS:
        page.get_by_role("tab", name=view.capitalize()).click()
        nodes = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
        controls = [node for node in nodes if not node["ignored"] and node["role"]["value"] in (
            "button", "link", "tab", "option", "slider", "radio", "image", "listbox", "navigation", "tabpanel")]
        assert len(controls) > 5
        assert [node for node in controls if not node["name"]["value"].strip()] == []


def test_the_tab_key_reaches_every_control_and_returns_to_the_first(opened, served, engine):
    page = opened(served)
    walk = """() => { const e = document.activeElement; return e.id || e.className || e.textContent; }"""
    reached = []
    for _ in range(14):
        page.keyboard.press("Tab")
        reached.append(page.evaluate(walk))
    wanted = ["skip", "tab-carousel", "track", "next", "caption-colors", "caption-download", "without-count"]
    found = [name for name in reached if name in wanted]
    # Other browsers' windows have controls of their own after the page's.
    assert found[:len(wanted) + 1] == wanted + ["skip"] if engine == "chromium" else found[:len(wanted)] == wanted

    page.locator("#tab-carousel").focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.body.dataset.view") == "grid"
    reached = []
    for _ in range(8):
        page.keyboard.press("Tab")
        reached.append(page.evaluate(walk))
    assert "select-all" in reached and "tile" in reached

    page.locator("#tab-grid").focus()
    page.keyboard.press("ArrowRight")
    reached = []
    for _ in range(8):
        page.keyboard.press("Tab")
        reached.append(page.evaluate(walk))
    assert "of-photo" in reached and "color-count" in reached


def test_the_focus_is_visible(opened, served):
    page = opened(served)
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"


def test_forced_colors_keep_the_selection_visible(opened, served):
    page = opened(served + "#/grid", forced_colors="active")
    tile = page.get_by_role("option").first
    tile.focus()
    page.keyboard.press(" ")
    assert tile.evaluate("element => getComputedStyle(element).outlineStyle") == "solid"


RIGHT_TO_LEFT = "document.addEventListener('readystatechange', () => { document.documentElement.dir = 'rtl'; })"


def test_right_to_left_lines_begin_at_the_right(opened, served):
    page = opened(served + "#/colors", init=RIGHT_TO_LEFT)
    page.get_by_role("button", name="Details").click()
    for selector in ("h1", "#color-name", ".swatches code", ".swatches .detail .figures"):
        edges = page.locator(selector).first.evaluate("""(element) => {
            const range = document.createRange();
            range.selectNodeContents(element);
            const block = element.closest('h1, h2, .label, .detail');
            return [range.getBoundingClientRect().right, block.getBoundingClientRect().right];
        }""")
        assert edges[0] == pytest.approx(edges[1], abs=1.5), selector
    assert page.locator(".swatches .figures").first.evaluate("element => getComputedStyle(element).direction") == "ltr"


@pytest.mark.parametrize("width", [320, 390, 768, 1040, 1240, 2560])
def test_nothing_overflows_the_page(opened, served, width):
    page = opened(served, viewport={"width": width, "height": 800})
    for view in VIEWS:
        page.get_by_role("tab", name=view.capitalize()).click()
        pass_time(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, view
