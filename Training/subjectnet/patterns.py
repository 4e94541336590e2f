"""Draws patterns: gradients, color noise, stripes, waves, checks, dots and plaid. `dice` is a numpy generator."""
import numpy as np
from PIL import Image

SIDES = (256, 640)


def colors(dice, count):
    return dice.uniform(0, 255, (count, 3))


def turned(shape, dice):
    """Two axes at right angles through the picture, in pixels, turned by a random angle or not at all."""
    y, x = np.mgrid[:shape[0], :shape[1]].astype(float)
    angle = dice.uniform(0, np.pi) if dice.random() < 0.6 else 0
    return x * np.cos(angle) + y * np.sin(angle), y * np.cos(angle) - x * np.sin(angle)


def gradient(shape, dice):
    """Between two to four colors: along a line, around a point far from the middle, or in both directions."""
    along, across = turned(shape, dice)
    kind = dice.integers(3)
    if kind == 1:
        along = np.hypot(along - along.max() * dice.uniform(-0.3, 0), across - across.max() * dice.uniform(-0.3, 0))
    if kind == 2:
        corners = dice.uniform(0, 255, (2, 2, 3)).astype(np.uint8)
        return np.asarray(Image.fromarray(corners).resize(shape[::-1], Image.Resampling.BILINEAR), float)
    along = (along - along.min()) / np.ptp(along)
    stops = colors(dice, dice.integers(2, 5))
    return np.stack([np.interp(along, np.linspace(0, 1, len(stops)), stops[:, band]) for band in range(3)], -1)


def color_noise(shape, dice):
    """Noise of single pixels, or of smooth or square spots that cover the picture."""
    spot = int(dice.choice((1, 2, 4, 8, 16, 32)))
    grid = (shape[0] // spot + 1, shape[1] // spot + 1)
    spread = dice.normal(dice.uniform(60, 190, 3), dice.uniform(20, 70), (*grid, 3))
    if dice.random() < 0.3:
        spread = np.repeat(spread[..., :1], 3, -1)
    soft = Image.Resampling.BICUBIC if dice.random() < 0.5 else Image.Resampling.NEAREST
    return np.asarray(Image.fromarray(spread.clip(0, 255).astype(np.uint8)).resize(shape[::-1], soft), float)


def stripes(shape, dice, bent=0.0):
    """Stripes of two to four colors and random widths, with hard edges; straight if they are not bent."""
    along, across = turned(shape, dice)
    along = along + bent * np.sin(across / dice.uniform(12, 60))
    ends = np.cumsum(dice.uniform(5, 40, dice.integers(2, 5)))
    return colors(dice, len(ends))[np.searchsorted(ends, along % ends[-1], "right").clip(0, len(ends) - 1)]


def waves(shape, dice):
    return stripes(shape, dice, bent=dice.uniform(3, 25))


def checks(shape, dice):
    along, across = turned(shape, dice)
    wide, high = dice.uniform(8, 60, 2) if dice.random() < 0.3 else [dice.uniform(8, 60)] * 2
    return colors(dice, 2)[((along // wide + across // high) % 2).astype(int)]


def dots(shape, dice):
    """Discs in rows, every second row moved by half a distance, or not."""
    along, across = turned(shape, dice)
    step = dice.uniform(14, 70)
    row = np.floor(across / step)
    along = along + row % 2 * step / 2 * (dice.random() < 0.5)
    away = np.hypot(along % step - step / 2, across % step - step / 2)
    inside = np.clip(step * dice.uniform(0.15, 0.42) - away + 0.5, 0, 1)[..., None]
    ground, disc = colors(dice, 2)
    return ground * (1 - inside) + disc * inside


def plaid(shape, dice):
    """Stripes in both directions, mixed as warp and weft."""
    along, across = turned(shape, dice)
    ends = np.cumsum(dice.uniform(4, 36, dice.integers(3, 6)))
    kinds = colors(dice, len(ends))
    warp, weft = (kinds[np.searchsorted(ends, line % ends[-1], "right").clip(0, len(ends) - 1)]
                  for line in (along, across))
    return (warp + weft) / 2


def pattern(number, dice):
    """The pattern with this number; its kind follows from the number."""
    shape = tuple(int(side) for side in dice.integers(*SIDES, 2))
    drawn = (gradient, color_noise, stripes, checks, dots, plaid, waves)[number % 7](shape, dice)
    if dice.random() < 0.4:
        drawn = drawn + dice.normal(0, dice.uniform(1, 10), drawn.shape)
    return Image.fromarray(drawn.clip(0, 255).astype(np.uint8))
