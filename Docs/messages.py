#!/usr/bin/env python3
"""messages.py [--check]: collects the texts that users can see into Docs/Messages.txt, so that they can be read in one go.

It takes every string literal with at least two words from the Swift sources, and the same from the gallery's scripts and
page, module by module. `{name}` stands for a value. SQL, and strings for developers only (preconditions), are left out, and so
are the explanations of settings, which `stickerd settings --schema` lists.
With --check nothing is written: it fails if the file is out of date.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "Docs" / "Messages.txt"
SQL = re.compile(r"\s*\(?(SELECT|INSERT|UPDATE|DELETE|WITH|CREATE|ALTER|DROP|PRAGMA|ORDER BY|AND|OR|WHERE|REPLACE|FROM)\b")
#: Markup, JSON, CSS and lists of code words, which are formats rather than texts.
FORMAT = re.compile(r"</?\w|xmlns|\"\$|'(self|none|script)'|^\{ \"|gradient\(|width=|/\*|^\((prefers|hover)|json_each|EXISTS \(|^use strict|MONOTONIC")
#: Files with nothing but names of colors.
NAMES_OF_COLORS = {"ColorLexicon", "names"}
#: Files with explanations of settings.
SETTING_KEYS = "SettingKeys+"
#: What stands before texts that only a developer reads.
DEVELOPER = re.compile(r"(precondition|preconditionFailure|assert|fatalError)\(.*$|label: $")
#: What stands before a slash that begins a regular expression of JavaScript.
BEFORE_PATTERN = re.compile(r"([(,=:\[!&|?{};]|return)\s*$")
HTML_COMMENT = re.compile(r"<!--.*?-->", re.S)
TEXT = re.compile(r">([^<>{}]+)<|(?:title|aria-label|placeholder|content|alt)=\"([^\"{}]+)\"")


def literals(source, quotes, interpolation):
    """(what stands before, text) of each string literal of Swift or JavaScript; comments are skipped."""
    at = 0
    while at < len(source):
        if source.startswith("//", at):
            at = source.find("\n", at) % (len(source) + 1)
        elif source.startswith("/*", at):
            at = source.find("*/", at) + 2
        elif "`" in quotes and source[at] == "/" and BEFORE_PATTERN.search(source[max(0, at - 20):at]):
            at = re.compile(r"/(?:\\.|\[(?:\\.|[^\]])*\]|[^/\\\[])*/").match(source, at).end()
        elif '"""' in quotes and (raw := re.compile(r'(#+)"').match(source, at)):
            text, end = body(source, raw.end(), '"' + raw[1], ("\\" + raw[1] + "(", ")"))
            yield source[max(0, at - 40):at], text
            at = end
        elif source.startswith('"""', at) and '"""' in quotes:
            text, end = body(source, at + 3, '"""', interpolation)
            yield source[max(0, at - 40):at], " ".join(text.split())
            at = end
        elif source[at] in quotes:
            text, end = body(source, at + 1, source[at], interpolation)
            yield source[max(0, at - 40):at], text
            at = end
        else:
            at += 1


def body(source, at, quote, interpolation):
    """A literal's text from `at`, with values as `{name}`, and where the literal ends."""
    text = ""
    while at < len(source) and not source.startswith(quote, at):
        if source.startswith(interpolation[0], at):
            start = at = at + len(interpolation[0])
            depth = 1
            while depth and at < len(source):
                depth += {interpolation[0][-1]: 1, interpolation[1]: -1}.get(source[at], 0)
                at += 1
            value = re.sub(r"\"[^\"]*\"", "", source[start:at - 1])
            names = re.findall(r"[A-Za-z_]\w*", value)
            text += "{" + (names[-1] if names else "value") + "}"
        elif source[at] == "\\":
            text += {"n": " ", "\n": "", "t": " "}.get(source[at + 1], source[at + 1])
            at += 2
        else:
            text += source[at]
            at += 1
    return text, at + len(quote)


def is_message(before, text):
    words = re.findall(r"[A-Za-z][A-Za-z']+", re.sub(r"\{\w+\}", "", text))
    readable = len(words) >= 2 and " " in text.strip() and not SQL.match(text) and not FORMAT.search(text)
    return readable and not DEVELOPER.search(before.splitlines()[-1] if before.strip() else before)


def messages():
    """{module: its texts}"""
    found = {}
    for path in sorted((ROOT / "Sources").rglob("*.swift")):
        source = path.read_text()
        if re.search(r"#sql", source) or path.stem in NAMES_OF_COLORS or path.stem.startswith(SETTING_KEYS):
            continue
        texts = literals(source, ('"""', '"'), ("\\(", ")"))
        found.setdefault(path.relative_to(ROOT / "Sources").parts[0], set()).update(
            text.strip() for before, text in texts if is_message(before, text))
    page = found.setdefault("Gallery (the page)", set())
    for path in sorted((ROOT / "Sources/C/GalleryAssets").glob("*.js")):
        if path.stem in NAMES_OF_COLORS:
            continue
        texts = literals(path.read_text(), ("'", '"', "`"), ("${", "}"))
        page.update(text.strip() for before, text in texts if is_message(before, text))
    html = HTML_COMMENT.sub("", (ROOT / "Sources/C/GalleryAssets" / "gallery.html").read_text())
    page.update(" ".join((a or b).split()) for a, b in TEXT.findall(html) if is_message("", " ".join((a or b).split())))
    return {module: texts for module, texts in found.items() if texts}


def table():
    parts = ["Texts that users can see, from the sources: `make messages` writes this file. {name} stands for a value.\n"]
    for module, texts in sorted(messages().items()):
        parts.append(f"\n{module}\n" + "".join(f"  {text}\n" for text in sorted(texts, key=str.casefold)))
    return "".join(parts)


def main():
    text = table()
    if sys.argv[1:] == ["--check"]:
        if not TABLE.exists() or TABLE.read_text() != text:
            sys.exit("Docs/Messages.txt is out of date: make messages")
    else:
        TABLE.write_text(text)


main()
