"""draw.py FOLDER: draws pictures with few colors, many, only grays, and a subject."""

import sys
from pathlib import Path

from PIL import Image, ImageDraw

SIZE = (480, 320)


def stripes(colors):
    image = Image.new("RGB", SIZE)
    pen = ImageDraw.Draw(image)
    width = SIZE[0] / len(colors)
    for index, color in enumerate(colors):
        pen.rectangle([index * width, 0, (index + 1) * width, SIZE[1]], fill=color)
    return image


def rainbow():
    """Every hue from left to right, from pale to saturated downwards."""
    hue = Image.linear_gradient("L").rotate(90).resize(SIZE)
    full = Image.linear_gradient("L").resize(SIZE)
    return Image.merge("HSV", (hue, full, Image.new("L", SIZE, 220))).convert("RGB")


def disc():
    """A subject before a smooth background."""
    image = Image.merge("RGB", [Image.linear_gradient("L").resize(SIZE).point(lambda value, at=at: at + value // 4)
                                for at in (110, 150, 170)])
    pen = ImageDraw.Draw(image)
    pen.ellipse([140, 60, 340, 260], fill=(60, 10, 10))
    pen.ellipse([150, 70, 330, 250], fill=(220, 40, 30))
    pen.ellipse([200, 110, 270, 180], fill=(250, 210, 60))
    return image


DRAWN = {
    "one color": stripes(["teal"]), "two colors": stripes(["white", "navy"]),
    "twelve colors": stripes([f"hsl({hue}, 75%, 50%)" for hue in range(0, 360, 30)]),
    "grays": Image.linear_gradient("L").resize(SIZE), "rainbow": rainbow(), "subject": disc(),
}

if __name__ == "__main__":
    for name, image in DRAWN.items():
        image.save(Path(sys.argv[1]) / f"{name}.png")
