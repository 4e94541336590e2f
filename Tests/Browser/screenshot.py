"""screenshot.py STICKERD OUTPUT.png: makes the README's picture of the gallery with the drawn photos and a real daemon."""

import io
import os
import sys
import tempfile

os.environ["STICKERD"] = os.path.realpath(sys.argv[1])

import pictures
from gallery import Gallery, Server
from PIL import Image, ImageDraw, ImageFilter
from playwright.sync_api import sync_playwright

PAPER = (236, 233, 228)
GAP = 36
# About the width of a README on a high-resolution screen.
WIDTH = 1320
LARGE, SMALL = (1040, 720), (468, 342)
# The view, its color scheme, the sticker in front, the window's size, and its scale.
VIEWS = [
    ("carousel", "light", "Cat", LARGE, LARGE), ("grid", "light", "Cat", (860, 629), SMALL),
    ("colors", "dark", "Balloon", (920, 672), SMALL),
]


def shots(url, place):
    keys = {sticker["name"]: sticker["id"] for sticker in place.contents()["stickers"]}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium")
        for view, scheme, name, window, size in VIEWS:
            page = browser.new_page(
                viewport=dict(zip(("width", "height"), window)), reduced_motion="reduce", color_scheme=scheme,
                device_scale_factor=2)
            page.goto(f"{url}#/{view}/{keys[name].replace(':', '%3A')}")
            page.wait_for_load_state("networkidle")
            if view == "grid":
                for index in (1, 3):
                    page.get_by_role("option").nth(index).click(modifiers=["Control"])
            page.wait_for_timeout(300)
            yield Image.open(io.BytesIO(page.screenshot())).convert("RGB").resize(size, Image.Resampling.LANCZOS)
        browser.close()


def rounded(size, radius):
    mask = Image.new("L", (size[0] * 4, size[1] * 4))
    ImageDraw.Draw(mask).rounded_rectangle([0, 0, mask.width - 1, mask.height - 1], radius * 4, fill=255)
    return mask.resize(size, Image.Resampling.LANCZOS)


def paste(sheet, shot, x, y):
    mask = rounded(shot.size, 18)
    shadow = Image.new("L", sheet.size)
    shadow.paste(mask, (x, y + 14))
    shadow = shadow.filter(ImageFilter.GaussianBlur(22)).point(lambda value: value // 4)
    sheet.paste((0, 0, 0), mask=shadow)
    sheet.paste(shot, (x, y), mask)


def main():
    with tempfile.TemporaryDirectory() as folder:
        place = Gallery(folder)
        for name, draw in pictures.ALL.items():
            place.drop(f"{name}.png", draw())
        place.start()
        place.settle(len(pictures.ALL))
        server = Server(place.outbox)
        carousel, grid, colors = shots(server.url, place)
        server.stop()
        place.stop()
    sheet = Image.new("RGB", (GAP * 3 + LARGE[0] + SMALL[0], GAP * 2 + LARGE[1]), PAPER)
    beside = GAP * 2 + LARGE[0]
    paste(sheet, carousel, GAP, GAP)
    paste(sheet, grid, beside, GAP)
    paste(sheet, colors, beside, GAP + LARGE[1] - SMALL[1])
    sheet = sheet.resize((WIDTH, round(sheet.height * WIDTH / sheet.width)), Image.Resampling.LANCZOS)
    sheet.save(sys.argv[2], optimize=True)


if __name__ == "__main__":
    main()
