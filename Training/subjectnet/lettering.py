"""Fonts and made-up text for drawn pages.

The fonts are those of Debian's package fonts-dejavu-core, and Pillow's own, which stands in for missing ones.
"""
from pathlib import Path

from PIL import ImageFont

FOLDER = Path("/usr/share/fonts/truetype/dejavu")
FACES = ("DejaVuSans", "DejaVuSerif", "DejaVuSansMono", None)  # None: Pillow's own
WORDS = """
    the of and a to in is for on with as by at from that this was are be or an it not which have has will can all
    more new one two order report meeting water garden price travel number letter window morning service street
    answer market history school general result possible between during without several yesterday however already
    account delivery address invoice payment summary chapter example project monthly estimate customer insurance
    temperature development description responsibility agreement council library measured included received
    sent open paid late blue small early north final annual public station bridge summer winter paper coffee bread
""".split()


def missing_fonts():
    """The faces that are drawn in Pillow's font, because their files are missing."""
    return [face for face in FACES if face and not (FOLDER / f"{face}.ttf").exists()]


def font(face, size, bold=False):
    """A font of `FACES`. The text layout is Pillow's own, so that it does not depend on what is installed."""
    if face is None or face in missing_fonts():
        return ImageFont.load_default(size)
    return ImageFont.truetype(FOLDER / f"{face}{'-Bold' * bold}.ttf", size, layout_engine=ImageFont.Layout.BASIC)


def words(dice, least, most):
    """Some words with a capital first letter."""
    return " ".join(dice.choice(WORDS, dice.integers(least, most + 1))).capitalize()


def prose(dice, sentences):
    return " ".join(words(dice, 5, 16) + "." for _ in range(sentences))


def lines(text, letters, width):
    """The text in lines of at most `width` pixels."""
    line, result = "", []
    for word in text.split():
        longer = f"{line} {word}".strip()
        if line and letters.getlength(longer) > width:
            result.append(line)
            longer = word
        line = longer
    return [*result, line]
