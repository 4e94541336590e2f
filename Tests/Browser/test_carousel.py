"""One sticker per view, and the effects of scrolling."""

import re

import pytest

WIDTH = 1200


def scroll(page, left):
    """Scrolls to any position between two snap positions."""
    page.evaluate("""async (left) => {
        const track = document.getElementById('track');
        track.style.scrollSnapType = 'none';
        // A page that has just opened may still be scrolling to its own place.
        for (let calm = 0, looks = 0; calm < 2 && looks < 20; calm += 1, looks += 1) {
            if (Math.abs(track.scrollLeft - left) > 1) calm = 0;
            track.scrollTo({ left, behavior: 'instant' });
            await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
        }
    }""", left)


LOOK = """(index) => {
    const slide = document.querySelectorAll('.slide')[index];
    const card = slide.querySelector('.card');
    const style = getComputedStyle(card);
    return {
        x: slide.getBoundingClientRect().left, filter: style.filter, scale: style.scale, translate: style.translate,
        opacity: style.opacity, light: getComputedStyle(card.querySelector('.light')).opacity,
    };
}"""


def look(page, index):
    found = page.evaluate(LOOK, index)
    number = lambda pattern, text, default: float(re.search(pattern, text)[1]) if re.search(pattern, text) else default
    return {
        "x": found["x"], "hue": number(r"hue-rotate\(([-\d.e]+)deg", found["filter"], 0),
        "blur": number(r"blur\(([-\d.e]+)px", found["filter"], 0), "scale": number(r"^([-\d.]+)", found["scale"], 1),
        "offset": number(r"([-\d.e]+)px", found["translate"], 0), "opacity": float(found["opacity"]),
        "light": float(found["light"]),
    }


def skip_without_effects(page):
    if not page.evaluate("CSS.supports('animation-timeline: view()')"):
        pytest.skip("this browser has no scroll-driven animations")


def expected(x, is_last=False):
    """The formulas, up to d = -400, where the card is invisible."""
    d = max(-400, min(0, x))
    return {
        "x": x, "hue": x / 10, "blur": 0 if is_last else -d / 50, "scale": 1 + d / 700,
        "offset": 0 if is_last else -d / 1.25, "opacity": 1 if is_last else 1 + d / 400, "light": -d / 400,
    }


@pytest.mark.parametrize("width", [390, WIDTH, 2400])
def test_cards_follow_the_formulas(opened, served, width):
    page = opened(served, viewport={"width": width, "height": 800})
    skip_without_effects(page)
    for left in (0, 40, 137, 250, 360, 390):
        scroll(page, width + left)
        for index in (1, 2):
            x = (index - 1) * width - left
            assert look(page, index) == pytest.approx(expected(x), abs=0.02)


def test_the_last_card_stays_sharp_and_in_place(opened, served):
    page = opened(served)
    skip_without_effects(page)
    last = page.locator(".slide").count() - 1
    page.keyboard.press("End")
    page.wait_for_function("(n) => document.querySelectorAll('.slide')[n].classList.contains('filled')", arg=last)
    # Scrolling cannot go past the last slide, so the test moves it, as overscrolling would.
    page.evaluate("document.getElementById('track').append(document.createElement('i'))")
    page.evaluate("""(n) => { const slide = document.querySelectorAll('.slide')[n];
        slide.parentElement.lastElementChild.remove(); slide.style.marginInlineEnd = '600px'; }""", last)
    scroll(page, last * WIDTH + 200)
    assert look(page, last) == pytest.approx(expected(-200, is_last=True), abs=0.02)


def test_brightness_is_added_to_every_channel(opened, served):
    page = opened(served)
    # A card of a single color, without its other effects.
    page.evaluate("""() => {
        const card = document.querySelector('.slide .card');
        const light = card.querySelector('.light');
        for (const child of [...card.children]) if (child !== light) child.remove();
        card.style.setProperty('background', 'rgb(0, 60, 130)');
        card.style.setProperty('animation', 'none');
        light.style.setProperty('animation', 'none');
        light.style.setProperty('opacity', '0.4');
    }""")
    box = page.locator(".slide .card").first.bounding_box()
    shot = page.screenshot(clip={"x": box["x"] + 300, "y": box["y"] + 100, "width": 10, "height": 10})
    from io import BytesIO
    from PIL import Image
    assert Image.open(BytesIO(shot)).convert("RGB").getpixel((5, 5)) == pytest.approx((102, 162, 232), abs=1)


def test_scrolling_snaps_to_one_card(opened, served):
    page = opened(served)
    page.mouse.move(600, 400)
    page.mouse.wheel(900, 0)
    # It stays there; on a busy machine, it may also stand still for a while between two cards.
    page.wait_for_function("""async (width) => {
        const track = document.getElementById('track');
        const before = track.scrollLeft;
        await new Promise((done) => setTimeout(done, 200));
        const cards = Math.round(before / width);
        return cards > 0 && Math.abs(before - cards * width) <= 1 && track.scrollLeft === before;
    }""", arg=WIDTH)


@pytest.mark.engines
def test_buttons_and_keys_turn_the_page(opened, served):
    page = opened(served)
    position = lambda number: page.wait_for_function(
        "(text) => document.getElementById('position').textContent.startsWith(text)", arg=f"{number} of ")
    position(1)
    assert page.get_by_role("button", name="Previous sticker").is_disabled()
    page.get_by_role("button", name="Next sticker").click()
    position(2)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    position(4)
    page.keyboard.press("ArrowLeft")
    position(3)
    page.keyboard.press("End")
    position(page.locator(".slide").count())
    assert page.get_by_role("button", name="Next sticker").is_disabled()
    page.keyboard.press("Home")
    position(1)


def test_right_to_left_pages_turn_the_other_way_without_effects(opened, served):
    page = opened(served, init="document.addEventListener('readystatechange', () => { document.documentElement.dir = 'rtl'; })")
    assert page.get_by_role("button", name="Next sticker").bounding_box()["x"] < WIDTH / 2
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("() => document.getElementById('position').textContent.startsWith('2 of ')")
    scroll(page, -(WIDTH + 100))
    assert look(page, 1) == pytest.approx({**expected(0), "x": 100})


def test_reduced_motion_disables_all_motion(opened, served):
    page = opened(served, reduced_motion="reduce")
    scroll(page, WIDTH + 250)
    found = look(page, 1)
    assert {name: found[name] for name in ("hue", "blur", "scale", "offset", "opacity", "light")} == {
        "hue": 0, "blur": 0, "scale": 1, "offset": 0, "opacity": 1, "light": 0}
    page.evaluate("document.getElementById('track').style.scrollSnapType = ''")
    page.keyboard.press("Home")
    # Without motion, there is nothing to wait for.
    assert page.evaluate("document.getElementById('track').scrollLeft") == 0


def test_a_cards_background_is_its_photos_gradient(opened, served, outbox):
    page = opened(served)
    for sticker, place in zip(outbox.packs()["."]["stickers"], range(3)):
        card = page.locator(".slide").nth(place).locator(".backdrop")
        colors = [card.evaluate("(element, name) => element.style.getPropertyValue(name)", f"--color-{i}") for i in range(4)]
        assert colors == sticker["gradient"]
        assert card.evaluate("element => getComputedStyle(element).opacity") == "0.7"


def test_a_sticker_has_the_same_background_in_every_view(opened, served, outbox):
    page = opened(served + "#/grid")
    stickers = outbox.packs()["."]["stickers"]
    page.wait_for_function("() => document.querySelectorAll('.tile[role=option] .frame.tinted').length > 2")
    tints = page.evaluate("[...document.querySelectorAll('.tile[role=option] .frame')].map((frame) => frame.style.getPropertyValue('--tint'))")
    assert tints[:3] == [sticker["gradient"][1] for sticker in stickers[:3]]
    page.get_by_role("tab", name="Colors").click()
    backdrop = page.locator("#color-card .backdrop")
    for kind in ("Photo", "Subject"):
        page.get_by_text(kind, exact=True).click()
        colors = [backdrop.evaluate("(element, name) => element.style.getPropertyValue(name)", f"--color-{i}") for i in range(4)]
        assert colors == stickers[0]["gradient"]


def test_photos_without_a_sticker_are_listed_below_and_have_no_slides(opened, served, outbox):
    page = opened(served)
    contents = outbox.contents()
    reasons = {entry["name"]: entry["reason"] for entry in contents["without"]}
    assert set(reasons) == {"Fog.png", "Broken.jpg"}
    count = len(contents["stickers"])
    page.keyboard.press("End")
    page.wait_for_function("(text) => document.getElementById('position').textContent === text", arg=f"{count} of {count}")
    assert page.locator("#caption-name").inner_text() == contents["stickers"][-1]["name"]
    assert page.locator(".slide").count() == count
    lines = page.locator("#without-list li")
    assert not lines.first.is_visible()
    page.get_by_text("2 photos without a sticker").click()
    assert lines.all_inner_texts() == [f"{name} – {reason}" for name, reason in reasons.items()]
    # The colors of a photo without a sticker are chosen, then the carousel is opened.
    page.get_by_role("tab", name="Colors").click()
    page.locator("#schemes").get_by_text("Fog").click()
    page.get_by_role("tab", name="Carousel").click()
    assert page.locator("#position").inner_text() == f"{count} of {count}"
