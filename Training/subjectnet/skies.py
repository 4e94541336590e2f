"""Draws skies: clear, with clouds, overcast, at sunset and at night. `dice` is a numpy generator."""
import numpy as np
from PIL import Image

SIZES = ((640, 480), (480, 640), (600, 400), (512, 512))


def blended(low, high, share):
    """Colors between two, [height, width, 3] of 0…255, by the share [height, width] of the second."""
    return np.asarray(low, float) * (1 - share[..., None]) + np.asarray(high, float) * share[..., None]


def noise(size, dice, octaves=8, stretched=2.0):
    """Fractal noise of 0…1, wider than high: random grids, each finer and weaker than the one before."""
    width, height = size
    total = np.zeros((height, width))
    for octave in range(octaves):
        high = 2 + 2**octave
        wide = max(2, round(high * width / height / stretched))
        grid = Image.fromarray(dice.random((high, wide)).astype(np.float32))
        total += np.asarray(grid.resize(size, Image.Resampling.BICUBIC)) / 1.7**octave
    return (total - total.min()) / np.ptp(total)


def heights(size):
    """0 at the top to 1 at the bottom."""
    return np.repeat(np.linspace(0, 1, size[1])[:, None], size[0], 1)


def blue(size, dice):
    top, bottom = (np.array(color) + dice.normal(0, 14, 3) for color in ((50, 110, 190), (165, 205, 235)))
    return blended(top, bottom, heights(size) ** dice.uniform(0.6, 1.6))


def clouds(size, dice, sky, share, color, softness):
    """The sky behind clouds that cover about this share of it, darker where they are thick."""
    thickness = noise(size, dice, stretched=dice.uniform(1.2, 4))
    edge = np.quantile(thickness, 1 - share)
    cover = np.clip((thickness - edge) / softness, 0, 1)
    shade = 1 - 0.35 * np.clip((thickness - edge) / (1 - edge + 1e-6), 0, 1) * heights(size)
    return blended(0, 1, cover)[..., :1] * (np.array(color) * shade[..., None]) + sky * (1 - cover[..., None])


def clear(size, dice):
    return blue(size, dice)


def cloudy(size, dice):
    return clouds(size, dice, blue(size, dice), dice.uniform(0.2, 0.7), (250, 250, 252), dice.uniform(0.15, 0.4))


def overcast(size, dice):
    gray = dice.uniform(110, 200)
    sky = blended([gray] * 3, [gray + 40] * 3, heights(size))
    return clouds(size, dice, sky, 0.8, (gray - 25, gray - 22, gray - 15), 0.6)


def sunset(size, dice):
    """Red and yellow above the horizon, a glow instead of the sun's disc, often with dark clouds."""
    down = heights(size)
    sky = np.where((down < 0.6)[..., None], blended((50, 55, 110), (215, 110, 95), (down / 0.6).clip(0, 1)),
                   blended((215, 110, 95), (250, 200, 110), ((down - 0.6) / 0.4).clip(0, 1)))
    x, y = np.meshgrid(np.linspace(0, 1, size[0]), np.linspace(0, 1, size[1]))
    far = ((x - dice.uniform(0.1, 0.9)) / 1.6) ** 2 + (y - dice.uniform(0.8, 1.1)) ** 2
    sky = sky + np.exp(-far / 0.05)[..., None] * np.array((40, 55, 50))
    if dice.random() < 0.7:
        sky = clouds(size, dice, sky, dice.uniform(0.15, 0.5), (120, 70, 90), 0.3)
    return sky + dice.normal(0, 10, 3)


def night(size, dice):
    """Stars of different brightness, some with the band of the Milky Way."""
    sky = blended((4, 6, 18), np.array((18, 24, 52)) + dice.uniform(0, 20, 3), heights(size))
    if dice.random() < 0.5:
        sky = sky + noise(size, dice, stretched=1)[..., None] ** 3 * np.array((60, 52, 70))
    stars = np.zeros((size[1], size[0]))
    count = int(dice.integers(150, 900))
    stars[dice.integers(size[1], size=count), dice.integers(size[0], size=count)] = 255 * dice.random(count) ** 3
    wide = np.maximum.reduce([stars, *(np.roll(stars, 1, axis) * 0.6 for axis in (0, 1))])
    return np.maximum(sky, wide[..., None])


def sky(number, dice):
    """The sky with this number; its kind follows from the number. A little noise, as cameras add it."""
    size = SIZES[dice.integers(len(SIZES))]
    colors = (cloudy, sunset, overcast, cloudy, night, clear)[number % 6](size, dice)
    colors = colors + dice.normal(0, dice.uniform(0.5, 4), colors.shape)
    return Image.fromarray(colors.clip(0, 255).astype(np.uint8))
