"""Which browsers know a feature of CSS or JavaScript, by the list in Debian's node-mdn-browser-compat-data."""

import functools
import json
import re

LIST = "/usr/share/nodejs/@mdn/browser-compat-data/data.json"
#: The oldest versions that the gallery is made for; `Docs/Gallery.md` names them.
OLDEST = {"safari": 16, "safari_ios": 16, "firefox": 115, "chrome": 110}
#: What the list, of January 2023, does not say: features that these browsers have in those versions.
CORRECTIONS = {
    ("css", "properties", "container-type"): {"firefox": 110},
    ("css", "types", "length", "container_query_length_units"): {"firefox": 110},
    ("css", "properties", "inline-size", "fit-content"): {"firefox": 94},
    ("css", "properties", "overflow-wrap", "anywhere"): {"safari": 15.4, "safari_ios": 15.4},
}


@functools.cache
def everything():
    with open(LIST) as file:
        return json.load(file)


def newer(node, path=()):
    """The browsers whose oldest version lacks a feature of the list; all of them if the list does not know it."""
    if not node or "__compat" not in node:
        return set(OLDEST)
    return {browser for browser, oldest in OLDEST.items() if browser not in CORRECTIONS.get(path, ()) and not any(
        is_in(statement, oldest) for statement in listed(node["__compat"]["support"].get(browser)))}


def listed(support):
    return support if isinstance(support, list) else [support] if support else []


def is_in(statement, oldest):
    """Whether a browser has it under its own name, complete, without an option."""
    added = statement.get("version_added")
    if not added or {"prefix", "alternative_name", "partial_implementation", "flags", "version_removed"} & statement.keys():
        return False
    if added is True:
        return True
    number = [int(part) for part in re.findall(r"\d+", added)]
    return bool(number) and number <= [oldest, 0]


def find(*path):
    node = everything()
    for name in path:
        node = node.get(name) if node else None
    return node
