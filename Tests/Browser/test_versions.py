"""Every feature of the page's style sheets and scripts is known to the oldest browsers that `Docs/Gallery.md` names, has a
fallback, or is in its table with what the page does without it."""

import pathlib
import re

import css
import js
import pytest
import versions

ROOT = pathlib.Path(__file__).resolve().parents[2]
ASSETS = ROOT / "Sources/C/GalleryAssets"
MANUAL = (ROOT / "Docs" / "Gallery.md").read_text()
#: The features of the manual's table.
KNOWN = {name for row in re.findall(r"^\| (`.*?) \|", MANUAL, re.M) for name in re.findall(r"`([^`]+)`", row)}


def missing_in_styles(text):
    """(feature, rule, browsers) of each that neither all browsers know nor a fallback replaces."""
    for use in css.uses(text):
        node = versions.find(*use.path)
        # The list has few of the values: a value that it does not have is as old as its property.
        if use.guards or use.has_fallback or node is None and ": " in use.name:
            continue
        browsers = versions.newer(node, use.path)
        if browsers:
            yield use.name, use.rule, browsers


def missing_in_scripts(texts, data):
    own = js.own(map(js.plain, texts), data)
    for text in texts:
        for name, is_optional in js.uses(text):
            if not is_optional and name not in own and js.newer(name):
                yield name, js.newer(name)
        for name, path in js.syntax(text):
            if versions.newer(versions.find(*path)):
                yield name, versions.newer(versions.find(*path))


@pytest.fixture(scope="module")
def scripts():
    return [path.read_text() for path in sorted(ASSETS.glob("*.js"))]


@pytest.fixture(scope="module")
def data():
    return "".join((ROOT / "Sources" / name).read_text() for name in ("Gallery/GalleryPage.swift", "PackFacts/PackEntry.swift"))


def test_the_manual_names_the_oldest_versions():
    for name, version in (("Safari", "safari"), ("Firefox", "firefox"), ("Chromium", "chrome")):
        assert f"{name} {versions.OLDEST[version]}" in MANUAL


@pytest.mark.parametrize("style", sorted(ASSETS.glob("*.css")), ids=lambda path: path.name)
def test_style_sheets_use_what_the_oldest_browsers_know(style):
    assert [(name, rule) for name, rule, _ in missing_in_styles(style.read_text()) if name not in KNOWN] == []


def test_scripts_use_what_the_oldest_browsers_know(scripts, data):
    assert {name for name, _ in missing_in_scripts(scripts, data)} - KNOWN == set()


def test_the_manual_names_nothing_that_the_page_does_not_use(scripts, data):
    used = {name for path in ASSETS.glob("*.css") for name, _, _ in missing_in_styles(path.read_text())}
    assert KNOWN - used - {name for name, _ in missing_in_scripts(scripts, data)} == set()


@pytest.mark.parametrize("text", [
    "p:has(b) { color: red }", "p { color: color-mix(in srgb, red, blue) }", "p { text-wrap: balance }", "p { inline-size: 5lh }",
    "p { background: red; background: color-mix(in srgb, var(--a), blue) }", "p { content: 'a' / 'b' }", "@layer a { p { color: red } }"
    " @starting-style { p { color: red } }", "p { a { color: red } }", "@media (scripting: none) { p { color: red } }",
    "p { mask: none }"])
def test_newer_features_of_css_are_refused(text):
    assert list(missing_in_styles(text))


@pytest.mark.parametrize("text", [
    "p { background: red; background: color-mix(in srgb, red, blue) }", "p { content: 'a'; content: 'a' / 'b' }",
    "@supports (color: color-mix(in srgb, red, blue)) { p { color: color-mix(in srgb, var(--a), blue) } }",
    "p { -webkit-mask: none; mask: none }", "p { inset-inline: clamp(1rem, 2cqi, 3rem) }"])
def test_fallbacks_are_accepted(text):
    assert list(missing_in_styles(text)) == []


@pytest.mark.parametrize("text", [
    "Object.groupBy(a, (b) => b);", "track.addEventListener('scrollend', f);", "new CompressionStream('gzip');", "a.toSorted();",
    "document.startViewTransition(f);", "const a = /(?<=b)c/;", "class A { static { f(); } }", "navigator.keyboard.lock();",
    "for (const type of ['scroll', 'scrollend']) f(type);", "Promise.withResolvers();", "new Set().union(a);"])
def test_newer_features_of_javascript_are_refused(text):
    assert list(missing_in_scripts([text], ""))


@pytest.mark.parametrize("text", [
    "navigator.vibrate?.(10);", "globalThis.trustedTypes?.createPolicy('a', {});", "a.at(-1);", "element.replaceChildren();"])
def test_older_and_optional_features_of_javascript_are_accepted(text):
    assert list(missing_in_scripts([text], "const element = 1, a = 1;")) == []
