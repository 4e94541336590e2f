"""Draws scanned documents: letters, articles in columns, invoices with a table, forms and lists.

`dice` is a numpy generator. A page is drawn first, then scanned: tilted, unevenly lit, with noise.
"""
import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from .lettering import FACES, font, lines, prose, words

PAPERS = ((255, 255, 255), (250, 248, 240), (244, 244, 246), (240, 232, 212), (226, 226, 222))
INKS = ((0, 0, 0), (30, 30, 34), (20, 24, 60), (70, 66, 62))


class Page:
    """A sheet of paper that is filled from top to bottom; `y` is where the next thing is drawn."""

    def __init__(self, dice):
        self.dice = dice
        self.width, self.height = int(dice.integers(560, 860)), int(dice.integers(760, 1100))
        if dice.random() < 0.2:
            self.width, self.height = self.height, self.width
        self.paper, self.ink = (tuple(kinds[dice.integers(len(kinds))]) for kinds in (PAPERS, INKS))
        self.picture = Image.new("RGB", (self.width, self.height), self.paper)
        self.draw = ImageDraw.Draw(self.picture)
        self.face = FACES[dice.integers(len(FACES))]
        self.size = int(dice.integers(11, 20))
        self.margin = int(self.width * dice.uniform(0.06, 0.13))
        self.left, self.right, self.y = self.margin, self.width - self.margin, self.margin

    def full(self):
        return self.y > self.height - self.margin - 2 * self.size

    def text(self, text, scale=1.0, bold=False, center=False):
        """Lines of text until the page is full."""
        letters = font(self.face, round(self.size * scale), bold)
        for line in lines(text, letters, self.right - self.left):
            if self.full():
                return
            indent = (self.right - self.left - letters.getlength(line)) / 2 if center else 0
            self.draw.text((self.left + indent, self.y), line, self.ink, letters)
            self.y += round(self.size * scale * 1.4)

    def heading(self):
        self.text(words(self.dice, 2, 6), self.dice.uniform(1.3, 2.2), True, self.dice.random() < 0.4)
        self.y += self.size

    def rule(self):
        self.draw.line((self.left, self.y, self.right, self.y), self.ink)
        self.y += self.size

    def cells(self, columns, texts, bold=False):
        """A row of a table: `columns` are where its cells begin."""
        letters = font(self.face, self.size, bold)
        for (left, right), text in zip(zip(columns, columns[1:]), texts):
            self.draw.text((left + 4, self.y), lines(text, letters, right - left - 8)[0], self.ink, letters)
        self.y += round(self.size * 1.6)


def letter(page):
    for _ in range(page.dice.integers(3, 6)):
        page.text(words(page.dice, 1, 4))
    page.y += 3 * page.size
    page.text(words(page.dice, 3, 7), bold=True)
    while not page.full() and page.y < page.height * page.dice.uniform(0.75, 1.2):
        page.y += page.size
        page.text(prose(page.dice, page.dice.integers(2, 6)))


def article(page):
    page.heading()
    top, left, right = page.y, page.left, page.right
    columns, gap = int(page.dice.integers(1, 4)), 2 * page.size
    width = (right - left - gap * (columns - 1)) / columns
    for column in range(columns):
        page.y, page.left = top, left + column * (width + gap)
        page.right = page.left + width
        while not page.full():
            if page.dice.random() < 0.25:
                page.text(words(page.dice, 2, 4), 1.15, bold=True)
            page.text(prose(page.dice, page.dice.integers(2, 7)))
            page.y += page.size // 2


def invoice(page):
    page.heading()
    for _ in range(page.dice.integers(2, 5)):
        page.text(words(page.dice, 2, 4))
    page.y += page.size
    columns = np.cumsum([0, 5, *page.dice.integers(2, 4, page.dice.integers(2, 4))])
    columns = (page.left + columns / columns[-1] * (page.right - page.left)).tolist()
    top, ruled, boxed = page.y, page.dice.random() < 0.6, page.dice.random() < 0.6
    for row in range(page.dice.integers(6, 24)):
        if page.full():
            break
        numbers = [f"{value:,.2f}" for value in page.dice.uniform(1, 3000, len(columns))]
        page.cells(columns, [words(page.dice, 1, 4), *(numbers if row else ["Amount"] * len(columns))], bold=not row)
        if ruled or row == 0:
            page.draw.line((page.left, page.y - 3, page.right, page.y - 3), page.ink)
    if boxed:
        for x in columns:
            page.draw.line((x, top - 3, x, page.y - 3), page.ink)
        page.draw.rectangle((page.left, top - 3, page.right, page.y - 3), outline=page.ink)
    page.y += page.size
    page.text(prose(page.dice, page.dice.integers(1, 5)))


def form(page):
    page.heading()
    while not page.full():
        letters = font(page.face, page.size)
        page.draw.text((page.left, page.y), words(page.dice, 1, 2) + ":", page.ink, letters)
        middle, bottom = page.left + (page.right - page.left) * 0.35, page.y + round(page.size * 1.3)
        if page.dice.random() < 0.3:
            for box in range(3):
                x = middle + box * 5 * page.size
                page.draw.rectangle((x, page.y, x + page.size, page.y + page.size), outline=page.ink)
        else:
            page.draw.line((middle, bottom, page.right, bottom), page.ink)
        page.y += round(page.size * page.dice.uniform(2, 3.2))


def listing(page):
    page.heading()
    number = 1
    while not page.full():
        page.text(f"{number}. {words(page.dice, 3, 24)}")
        page.y += page.size // 2
        number += 1
        if page.dice.random() < 0.08:
            page.rule()


def scanned(page, dice):
    """The page as a scanner or a camera above it sees it; the paper fills the picture."""
    picture = page.picture
    if dice.random() < 0.6:
        picture = picture.rotate(dice.normal(0, 1.5), Image.Resampling.BICUBIC, fillcolor=page.paper)
    if dice.random() < 0.5:
        picture = picture.filter(ImageFilter.GaussianBlur(dice.uniform(0.3, 1)))
    light = np.asarray(picture, np.float32)
    if dice.random() < 0.5:
        x, y = np.meshgrid(np.linspace(-1, 1, picture.width), np.linspace(-1, 1, picture.height))
        angle = dice.uniform(0, 2 * np.pi)
        slope = np.cos(angle) * x + np.sin(angle) * y  # darker to one side, as beside a window
        fold = np.exp(-((x + 1) * dice.uniform(8, 25))) * (dice.random() < 0.4)  # dark at the fold of a book
        light = light * (1 - dice.uniform(0.03, 0.2) * (1 + slope) - 0.5 * fold)[..., None]
    light = light + dice.normal(0, dice.uniform(0, 6), light.shape[:2])[..., None]
    return Image.fromarray(light.clip(0, 255).astype(np.uint8)).convert("L" if dice.random() < 0.25 else "RGB")


def document(number, dice):
    """The document with this number; its kind follows from the number."""
    page = Page(dice)
    (letter, article, invoice, form, listing)[number % 5](page)
    return scanned(page, dice) if dice.random() < 0.75 else page.picture
