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
    page = opened(serve(place.outbox) + "One/")
    page.get_by_role("link", name="Two, 1 sticker").wait_for()
    place.drop("Three/c.png", photos.subject(2))
    page.get_by_role("link", name="Three, 1 sticker").wait_for()
    (place.inbox / "Two/b.png").unlink()
    page.get_by_role("link", name="Two,").wait_for(state="detached")
    page.get_by_role("link", name="Three").click()
    page.get_by_role("heading", name="Three", level=1).wait_for()
