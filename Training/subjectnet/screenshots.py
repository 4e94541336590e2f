"""Draws screenshots: chats, lists, windows with text, tables and terminals, in light and dark.

`dice` is a numpy generator. Nothing in them is a photo.
"""
import colorsys

from PIL import Image, ImageDraw

from .lettering import font, lines, prose, words

PHONES = ((540, 1080), (600, 1000), (480, 960))
DESKTOPS = ((1120, 700), (1024, 768), (1200, 760))


def tone(dice, lightness, saturation=0.6):
    return tuple(round(255 * c) for c in colorsys.hls_to_rgb(dice.random(), lightness, saturation))


class Screen:
    """A picture with the colors of a theme."""

    def __init__(self, sizes, dice):
        self.dice, self.dark = dice, dice.random() < 0.4
        self.width, self.height = sizes[dice.integers(len(sizes))]
        self.ground, self.panel, self.line, self.ink, self.faint = (
            (level, level, level) for level in ((22, 36, 60, 232, 140) if self.dark else (250, 236, 205, 28, 130)))
        self.accent = tone(dice, 0.45)
        self.picture = Image.new("RGB", (self.width, self.height), self.ground)
        self.draw = ImageDraw.Draw(self.picture)
        self.face = ("DejaVuSans", None)[dice.integers(2)]

    def text(self, x, y, text, size=15, color=None, bold=False, width=None):
        """One line, or only as much of it as fits into `width`."""
        letters = font(self.face, size, bold)
        text = lines(text, letters, width)[0] if width else text
        self.draw.text((x, y), text, color or self.ink, letters)

    def paragraph(self, box, size=15):
        """Text in a box, which it fills."""
        left, top, right, bottom = box
        letters = font(self.face, size)
        for line in lines(prose(self.dice, 60), letters, right - left):
            if top + 1.5 * size > bottom:
                return
            self.draw.text((left, top), line, self.ink, letters)
            top += round(1.5 * size)

    def bar(self, box, title, size=18):
        """A title bar with a few plain buttons at its right."""
        left, top, right, bottom = box
        colored = self.dice.random() < 0.4
        self.draw.rectangle(box, self.accent if colored else self.panel)
        ink = (255, 255, 255) if colored else self.ink
        self.text(left + 16, (top + bottom - size) // 2 - 2, title, size, ink, True, (right - left) * 0.6)
        for place in range(self.dice.integers(1, 4)):
            x = right - 34 * (place + 1)
            self.draw.rectangle((x, (top + bottom) // 2 - 7, x + 14, (top + bottom) // 2 + 7), outline=ink, width=2)


def chat(dice):
    screen = Screen(PHONES, dice)
    letters, y = font(screen.face, 16), 84
    own = screen.accent
    while y < screen.height - 80:
        mine, wrapped = dice.random() < 0.5, lines(words(dice, 2, 22), letters, screen.width * 0.6)
        wide, high = max(map(letters.getlength, wrapped)) + 28, 22 * len(wrapped) + 18
        x = screen.width - wide - 16 if mine else 16
        screen.draw.rounded_rectangle((x, y, x + wide, y + high), 14, own if mine else screen.panel)
        for number, line in enumerate(wrapped):
            screen.draw.text((x + 14, y + 8 + 22 * number), line, (255, 255, 255) if mine else screen.ink, letters)
        y += high + int(dice.integers(6, 26))
    screen.draw.rectangle((0, screen.height - 60, screen.width, screen.height), screen.panel)
    screen.draw.rounded_rectangle((16, screen.height - 48, screen.width - 16, screen.height - 12), 18, screen.ground)
    screen.bar((0, 0, screen.width, 64), words(dice, 1, 2))
    return screen.picture


def rows(dice):
    """Messages, settings or contacts."""
    screen = Screen(PHONES, dice)
    high, discs, switches = int(dice.integers(52, 96)), dice.random() < 0.5, dice.random() < 0.4
    for y in range(64, screen.height, high):
        left = 16
        if discs:
            left += high
            screen.draw.ellipse((14, y + 10, high - 6, y + high - 10), tone(dice, 0.6))
            screen.text(high // 2 - 2, y + high // 2 - 10, words(dice, 1, 1)[0], 18, (255, 255, 255))
        screen.text(left, y + 10, words(dice, 2, 4), 16, bold=True, width=screen.width - left - 100)
        screen.text(left, y + 32, words(dice, 5, 9), 13, screen.faint, width=screen.width - left - 80)
        if switches:
            on, x = dice.random() < 0.5, screen.width - 62
            screen.draw.rounded_rectangle((x, y + 16, x + 44, y + 38), 11, screen.accent if on else screen.line)
            screen.draw.ellipse((x + 22 * on, y + 16, x + 22 + 22 * on, y + 38), (255, 255, 255))
        else:
            screen.text(screen.width - 62, y + 12, f"{dice.integers(24)}:{dice.integers(60):02}", 12, screen.faint)
        screen.draw.line((left, y + high - 1, screen.width, y + high - 1), screen.line)
    screen.bar((0, 0, screen.width, 64), words(dice, 1, 2))
    return screen.picture


def window(dice):
    """A program with a toolbar, a side bar and text."""
    screen = Screen(DESKTOPS, dice)
    side = int(dice.integers(140, 280))
    screen.bar((0, 0, screen.width, 34), words(dice, 2, 4), 15)
    for x in range(12, int(screen.width * dice.uniform(0.4, 0.9)), 40):
        screen.draw.rounded_rectangle((x, 42, x + 26, 66), 4, outline=screen.faint, width=2)
    screen.draw.rectangle((0, 76, side, screen.height), screen.panel)
    for number, y in enumerate(range(90, screen.height - 20, 30)):
        if number == 2:
            screen.draw.rectangle((0, y - 5, side, y + 23), screen.line)
        screen.text(16, y, words(dice, 1, 3), 14, width=side - 24)
    screen.text(side + 30, 96, words(dice, 3, 5), 24, bold=True, width=screen.width - side - 60)
    screen.paragraph((side + 30, 146, screen.width - 40, screen.height - 20), int(dice.integers(13, 19)))
    return screen.picture


def table(dice):
    """A spreadsheet, some of its cells colored."""
    screen = Screen(DESKTOPS, dice)
    wide, high = int(dice.integers(80, 150)), int(dice.integers(24, 34))
    for row, y in enumerate(range(40, screen.height, high)):
        for column, x in enumerate(range(0, screen.width, wide)):
            head = row == 0 or column == 0
            fill = screen.panel if head else tone(dice, 0.3 if screen.dark else 0.85) if dice.random() < 0.03 else None
            screen.draw.rectangle((x, y, x + wide, y + high), fill, screen.line)
            text = words(dice, 1, 1) if head else f"{dice.uniform(0, 9000):.1f}"
            if dice.random() < 0.85:
                screen.text(x + 6, y + 4, text, 13, bold=head)
    screen.bar((0, 0, screen.width, 40), words(dice, 1, 3), 15)
    return screen.picture


def terminal(dice):
    """Lines of code or of a program's output, indented and in several colors."""
    screen = Screen(DESKTOPS, dice)
    screen.face = "DejaVuSansMono"
    colors = [tone(dice, 0.7 if screen.dark else 0.35) for _ in range(3)] + [screen.ink] * 3
    indent, size = 0, int(dice.integers(13, 18))
    for y in range(44, screen.height - size, round(size * 1.4)):
        indent = min(max(indent + int(dice.integers(-1, 2)), 0), 6)
        x = 54 + indent * 2 * size
        screen.text(12, y, str(int(y)), size - 2, screen.faint)
        for _ in range(dice.integers(0, 6)):
            part = words(dice, 1, 3).lower()
            screen.text(x, y, part, size, colors[dice.integers(len(colors))])
            x += font(screen.face, size).getlength(part + " ")
    screen.bar((0, 0, screen.width, 34), words(dice, 1, 3), 14)
    return screen.picture


def screenshot(number, dice):
    """The screenshot with this number; its kind follows from the number."""
    return (chat, rows, window, table, terminal)[number % 5](dice)
