"""The links between packs, as files and from a server."""

import photos


def links(page):
    return [link.get_attribute("aria-label") for link in page.locator("#packs a").all()]


def test_every_page_links_to_all_packs_with_cover_and_count(opened, place, serve):
    place.drop("a.png", photos.subject(0))
    place.drop("Holiday/b.png", photos.subject(1))
    place.start()
    place.settle(1)
    place.settle(1, "Holiday")
    url = serve(place.outbox)
    for pack in ("", "Holiday/"):
        for address in ((place.outbox / pack / "index.html").as_uri(), url + pack):
            page = opened(address)
            page.locator("#packs a").nth(1).wait_for()
            assert links(page) == ["Drawn things, 1 sticker", "Holiday, 1 sticker"]
            assert page.locator("#packs [aria-current]").inner_text().startswith("Holiday" if pack else "Drawn things")
            page.wait_for_function("() => [...document.querySelectorAll('#packs img')].every(image => image.complete)")
            assert page.evaluate("[...document.querySelectorAll('#packs img')].map(image => image.naturalWidth > 0)") == [True, True]


def test_a_new_pack_is_linked_from_an_open_page_and_an_empty_one_is_not(opened, place, serve):
    place.settings["whenPhotoRemoved"] = "withdraw"
    place.drop("One/a.png", photos.subject(0))
    place.drop("Two/b.png", photos.subject(1))
    place.start()
    place.settle(1, "One")
    place.settle(1, "Two")
    url = serve(place.outbox)
    page = opened(url + "One/")
    page.get_by_role("link", name="Two, 1 sticker").wait_for()
    other = opened(url + "Two/")
    other.locator("#position").get_by_text("1 of 1").wait_for()
    place.drop("Three/c.png", photos.subject(2))
    page.get_by_role("link", name="Three, 1 sticker").wait_for()
    (place.inbox / "Two/b.png").unlink()
    page.get_by_role("link", name="Two,").wait_for(state="detached")
    # An open page of the empty pack follows it, too.
    other.get_by_text("No stickers yet").wait_for()
    assert other.locator("#position").is_hidden()
    place.drop("Two/d.png", photos.subject(3))
    other.locator("#position").get_by_text("1 of 1").wait_for()
    # That the page was missing.
    other.troubles.clear()
    page.get_by_role("link", name="Three").click()
    page.get_by_role("heading", name="Three", level=1).wait_for()


def test_with_many_packs_the_own_one_is_in_view_and_a_wheel_reaches_the_others(opened, place):
    names = [f"A-pack-with-a-rather-long-name-{letter}" for letter in "ABCDEFGHIJ"]
    for number, name in enumerate(names):
        place.drop(f"{name}/a.png", photos.subject(number))
    place.start()
    for name in names:
        place.settle(1, name)
    page = opened((place.outbox / names[-1] / "index.html").as_uri())
    own = page.locator("#packs [aria-current]")
    own.wait_for()
    bar, link = page.locator("#packs").bounding_box(), own.bounding_box()
    assert bar["x"] <= link["x"] and link["x"] + link["width"] <= bar["x"] + bar["width"]
    before = page.evaluate("document.querySelector('#packs').scrollLeft")
    assert before > 0
    own.hover()
    page.mouse.wheel(0, -200)
    page.wait_for_function("(before) => document.querySelector('#packs').scrollLeft < before", arg=before)
    assert page.evaluate("window.scrollY") == 0
