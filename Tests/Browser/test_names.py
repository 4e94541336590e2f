"""File names are untrusted."""

import photos
import pytest
from gallery import Server

HOSTILE = [
    "</script><img src=x onerror=alert(1)>".replace("/", "\u2215"),
    "<script>alert(1)<\u2215script>", "<!--<script>", "&lt;b&gt;&amp;", "\"'`${alert(1)}", "שלום עולם", "مرحبا-بالعالم",
    "\u202eevil\u202c", "🦊👩‍👩‍👧", "two\nlines", "\u2028\u2029", "100% #1?", "e\u0301tude", "-..-", "a" * 200,
]


@pytest.fixture
def hostile(place):
    for seed, name in enumerate(HOSTILE):
        place.drop(f"{name}.png", photos.subject(seed))
        place.drop(f"<b>{name[:60]}.jpg", b"no photo " + bytes([seed]))
    place.start().settle(len(HOSTILE))
    return place


def test_names_are_never_markup(opened, hostile):
    server = Server(hostile.outbox)
    try:
        for address in (server.url, (hostile.outbox / "index.html").as_uri()):
            page = opened(address)
            elements = page.evaluate("[...new Set([...document.querySelectorAll('*')].map(e => e.localName))]")
            assert not {"b", "iframe", "object"} & set(elements)
            for view in ("grid", "colors", "carousel"):
                page.get_by_role("tab", name=view.capitalize()).click()
            shown = page.evaluate("[...document.querySelectorAll('#tiles bdi')].map(e => e.textContent)")
            assert shown == [sticker["name"] for sticker in hostile.contents()["stickers"]]
            page.get_by_role("tab", name="Grid").click()
            page.wait_for_function("() => [...document.querySelectorAll('#tiles img')].every(image => image.complete)")
            assert page.evaluate("[...document.querySelectorAll('#tiles img')].every(image => image.naturalWidth > 0)")
            assert page.locator("script").count() == 2 and page.locator("img[src='x']").count() == 0
    finally:
        server.stop()


def test_a_packs_name_is_never_markup(opened, place):
    name = "<img src=x onerror=alert(1)> & \"friends\""
    place.settings["pack.name"] = name
    place.drop("disc.png", photos.subject(0))
    place.start().settle(1)
    page = opened((place.outbox / "index.html").as_uri())
    assert page.locator("h1").inner_text() == name
    assert page.title() == name
