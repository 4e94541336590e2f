"""File names are untrusted."""

import json

import photos
import pytest

HOSTILE = [
    "</script><img src=x onerror=alert(1)>".replace("/", "\u2215"),
    "<script>alert(1)<\u2215script>", "<!--<script>", "&lt;b&gt;&amp;", "\"'`${alert(1)}", "שלום עולם", "مرحبا-بالعالم",
    "\u202eevil\u202c", "🦊👩‍👩‍👧", "two\nlines", "\u2028\u2029", "100% #1?", "e\u0301tude", "-..-", "a" * 200,
]


@pytest.fixture
def hostile(place):
    for seed, name in enumerate(HOSTILE):
        place.drop(f"{name}.png", photos.subject(seed))
        place.drop(f"<b>{name[:60]}.jpg", b"GIF89a no photo " + bytes([seed]))
    place.start().settle(len(HOSTILE))
    return place


def test_names_are_never_markup(opened, hostile, serve):
    url = serve(hostile.outbox)
    for address in (url, (hostile.outbox / "index.html").as_uri()):
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
        assert page.locator("script").count() == 3 and page.locator("img[src='x']").count() == 0


def test_a_packs_name_is_never_markup(opened, place):
    name = "<img src=x onerror=alert(1)> & \"friends\""
    place.settings["pack.name"] = name
    place.drop("disc.png", photos.subject(0))
    place.start().settle(1)
    page = opened((place.outbox / "index.html").as_uri())
    assert page.locator("h1").inner_text() == name
    assert page.title() == name


def find(page, text, names):
    page.locator("#find").fill(text)
    page.wait_for_function(
        "names => JSON.stringify([...document.querySelectorAll('#tiles .tile bdi')].map(e => e.textContent)) === names",
        arg=json.dumps(names, separators=(",", ":"), ensure_ascii=False))


def test_emoji_stand_beside_the_name_and_are_found(opened, place):
    for seed, name in enumerate(["red-car_0012 🚗", "Waving 👋🏽 Anna ❤️", "🦊", "plain"]):
        place.drop(f"{name}.png", photos.subject(seed))
        if seed == 0:
            place.start()
        place.settle(seed + 1)
    page = opened((place.outbox / "index.html").as_uri())
    page.get_by_role("tab", name="Carousel").click()
    page.keyboard.press("Home")
    assert page.locator("#caption .name").inner_text().strip() == "red car 0012 🚗"
    page.get_by_role("tab", name="Grid").click()
    tiles = page.locator("#tiles .tile p").all_inner_texts()
    assert [text.strip() for text in tiles] == ["red car 0012 🚗", "Waving Anna 👋🏽 ❤️", "🦊", "plain"]
    for text, names in [
        ("🚗", ["red car 0012"]), ("❤", ["Waving Anna"]), ("👋", ["Waving Anna"]), ("anna", ["Waving Anna"]), ("🦊", ["🦊"]),
        ("RED CAR", ["red car 0012"]), ("🐱", []), ("", ["red car 0012", "Waving Anna", "🦊", "plain"]),
    ]:
        find(page, text, names)
