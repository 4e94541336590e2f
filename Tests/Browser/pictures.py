"""Draws the photos for the tests and the README's picture: simple objects in front of calm backgrounds."""

import io

from PIL import Image, ImageChops, ImageDraw, ImageFilter

# Drawn this many times larger, then reduced for smooth edges.
SCALE = 3
SIZE = (900, 720)


class Canvas:
    """Shapes with a soft shade on the side away from the light, in units of a 900 × 720 image."""

    def __init__(self, above, below):
        width, height = SIZE[0] * SCALE, SIZE[1] * SCALE
        fade = Image.linear_gradient("L").resize((width, height))
        self.image = Image.composite(Image.new("RGB", fade.size, below), Image.new("RGB", fade.size, above), fade)

    def shape(self, color, draw, shade=0.35):
        """`draw(pen)` draws the shape in white, in canvas units."""
        mask = Image.new("L", self.image.size)
        draw(Pen(ImageDraw.Draw(mask)))
        self.image.paste(color, mask=mask)
        if shade:
            light = ImageChops.offset(mask.filter(ImageFilter.GaussianBlur(40 * SCALE)), -26 * SCALE, -34 * SCALE)
            dark = ImageChops.multiply(mask, ImageChops.invert(light)).point(lambda value: int(value * shade))
            self.image.paste((20, 10, 40), mask=dark)

    def ellipse(self, color, x, y, rx, ry, **options):
        self.shape(color, lambda pen: pen.ellipse(x, y, rx, ry), **options)

    def polygon(self, color, *points, **options):
        self.shape(color, lambda pen: pen.polygon(points), **options)

    def line(self, color, width, *points):
        self.shape(color, lambda pen: pen.line(points, width), shade=0)

    def curve(self, color, radius, *points, **options):
        """A cubic Bézier curve with round ends."""
        def draw(pen):
            for step in range(201):
                t = step / 200
                weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t ** 3)
                x, y = (sum(weight * point[axis] for weight, point in zip(weights, points)) for axis in (0, 1))
                pen.ellipse(x, y, radius, radius)
        self.shape(color, draw, **options)

    def eye(self, x, y, size):
        self.ellipse((255, 255, 255), x, y, size, size * 1.15, shade=0.1)
        self.ellipse((30, 24, 30), x + size * 0.15, y + size * 0.1, size * 0.55, size * 0.65, shade=0)
        self.ellipse((255, 255, 255), x + size * 0.32, y - size * 0.2, size * 0.18, size * 0.18, shade=0)

    def finished(self):
        """The photo as a PNG."""
        file = io.BytesIO()
        self.image.resize(SIZE, Image.Resampling.LANCZOS).save(file, "PNG")
        return file.getvalue()


class Pen:
    def __init__(self, draw):
        self.draw = draw

    def ellipse(self, x, y, rx, ry):
        self.draw.ellipse([(x - rx) * SCALE, (y - ry) * SCALE, (x + rx) * SCALE, (y + ry) * SCALE], fill=255)

    def polygon(self, points):
        self.draw.polygon([(x * SCALE, y * SCALE) for x, y in points], fill=255)

    def line(self, points, width):
        self.draw.line([(x * SCALE, y * SCALE) for x, y in points], fill=255, width=width * SCALE, joint="curve")


def cat():
    canvas = Canvas((188, 214, 222), (226, 232, 214))
    fur, dark, cream = (233, 148, 62), (190, 104, 36), (250, 228, 196)
    canvas.curve(fur, 24, (560, 600), (790, 640), (770, 440), (690, 430))
    canvas.ellipse(fur, 450, 534, 170, 150)
    canvas.ellipse((245, 192, 128), 450, 565, 96, 108, shade=0.1)
    for x in (385, 515):
        canvas.ellipse(cream, x, 655, 54, 30, shade=0.2)
    for side in (-1, 1):
        canvas.polygon(fur, (450 + side * 180, 100), (450 + side * 165, 290), (450 + side * 50, 190))
        canvas.polygon((240, 168, 160), (450 + side * 165, 140), (450 + side * 152, 250), (450 + side * 80, 190), shade=0)
    canvas.ellipse(fur, 450, 310, 190, 160)
    for x in (400, 450, 500):
        canvas.polygon(dark, (x - 14, 155), (x + 14, 155), (x, 225), shade=0)
    canvas.ellipse(cream, 450, 375, 90, 62, shade=0.1)
    canvas.eye(375, 300, 38)
    canvas.eye(525, 300, 38)
    canvas.polygon((214, 96, 104), (430, 345), (470, 345), (450, 368), shade=0)
    canvas.line((110, 60, 40), 6, (450, 366), (450, 392), (432, 404), (412, 396))
    canvas.line((110, 60, 40), 6, (450, 392), (468, 404), (488, 396))
    return canvas.finished()


def fish():
    canvas = Canvas((96, 176, 196), (40, 110, 150))
    orange, pale = (250, 120, 50), (255, 238, 214)
    canvas.polygon(orange, (660, 360), (820, 230), (790, 360), (820, 490))
    canvas.polygon((226, 88, 40), (380, 230), (500, 120), (600, 250))
    canvas.ellipse(orange, 430, 360, 270, 170)
    for x, reach in ((330, 158), (520, 158)):
        canvas.shape(pale, lambda pen: pen.ellipse(x, 360, 34, reach), shade=0.25)
    canvas.polygon((226, 88, 40), (430, 390), (560, 430), (450, 470))
    canvas.eye(250, 320, 40)
    canvas.line((130, 50, 30), 8, (172, 400), (205, 420), (240, 412))
    return canvas.finished()


def mushroom():
    canvas = Canvas((206, 222, 188), (150, 176, 120))
    canvas.shape((250, 240, 222), lambda pen: (pen.ellipse(450, 610, 110, 70), pen.polygon([(375, 380), (525, 380), (555, 620), (345, 620)])))
    canvas.ellipse((236, 216, 190), 450, 400, 150, 40, shade=0)
    red = (214, 44, 48)
    canvas.shape(red, lambda pen: (pen.ellipse(450, 330, 290, 210), ), shade=0.45)
    canvas.shape((250, 240, 222), lambda pen: pen.polygon([(375, 440), (525, 440), (540, 545), (360, 545)]))
    for x, y, size in ((350, 240, 46), (480, 190, 36), (590, 290, 44), (270, 350, 30), (450, 330, 40), (560, 420, 26), (360, 430, 24)):
        canvas.ellipse((255, 248, 240), x, y, size, size * 0.8, shade=0.15)
    canvas.eye(410, 570, 24)
    canvas.eye(490, 570, 24)
    canvas.line((120, 70, 50), 6, (430, 620), (450, 632), (470, 620))
    return canvas.finished()


def cactus():
    canvas = Canvas((250, 226, 214), (246, 200, 190))
    green, light = (46, 128, 74), (110, 180, 116)
    for points in (((340, 400), (270, 390), (262, 300)), ((560, 360), (634, 350), (640, 250))):
        canvas.shape(green, lambda pen: (pen.line(points, 76), pen.ellipse(*points[-1], 38, 40), pen.ellipse(*points[1], 38, 38)))
    canvas.shape(green, lambda pen: (pen.ellipse(450, 210, 120, 130), pen.polygon([(330, 210), (570, 210), (560, 540), (340, 540)])))
    for x in (390, 450, 510):
        canvas.line(light, 8, (x, 160), (x, 500))
    canvas.polygon((200, 96, 62), (300, 500), (600, 500), (560, 690), (340, 690))
    canvas.polygon((222, 118, 80), (280, 480), (620, 480), (610, 545), (290, 545))
    for angle in ((-40, -20), (0, -46), (40, -20)):
        canvas.ellipse((240, 96, 140), 450 + angle[0], 84 + angle[1] + 20, 34, 34, shade=0.2)
    canvas.ellipse((255, 214, 90), 450, 84, 22, 22, shade=0)
    canvas.eye(410, 270, 26)
    canvas.eye(490, 270, 26)
    canvas.line((24, 70, 40), 7, (425, 330), (450, 346), (475, 330))
    return canvas.finished()


def balloon():
    canvas = Canvas((150, 196, 236), (222, 236, 246))
    canvas.shape((90, 70, 60), lambda pen: (pen.line([(380, 470), (415, 600)], 7), pen.line([(520, 470), (485, 600)], 7)), shade=0)
    whole = lambda pen: (pen.ellipse(450, 270, 210, 215), pen.polygon([(268, 370), (632, 370), (500, 520), (400, 520)]))
    canvas.shape((236, 72, 92), whole, shade=0.5)
    for color, width in (((250, 200, 70), 130), ((66, 120, 200), 52)):
        canvas.shape(color, lambda pen: (pen.ellipse(450, 270, width, 213), pen.polygon([(450 - width * 0.87, 370), (450 + width * 0.87, 370), (450 + width * 0.3, 518), (450 - width * 0.3, 518)])), shade=0.2)
    canvas.polygon((150, 96, 56), (400, 590), (500, 590), (490, 670), (410, 670))
    canvas.line((110, 66, 36), 12, (396, 594), (504, 594))
    return canvas.finished()


def bird():
    canvas = Canvas((240, 232, 214), (214, 222, 200))
    blue = (70, 130, 200)
    canvas.polygon((44, 92, 160), (230, 420), (60, 330), (90, 440), (260, 520))
    canvas.ellipse(blue, 430, 420, 240, 200)
    canvas.ellipse((250, 214, 170), 480, 480, 160, 130, shade=0.15)
    canvas.ellipse(blue, 570, 250, 140, 130)
    canvas.polygon((250, 170, 50), (690, 230), (800, 270), (694, 300))
    canvas.shape((44, 92, 160), lambda pen: (pen.ellipse(350, 400, 130, 90), pen.polygon([(240, 370), (180, 520), (380, 480)])))
    canvas.eye(605, 225, 34)
    for x in (420, 500):
        canvas.line((220, 130, 40), 14, (x, 600), (x, 680), (x + 40, 690))
    return canvas.finished()


def snail():
    canvas = Canvas((214, 236, 200), (168, 204, 150))
    body = (196, 118, 60)
    canvas.shape(body, lambda pen: (pen.ellipse(430, 610, 330, 62), pen.polygon([(640, 600), (660, 330), (760, 330), (755, 640)]), pen.ellipse(715, 340, 66, 70)), shade=0.3)
    for x, tip in ((690, 660), (740, 770)):
        canvas.line(body, 16, (x, 300), (tip, 200))
        canvas.ellipse((90, 60, 50), tip, 194, 18, 18, shade=0)
    canvas.ellipse((176, 84, 130), 400, 410, 220, 210, shade=0.45)
    for size, color in ((160, (206, 120, 160)), (105, (176, 84, 130)), (55, (230, 160, 190))):
        canvas.ellipse(color, 415, 425, size, size, shade=0.25)
    canvas.eye(735, 330, 22)
    canvas.line((140, 80, 50), 6, (735, 376), (755, 384), (770, 374))
    return canvas.finished()


def lemon():
    canvas = Canvas((184, 200, 226), (206, 196, 222))
    canvas.shape((250, 214, 60), lambda pen: (pen.ellipse(450, 400, 260, 190), pen.ellipse(205, 400, 60, 46), pen.ellipse(700, 400, 64, 52)), shade=0.4)
    canvas.polygon((84, 160, 80), (560, 250), (600, 160), (740, 130), (700, 240))
    canvas.line((60, 110, 60), 8, (575, 245), (720, 145))
    canvas.eye(390, 370, 36)
    canvas.eye(510, 370, 36)
    canvas.shape((150, 60, 40), lambda pen: pen.ellipse(450, 455, 46, 34), shade=0)
    canvas.shape((250, 214, 60), lambda pen: pen.ellipse(450, 434, 52, 30), shade=0)
    return canvas.finished()


ALL = {"Cat": cat, "Fish": fish, "Mushroom": mushroom, "Cactus": cactus, "Balloon": balloon, "Bird": bird,
       "Snail": snail, "Lemon": lemon}
