"""The names of the platform's features that scripts use. JavaScript has no types: a name counts as known if one interface has it."""

import functools
import re

import versions

#: Syntax that a browser may lack: an expression that finds it, and its place in the list.
SYNTAX = {
    "static { … }": (r"\bstatic\s*\{", ("javascript", "classes", "static_initialization_blocks")),
    "#name in …": (r"#\w+ in\b", ("javascript", "operators", "in")),
    "(?<=…)": (r"\(\?<[=!]", ("javascript", "builtins", "RegExp", "lookbehind_assertion")),
}


@functools.cache
def members():
    """The places of all members and constructors of the platform by name."""
    index = {}
    for part in (versions.find("api"), versions.find("javascript", "builtins")):
        for interface, node in part.items():
            index.setdefault(interface, []).append(node)
            for name, member in node.items():
                if name != "__compat":
                    index.setdefault(name, []).append(member)
                    # Such as those of Intl.
                    for inner, deeper in member.items():
                        if inner != "__compat" and isinstance(deeper, dict):
                            index.setdefault(inner, []).append(deeper)
    return index


def plain(text):
    """Without comments and strings; templates keep their expressions."""
    text = re.sub(r"/\*.*?\*/|(?<![:'\"`\\])//[^\n]*", " ", text, flags=re.S)
    text = re.sub(r"'(?:[^'\\\n]|\\.)*'", "''", text)
    return re.sub(r"`((?:[^`\\]|\\.)*)`", lambda match: " + ".join(re.findall(r"\$\{([^}]*)\}", match[1])) or "''", text)


def own(texts, data):
    """Names that the scripts define, or that the page's data has."""
    names = set(re.findall(r'"(\w+)"', data))
    for text in texts:
        text = text.replace(" = []", "").replace(" = {}", "")
        names |= set(re.findall(r"(?:this\.|static |get |set |async |\*|const |let |class |function )(\w+)", text))
        names |= set(re.findall(r"(?m)^\s+(?:static )?(?:async )?\*?(\w+)\([^;]*\) \{$", text))
        names |= set(re.findall(r"(?<![?\w])(\w+)(?=:(?!:))", text))
        names |= set(re.findall(r"\.(\w+) = ", text))
        for inner in re.findall(r"[{\[]([^{}\[\]]*)[}\]]\s*(?:=|\)|of\b)", text) + re.findall(r"[{(]([\w\s,=.]*)[})]", text):
            names |= set(re.findall(r"\w+", inner))
    return names


def uses(text):
    """(name, whether the script does without it) of each feature."""
    code = plain(text)
    for optional, name, after in re.findall(r"(\?)?\.(?![\d.])([A-Za-z]\w*)(\?\.)?", code):
        yield name, bool(optional or after)
    for name in re.findall(r"\bnew ([A-Z]\w*)|(?<![\w.])([A-Z]\w+)\.|(?<![\w.])(?!super\()([a-z]\w+)\(", code):
        yield "".join(name), False
    events = re.findall(r"addEventListener\('(\w+)'", text)
    for names in re.findall(r"for \(const type of \[([^\]]*)\]", text):
        events += re.findall(r"'(\w+)'", names)
    for name in events:
        yield f"{name}_event", False


def syntax(text):
    for name, (pattern, path) in SYNTAX.items():
        if re.search(pattern, text):
            yield name, path


def newer(name):
    """The browsers that lack it on every interface; all if the list has no such name."""
    # A style has its properties' names in another spelling.
    style = versions.find("css", "properties", re.sub("[A-Z]", lambda letter: f"-{letter[0].lower()}", name))
    nodes = members().get(name) or [style]
    return set.intersection(*map(versions.newer, nodes))
