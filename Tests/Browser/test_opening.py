"""The page opens without errors or external requests."""

import re
import shutil
import urllib.parse

import pytest
from chromium import PATIENCE
from gallery import with_contents


@pytest.mark.engines
def test_no_errors_and_no_external_requests(opened, address):
    page = opened(address)
    page.wait_for_load_state("networkidle")
    for view in ("grid", "colors", "carousel"):
        page.get_by_role("tab", name=view.capitalize()).click()
        page.wait_for_load_state("networkidle")
    folder = address.rsplit("/", 1)[0] + "/"
    assert page.requests
    assert [url for url in page.requests if not url.startswith((folder, "data:", "blob:"))] == []


@pytest.mark.engines
def test_every_image_loads(opened, address):
    page = opened(address + "#/grid")
    page.wait_for_function("() => [...document.querySelectorAll('#tiles img')].every(image => image.complete)")
    assert page.evaluate("[...document.querySelectorAll('#tiles img')].filter(image => !image.naturalWidth).length") == 0
    assert page.locator("#tiles img").count() > 0


def test_no_style_attribute_and_no_foreign_code_in_the_source(outbox):
    source = (outbox.outbox / "index.html").read_text()
    markup = re.sub(r"<(script|style)\b.*?</\1>", "", source, flags=re.S)
    assert "style=" not in markup and "{{" not in markup
    assert not re.search(r"<[^>]+\son\w+\s*=", markup)
    assert re.findall(r"https?://[^\s\"'`)]+", markup) == []


def test_the_policy_blocks_everything_but_the_pages_own_code(opened, served):
    page = opened(served)
    assert page.evaluate("""async () => {
        window.ran = false;
        const blocked = new Promise((done) => document.addEventListener('securitypolicyviolation', () => done(true)));
        const script = document.createElement('script');
        try { script.text = 'window.ran = true'; document.body.append(script); } catch {}
        try { document.body.innerHTML += '<img src=x onerror="window.ran = true">'; } catch {}
        return await blocked && !window.ran;
    }""")
    page.troubles.clear()


@pytest.mark.engines
def test_packs_link_to_each_other(opened, address):
    page = opened(address)
    page.get_by_role("navigation").get_by_role("link", name="Holiday").click()
    page.get_by_role("heading", name="Holiday", level=1).wait_for()
    # The heading is in the page before its script has run.
    page.wait_for_function("() => document.querySelector('#summary').innerText === '1 sticker'")
    page.get_by_role("link", name="Drawn things").click()
    page.get_by_role("heading", name="Drawn things", level=1).wait_for()


def test_an_empty_pack_explains_what_to_do(opened, outbox, tmp_path):
    contents = {**outbox.contents(), "stickers": [], "without": [], "total": 0}
    for folder in ("thumbnails", "pack"):
        shutil.copytree(outbox.outbox / folder, tmp_path / folder)
    (tmp_path / "packs.js").write_text('globalThis.stickerdPacks = {"packs":[]};\n')
    (tmp_path / "index.html").write_text(with_contents((outbox.outbox / "index.html").read_text(), contents))
    page = opened((tmp_path / "index.html").as_uri())
    for view in ("grid", "colors", "carousel"):
        page.get_by_role("tab", name=view.capitalize()).click()
        assert page.get_by_role("main").inner_text() == "No stickers yet: drop photos into the inbox."


def test_without_javascript_the_page_explains_it(browser, served):
    context = browser.new_context(java_script_enabled=False)
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(served)
    assert "JavaScript" in page.locator("noscript").inner_text()
    assert page.get_by_role("heading", level=1).inner_text() == "Drawn things"
    context.close()


def test_the_place_is_in_the_address(opened, served, outbox):
    sticker = outbox.contents()["stickers"][3]
    page = opened(f"{served}#/carousel/{urllib.parse.quote(sticker['id'], safe='')}")
    assert page.locator("#caption-name").inner_text() == sticker["name"]
    assert page.locator("#position").inner_text().startswith("4 of ")


@pytest.mark.parametrize("between", [None, "Holiday/"])
def test_a_link_opens_where_it_leads_wherever_the_reader_had_scrolled(opened, served, outbox, between):
    link = f"{served}#/colors/{urllib.parse.quote(outbox.contents()['stickers'][0]['id'], safe='')}"
    page = opened(served + "#/grid", viewport={"width": 390, "height": 400})
    page.evaluate("scrollTo(0, 900)")
    page.wait_for_function("scrollY > 100")
    if between:
        page.goto(served + between)
        page.locator("body[data-view]").wait_for(state="attached")
    page.goto(link)
    page.wait_for_function("document.body.dataset.view === 'colors'")
    assert page.evaluate("scrollY") == 0


@pytest.mark.engines
def test_a_reload_keeps_the_place_although_its_address_is_an_earlier_one(opened, address):
    page = opened(address)
    # WebKit does this if the address changes while a reload begins.
    page.evaluate("""() => {
        history.replaceState(null, '', '#/carousel');
        addEventListener('pagehide', () => Memory.write('sessionStorage', Memory.placeKey, { view: 'grid', address: '#/grid' }));
    }""")
    page.reload()
    assert page.get_by_role("tab", name="Grid").get_attribute("aria-selected") == "true"
