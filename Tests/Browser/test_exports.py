"""The exports of a pack on its page."""

import json
import os

import photos
import pytest
from gallery import await_change

NAMES = ["whatsapp", "telegram", "signal", "emoji"]


def is_listed(place):
    """Whether all exports of both stickers are there: those of the first one may have come before."""
    try:
        text = (place.outbox / "exports/exports.js").read_text()
    except FileNotFoundError:
        return False
    exports = {export["name"]: export for export in json.loads(text[text.index("["):text.rindex("]") + 1])}
    return exports.keys() == set(NAMES) and "this pack has 2" in exports["whatsapp"].get("withheld", "")


@pytest.fixture
def exported(place):
    """A pack of two stickers: enough for Telegram and Signal, too few for WhatsApp."""
    place.settings |= {"exports": ":".join(NAMES), "pack.publisher": "Ada <b>"}
    place.drop("a.png", photos.subject(0))
    place.drop("b.png", photos.subject(1))
    place.start()
    place.settle(2)
    assert place.wait(lambda: is_listed(place)) is None, place.last_words()
    return place


def check(page):
    page.get_by_text("For messengers and servers").click()
    items = page.locator("#exports-items li")
    assert items.locator("h3").all_inner_texts() == [
        "WhatsApp", "Telegram", "Signal", "Slack, Mattermost, Zulip, Rocket.Chat"]
    assert "3 stickers" in items.nth(0).inner_text()
    assert items.nth(0).locator("a").count() == 0
    for item in (items.nth(1), items.nth(2)):
        with page.expect_download() as download:
            item.locator("a").first.click()
        assert download.value.suggested_filename.endswith(".zip")
        assert download.value.path().read_bytes()[:2] == b"PK"


def test_downloads_and_reasons_are_offered_in_the_grid(opened, exported, serve):
    check(opened(serve(exported.outbox) + "#/grid"))


def test_a_page_opened_as_a_file_lists_them_too(opened, exported):
    page = opened((exported.outbox / "index.html").as_uri() + "#/grid")
    page.get_by_text("For messengers and servers").click()
    assert page.locator("#exports-items li").count() == len(NAMES)


def test_the_list_follows_the_pack(opened, exported, serve):
    page = opened(serve(exported.outbox) + "#/grid")
    page.get_by_text("For messengers and servers").click()
    exported.drop("c.png", photos.subject(2))
    page.locator("#exports-items li").nth(0).locator("a").first.wait_for()


def test_an_open_page_follows_changed_settings(opened, exported, serve):
    page = opened(serve(exported.outbox))
    page.locator("#caption-colors span").nth(3).wait_for(state="attached")
    page.locator("#exports:not([hidden])").wait_for(state="attached")
    assert exported.stop() == 0
    exported.settings |= {"exports": "", "colors.count": 3}
    exported.start()
    page.locator("#exports[hidden]").wait_for(state="attached")
    await_change(page, "() => document.getElementById('caption-colors').childElementCount === 3")
    # The list is a 404 now.
    page.troubles.clear()


def test_a_list_that_is_replaced_within_the_second_of_its_time_stamp_is_read(opened, exported, serve):
    page = opened(serve(exported.outbox) + "#/grid")
    page.get_by_text("For messengers and servers").click()
    # The first look at the list takes its time stamp, of whole seconds, into the browser's cache.
    with page.expect_response("**/exports.js"):
        pass
    file = exported.outbox / "exports/exports.js"
    times = file.stat().st_atime_ns, file.stat().st_mtime_ns
    file.write_text(file.read_text().replace('"Signal"', '"Another title"'))
    os.utime(file, ns=times)
    page.get_by_role("heading", name="Another title").wait_for()


def test_a_pack_without_exports_has_no_such_list(opened, place):
    place.drop("a.png", photos.subject(0))
    place.start()
    place.settle(1)
    page = opened((place.outbox / "index.html").as_uri() + "#/grid")
    page.wait_for_load_state("networkidle")
    assert page.locator("#exports").is_hidden()
