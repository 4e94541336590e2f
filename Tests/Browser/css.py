"""The features that a style sheet uses, with where it uses them."""

import re

#: Functions and units, by their place in the list of features.
FUNCTIONS = {
    "color-mix": ("types", "color", "color-mix"), "env": ("properties", "custom-property", "env"),
    **{name: ("types", name) for name in ("min", "max", "clamp", "calc", "sin", "cos", "round", "mod", "abs")},
    **{f"{name}-gradient": ("types", "image", "gradient", f"{name}-gradient")
       for name in ("linear", "radial", "conic", "repeating-linear", "repeating-radial")},
    **{name: ("types", "filter-function", name) for name in ("blur", "drop-shadow", "hue-rotate", "brightness")},
    **{name: ("types", "transform-function", name) for name in ("perspective", "rotateX", "rotateY", "scale")},
    "cubic-bezier": ("types", "easing-function", "cubic-bezier"),
}
UNITS = {
    **{unit: ("types", "length", "viewport_percentage_units_dynamic") for unit in ("dvh", "dvw", "dvb", "dvi")},
    **{unit: ("types", "length", "container_query_length_units") for unit in ("cqi", "cqb", "cqw", "cqh")},
}
#: Known for as long as style sheets are.
OLD = {"url", "var", "rgb", "repeat", "minmax", "inset", "px", "em", "fr", "deg", "turn", "s", "ms", "vmin"}
#: Of drawings in the page: as old as those. The list has them elsewhere.
SVG = ("stroke", "fill")


class Use:
    """A feature at one place."""

    def __init__(self, name, path, rule, guards, fallback=False):
        self.name, self.path, self.rule = name, ("css", *path), rule
        #: The conditions of `@supports` around it.
        self.guards = guards
        #: Whether a browser that lacks it uses an earlier declaration.
        self.has_fallback = fallback


def uses(text):
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    yield from block(text, [])


def block(text, around):
    """Rules of a style sheet or of an at-rule with rules."""
    place = 0
    while match := re.compile(r"\s*([^{};]+)\{", re.S).match(text, place):
        head, start = match[1].strip(), match.end()
        end = closing(text, start)
        yield from rule(head, text[start:end], around)
        place = end + 1


def closing(text, start):
    depth = 1
    while depth:
        depth += {"{": 1, "}": -1}.get(text[start], 0)
        start += 1
    return start - 1


def rule(head, body, around):
    guards = [condition for condition in around if condition.startswith("@supports")]
    if head.startswith("@"):
        name = re.match(r"@([\w-]+)", head)[1]
        yield Use(f"@{name}", ("at-rules", name), head, guards)
        if name == "media":
            for feature in re.findall(r"\(([\w-]+)", head):
                yield Use(f"@media ({feature})", ("at-rules", "media", re.sub("^(min|max)-", "", feature)), head, guards)
        if name == "property":
            return
        yield from block(body, [*around, head])
        return
    is_keyframe = any(condition.startswith("@keyframes") for condition in around)
    if not is_keyframe:
        for colons, pseudo in re.findall(r"(::?)([\w-]+)", head):
            # A name with a prefix is for one browser anyway.
            if not pseudo.startswith("-"):
                yield Use(colons + pseudo, ("selectors", pseudo), head, guards)
    earlier = []
    for name, value in declarations(body):
        same = [old for own, old in earlier if own == name or own == f"-webkit-{name}"]
        # A value with a variable is only found to be invalid when it is too late for another.
        has_fallback = bool(same) and "var(" not in value
        earlier.append((name, value))
        if name.startswith("--"):
            yield from values(name, value, head, guards, False)
            continue
        plain = re.sub("^-(webkit|moz)-", "", name)
        if plain == name and not name.startswith(SVG):
            yield Use(name, ("properties", name), head, guards, bool(same))
        for word in re.findall(r"(?<![\w-])[a-z-]+(?![\w(-])", re.sub(r"'[^']*'", "", value)):
            yield Use(f"{name}: {word}", ("properties", name, word), head, guards, has_fallback)
        if name == "content" and re.search(r"'\s*/", value):
            yield Use("content: … / …", ("properties", "content", "alt_text"), head, guards, has_fallback)
        yield from values(name, value, head, guards, has_fallback)


def declarations(body):
    for part in re.split(r";(?![^(]*\))", body):
        name, colon, value = part.partition(":")
        if colon:
            yield name.strip(), value.strip()


def values(name, value, head, guards, has_fallback):
    value = re.sub(r"'[^']*'|#[0-9a-f]+", "", value)
    for function in re.findall(r"([\w-]+)\(", value):
        if function not in OLD:
            yield Use(f"{function}()", FUNCTIONS.get(function, ("types", function)), head, guards, has_fallback)
    for unit in re.findall(r"(?<![\w-])[\d.]+([a-z]+)", value):
        if unit not in OLD:
            yield Use(unit, UNITS.get(unit, ("types", "length", unit)), head, guards, has_fallback)
    if re.search(r"gradient\([^,]* in ", value):
        yield Use("in (gradients)", ("types", "image", "gradient", "interpolation"), head, guards, has_fallback)
