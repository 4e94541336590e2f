"""An open page follows its daemon, and keeps its reader's place."""

import photos
import pytest
from gallery import await_change, pass_time, with_contents


IS_COUNT = "(text) => document.getElementById('summary').textContent.startsWith(text)"


def count(page, number):
    await_change(page, IS_COUNT, f"{number} sticker")


@pytest.mark.engines
def test_a_dropped_photo_appears_without_a_reload(opened, place, serve):
    for seed in range(4):
        place.drop(f"disc{seed}.png", photos.subject(seed))
    place.start().settle(4)
    page = opened(serve(place.outbox))
    page.evaluate("window.isTheSamePage = true")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => document.getElementById('position').textContent.startsWith('3 of 4')")
    name = page.locator("#caption-name").inner_text()

    place.drop("disc9.png", photos.subject(9))
    # It looks by itself.
    page.wait_for_function(IS_COUNT, arg="5 sticker")
    assert page.locator("#caption-name").inner_text() == name
    assert page.locator("#position").inner_text().startswith("3 of 5")

    page.get_by_role("tab", name="Grid").click()
    tiles = page.get_by_role("option")
    tiles.nth(1).click(modifiers=["Control"])
    tiles.nth(3).click(modifiers=["Control"])
    chosen = [tile.inner_text() for tile in page.get_by_role("option", selected=True).all()]
    focused = page.evaluate("document.activeElement.textContent")
    place.drop("disc10.png", photos.subject(10))
    count(page, 6)
    assert tiles.count() == 6
    assert [tile.inner_text() for tile in page.get_by_role("option", selected=True).all()] == chosen
    assert page.evaluate("document.activeElement.textContent") == focused

    page.get_by_role("tab", name="Colors").click()
    slider = page.get_by_role("slider", name="Colors")
    slider.press("End")
    place.drop("disc11.png", photos.subject(11))
    count(page, 7)
    assert slider.input_value() == "10"
    assert page.evaluate("document.activeElement.id") == "color-count"
    assert page.evaluate("window.isTheSamePage") is True
    # The link to the pack's ZIP follows, too.
    place.settle(7)
    await_change(page, "() => document.getElementById('archive').textContent.startsWith('Whole pack')")


WATCH = """() => {
    window.peeled = [];
    addEventListener('animationstart', ({ animationName, target }) => {
        if (animationName === 'peel') peeled.push(target.closest('.tile, .slide').textContent || target.alt);
    });
}"""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_new_stickers_peel_in(opened, place, motion, serve):
    place.drop("disc0.png", photos.subject(0))
    place.start().settle(1)
    page = opened(f"{serve(place.outbox)}#/grid", reduced_motion=motion)
    page.evaluate(WATCH)
    place.drop("disc9.png", photos.subject(9))
    count(page, 2)
    if motion == "reduce":
        pass_time(page)
        assert page.evaluate("peeled") == []
        return
    page.wait_for_function("() => peeled.length > 0")
    assert set(page.evaluate("peeled")) == {"disc9"}
    # Only once; the class is removed afterwards.
    page.wait_for_function("() => !document.querySelector('.new')")
    page.get_by_role("tab", name="Carousel").click()
    page.get_by_role("tab", name="Grid").click()
    assert set(page.evaluate("peeled")) == {"disc9"}
    # In the carousel, a sticker takes the place of its pending photo.
    page.get_by_role("tab", name="Carousel").click()
    page.evaluate("peeled.length = 0")
    page.get_by_role("button", name="Next sticker").click()
    page.wait_for_function("() => document.getElementById('position').textContent.startsWith('2 of 2')")
    place.drop("disc10.png", photos.subject(10))
    count(page, 3)
    page.wait_for_function("() => peeled.includes('Sticker: disc10')")


@pytest.mark.engines
def test_a_page_opened_as_a_file_reloads_itself_while_photos_are_pending(opened, place):
    place.drop("disc0.png", photos.subject(0))
    place.start().settle(1)
    # The page while another photo is pending; then the daemon overwrites it with the next one.
    contents = place.contents()
    contents["waiting"], contents["pending"], contents["total"] = [{"name": "disc1"}], 1, 2
    index = place.outbox / "index.html"
    index.write_text(with_contents(index.read_text(), contents))
    page = opened(index.as_uri())
    assert page.locator("#progress").inner_text().startswith("1 of 2 photos done")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => document.getElementById('caption-name').textContent === 'disc1'")
    assert page.get_by_text("Making a sticker").first.is_visible()
    place.drop("disc1.png", photos.subject(1))
    place.wait(lambda: len(place.contents()["stickers"]) == 2)
    page.wait_for_function(IS_COUNT, arg="2 sticker")
    assert page.locator("#caption-name").inner_text() == "disc1"
    assert page.locator("#progress").is_hidden()


def test_no_polling_while_hidden(opened, place, serve):
    place.drop("disc0.png", photos.subject(0))
    place.start().settle(1)
    url = serve(place.outbox)
    page = opened(url, is_new=True, init="Object.defineProperty(document, 'hidden', { get: () => window.isHidden ?? true });")
    page.clock.install()
    asked = lambda: sum("pack.json" in url for url in page.requests)
    page.clock.run_for(60_000)
    assert asked() == 0
    page.evaluate("window.isHidden = false; document.dispatchEvent(new Event('visibilitychange'))")
    with page.expect_request("**/pack.json"):
        page.clock.run_for(10_000)
