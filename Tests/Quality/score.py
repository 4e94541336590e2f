"""Scores the masks, stickers and colors that a program makes of a folder of photos, and draws sheets to look at."""

import argparse
import pathlib
import subprocess

import numpy as np
from PIL import Image

import colors
import masks
import stickers

#: The stickers of one sheet.
SHEET = 100


def run(program, command, photos, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    # A photo that is refused or has no subject is part of the score, not an error.
    subprocess.run([program, command, photos, "--output", folder], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def load_mask(path, size=None):
    picture = Image.open(path).convert("L")
    return np.asarray(picture if size in (None, picture.size) else picture.resize(size, Image.Resampling.BILINEAR)) / 255


def by_stem(folder):
    return {path.stem: path for path in sorted(folder.iterdir()) if path.is_file()}


def score_masks(folder, truth):
    found, truths = by_stem(folder), by_stem(truth)

    def pairs():
        for stem, path in truths.items():
            true = np.asarray(Image.open(path).convert("L")) > 127
            yield (load_mask(found[stem], true.shape[::-1]) if stem in found else np.zeros(true.shape)), true

    print("masks:", *(f"{name} {value:.4f}" for name, value in masks.scores(pairs()).items()), f"of {len(truths)}")
    print("parts:", masks.part_scores(pairs()))


def score_mattes(folder):
    small = [np.asarray(stickers.at_usual_size(Image.open(path).convert("L"))) / 255 for path in folder.iterdir()]
    foggy, scrappy = sum(map(masks.is_foggy, small)), sum(map(masks.has_scraps, small))
    print(f"mattes: {foggy} with fog, {scrappy} with scraps, of {len(small)}")


def score_stickers(folder):
    alphas = [np.asarray(stickers.at_usual_size(Image.open(path).convert("RGBA")))[..., 3] for path in folder.iterdir()]
    turns = [stickers.turning(alpha) for alpha in alphas]
    several = sum(stickers.contour_count(alpha) > 1 for alpha in alphas)
    median, high = np.percentile(turns, (50, 90))
    print(f"stickers: {len(alphas)}; outlines turn {median:.2f} times, 90 % at most {high:.2f}; {several} in pieces")


def draw_sheets(folder, before, out):
    """One row for each photo's n-th sticker, with what was there before beside it. A name ends in digits of the photo's
    SHA-256, and the number of a further sticker."""
    after, earlier = by_stem(folder), by_stem(before) if before else {}
    rows = [
        [earlier.get(stem), after.get(stem)] if before else [after[stem]] for stem in sorted(earlier.keys() | after.keys())]
    for first in range(0, len(rows), SHEET):
        path = out / f"sheet-{first // SHEET + 1}.png"
        stickers.sheet(rows[first:first + SHEET]).save(path)
        print("sheet:", path)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", help="stickerd")
    parser.add_argument("photos", type=pathlib.Path, help="folder of photos")
    parser.add_argument("--truth", type=pathlib.Path, help="folder of true masks, with the photos' names")
    parser.add_argument("--before", type=pathlib.Path, help="folder of stickers made before, to show beside")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="folder for masks, stickers and sheets")
    arguments = parser.parse_args()
    masks_folder, stickers_folder = arguments.out / "masks", arguments.out / "stickers"
    run(arguments.program, "mask", arguments.photos, masks_folder)
    run(arguments.program, "make", arguments.photos, stickers_folder)
    if arguments.truth:
        score_masks(masks_folder, arguments.truth)
    score_mattes(masks_folder)
    score_stickers(stickers_folder)
    photos = [path for path in sorted(arguments.photos.iterdir()) if path.is_file()]
    schemes = colors.schemes(arguments.program, photos)
    print("colors:", colors.summary([colors.measure(photo, scheme) for photo, scheme in schemes if scheme]))
    draw_sheets(stickers_folder, arguments.before, arguments.out)


if __name__ == "__main__":
    main()
