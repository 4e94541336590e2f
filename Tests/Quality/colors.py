"""Measures the colors of photos: whether swatches are as vivid as the pixels that they stand for, and what is missing.

colors.py STICKERD PHOTO...: runs `stickerd palette --format json` on the photos and prints the figures of `summary`.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy
from PIL import Image

# Photos are measured by about this many pixels: single ones on a grid, because averages are duller.
PIXELS = 40_000
# A swatch with less OKLCh chroma is not measured: it stands for grays as well.
VIVID_SWATCH = 0.08
# A vivid group: pixels with at least this chroma, in a window of three of 36 hues, with at least this share of the photo.
VIVID_PIXEL = 0.1
HUES = 36
SHARE = 0.02
# It is lost if no swatch of its hue, to this many degrees, has at least half of its median chroma.
HUE_DISTANCE = 30
CHROMA_SHARE = 0.5
# CIEDE2000: closer colors look alike.
ALIKE = 10


def linear(rgb):
    """From 0...255 to linear light, 0...1 (IEC 61966-2-1)."""
    rgb = numpy.asarray(rgb, float) / 255
    return numpy.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def oklab(rgb):
    """OKLab with the matrices of CSS Color 4."""
    lms = numpy.cbrt(linear(rgb) @ numpy.array([
        [0.412221469470763, 0.5363325372617348, 0.0514459932675022],
        [0.2119034958178252, 0.6806995506452344, 0.1073969535369405],
        [0.0883024591900564, 0.2817188391361215, 0.6299787016738222]]).T)
    return lms @ numpy.array([
        [0.210454268309314, 0.7936177747023054, -0.0040720430116193],
        [1.9779985324311684, -2.42859224204858, 0.450593709617411],
        [0.0259040424655478, 0.7827717124575296, -0.8086757549230774]]).T


def cielab(rgb):
    """CIELAB for D65."""
    xyz = linear(rgb) @ numpy.array([
        [0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]).T
    xyz /= [0.95047, 1, 1.08883]
    x, y, z = numpy.moveaxis(numpy.where(xyz > 216 / 24389, numpy.cbrt(xyz), (24389 / 27 * xyz + 16) / 116), -1, 0)
    return numpy.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], -1)


def ciede2000(first, second):
    """The difference of two sRGB colors, 0...255 (Sharma, Wu and Dalal 2005)."""
    (l1, a1, b1), (l2, a2, b2) = (numpy.moveaxis(cielab(color), -1, 0) for color in (first, second))
    mean = (numpy.hypot(a1, b1) + numpy.hypot(a2, b2)) / 2
    stretch = 1.5 - 0.5 * numpy.sqrt(mean**7 / (mean**7 + 25**7))
    c1, c2 = numpy.hypot(a1 * stretch, b1), numpy.hypot(a2 * stretch, b2)
    h1, h2 = (numpy.degrees(numpy.arctan2(b, a * stretch)) % 360 for a, b in ((a1, b1), (a2, b2)))
    turn = numpy.where(c1 * c2 == 0, 0, (h2 - h1 + 180) % 360 - 180)
    hue = numpy.where(c1 * c2 == 0, h1 + h2, (h1 + turn / 2) % 360)
    lightness, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    wave = (1 - 0.17 * numpy.cos(numpy.radians(hue - 30)) + 0.24 * numpy.cos(numpy.radians(2 * hue))
            + 0.32 * numpy.cos(numpy.radians(3 * hue + 6)) - 0.2 * numpy.cos(numpy.radians(4 * hue - 63)))
    parts = [
        (l2 - l1) / (1 + 0.015 * (lightness - 50) ** 2 / numpy.sqrt(20 + (lightness - 50) ** 2)),
        (c2 - c1) / (1 + 0.045 * chroma),
        2 * numpy.sqrt(c1 * c2) * numpy.sin(numpy.radians(turn / 2)) / (1 + 0.015 * chroma * wave)]
    rotation = -2 * numpy.sqrt(chroma**7 / (chroma**7 + 25**7)) * numpy.sin(
        numpy.radians(60 * numpy.exp(-(((hue - 275) / 25) ** 2))))
    return numpy.sqrt(sum(part**2 for part in parts) + rotation * parts[1] * parts[2])


def chroma(lab):
    return numpy.hypot(lab[..., 1], lab[..., 2])


def hue(lab):
    """In degrees, 0...360."""
    return numpy.degrees(numpy.arctan2(lab[..., 2], lab[..., 1])) % 360


def pixels(path):
    """A photo's visible pixels on a grid, as sRGB, 0...255."""
    photo = numpy.asarray(Image.open(path).convert("RGBA"))
    step = max(1, round((photo.shape[0] * photo.shape[1] / PIXELS) ** 0.5))
    sampled = photo[step // 2::step, step // 2::step].reshape(-1, 4)
    return sampled[sampled[:, 3] > 127, :3]


def vividness(places, swatches):
    """For each vivid swatch its chroma, divided by the 85th percentile of that of the pixels that are nearest to it."""
    nearest = ((places[:, None] - swatches[None]) ** 2).sum(-1).argmin(1)
    members = [chroma(places[nearest == index]) for index in range(len(swatches))]
    return [own / numpy.percentile(member, 85) for own, member in zip(chroma(swatches), members)
            if own > VIVID_SWATCH and len(member)]


def vivid_groups(places):
    """The mean hue and the median chroma of each vivid group of pixels, largest first."""
    vivid = places[chroma(places) >= VIVID_PIXEL]
    groups = []
    while len(vivid):
        bins = (hue(vivid) * HUES / 360).astype(int) % HUES
        counts = numpy.bincount(bins, minlength=HUES)
        windows = counts + numpy.roll(counts, 1) + numpy.roll(counts, -1)
        middle = windows.argmax()
        if windows[middle] < SHARE * len(places):
            break
        is_member = (bins - middle + 1) % HUES < 3
        members = vivid[is_member]
        groups.append((hue(members.mean(0)), numpy.median(chroma(members))))
        vivid = vivid[~is_member]
    return groups


def lost(groups, swatches):
    """The groups that no swatch is near."""
    return [(angle, strength) for angle, strength in groups if not numpy.any(
        (numpy.abs((hue(swatches) - angle + 180) % 360 - 180) <= HUE_DISTANCE)
        & (chroma(swatches) >= CHROMA_SHARE * strength))]


def measure(path, colors):
    """The figures of one photo and its scheme, [(hex, name)]."""
    rgb = numpy.array([list(bytes.fromhex(hex[1:])) for hex, _ in colors])
    places, swatches = oklab(pixels(path)), oklab(rgb)
    first, second = numpy.triu_indices(len(rgb), 1)
    groups = vivid_groups(places)
    return {
        "photo": str(path), "vividness": vividness(places, swatches), "groups": len(groups), "lost": lost(groups, swatches),
        "names": len(colors) > len({name for _, name in colors}),
        "nearest": min(ciede2000(rgb[first], rgb[second]), default=numpy.inf)}


def summary(found):
    """The figures of all photos."""
    ratios = numpy.concatenate([photo["vividness"] for photo in found])
    return {
        "swatch chroma / 85th percentile of its pixels, median": float(numpy.median(ratios)),
        "10th and 90th percentile": [float(value) for value in numpy.percentile(ratios, [10, 90])],
        "vivid swatches": len(ratios),
        "schemes with two names alike": sum(photo["names"] for photo in found),
        "photos with a pair nearer than CIEDE2000 10": sum(bool(photo["nearest"] < ALIKE) for photo in found),
        "vivid groups": sum(photo["groups"] for photo in found),
        "lost vivid groups": sum(len(photo["lost"]) for photo in found)}


def schemes(stickerd, photos, *arguments):
    """The scheme of each photo that gets one, as [(path, [(hex, name)])]; `arguments` are more options of `palette`."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [stickerd, "palette", *photos, *arguments, "--format", "json", "--output", folder], check=True,
            stdout=subprocess.DEVNULL)
        for photo in photos:
            (group,) = json.loads((Path(folder) / f"{Path(photo).stem}.tokens.json").read_text()).values()
            yield photo, [(token["$value"]["hex"], token["$extensions"]["stickerd"]["name"])
                          for token in group.values() if isinstance(token, dict) and "$extensions" in token]


def main():
    stickerd, *photos = sys.argv[1:]
    found = [measure(path, colors) for path, colors in schemes(stickerd, photos) if colors]
    print(json.dumps({"photos": len(found), **summary(found)}, indent=2))


if __name__ == "__main__":
    main()
