"""Writes the kinds of pictures, with and without a subject, on which `confidence.py` fits and reports."""
import argparse
import shutil
import sys
import zlib
from pathlib import Path

import numpy as np
from PIL import Image

from subjectnet import selection
from subjectnet.documents import document
from subjectnet.lettering import missing_fonts
from subjectnet.likeness import KnownPhotos
from subjectnet.patterns import pattern
from subjectnet.pictures import load_photo, pictures_by_stem
from subjectnet.pieces import background, crop_through
from subjectnet.screenshots import screenshot
from subjectnet.skies import sky

DRAWN = {"documents": (document, 50), "screenshots": (screenshot, 45), "skies": (sky, 60), "patterns": (pattern, 140)}

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("output", metavar="FOLDER", help="where to write a folder for each kind")
parser.add_argument("--data", default="data", metavar="FOLDER",
                    help="of prepare.py, with the validation photos (default: %(default)s)")
parser.add_argument("--scenes", metavar="CLONE", help="of lionelmessi6410/Scene-Recognition-with-Bag-of-Words")
parser.add_argument("--textures", metavar="CLONE", help="of pan8915/DeepTexture")
parser.add_argument("--crowds", metavar="CLONE", help="of princenarula222/People-Counting")
parser.add_argument("--without", nargs="+", default=[], metavar="PATH",
                    help="leave out photos of the clones that are like one in these folders or tar archives: those "
                    "trained with")
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--limit", type=int, metavar="COUNT", help="of photos to cut, and of each kind to draw, for a test")
arguments = parser.parse_args()


def dice_of(kind, name):
    """A generator for one picture, so that it does not depend on the others."""
    return np.random.default_rng([arguments.seed, zlib.crc32(f"{kind}/{name}".encode())])


def new_folder(kind):
    folder = Path(arguments.output) / kind
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        sys.exit(f"{folder} exists; delete it, or write to another folder")
    return folder


def write_pieces():
    """Pieces have the names of their photos, so that `confidence.py` puts them into the same half."""
    validation, crops, backgrounds = Path(arguments.data) / "validation", new_folder("crops"), new_folder("backgrounds")
    masks = pictures_by_stem(validation / "masks")
    for name, path in list(pictures_by_stem(validation / "photos").items())[:arguments.limit]:
        photo = load_photo(path)
        mask = np.asarray(Image.open(masks[name]).convert("L")) > 127
        for folder, box in ((crops, crop_through(mask, dice_of("crops", name))), (backgrounds, background(mask))):
            if box:
                photo.crop(box).save(folder / f"{name}.png")


def write_drawn():
    for kind, (draw, count) in DRAWN.items():
        folder = new_folder(kind)
        for number in range(count)[:arguments.limit]:
            draw(number, dice_of(kind, number)).save(folder / f"{kind}-{number:03}.png")


def chosen_photos(known):
    """(kind, clone, photos) of every clone."""
    choices = ((arguments.scenes, selection.scenes), (arguments.textures, selection.textures),
               (arguments.crowds, selection.crowds))
    return [(kind, clone, photos) for clone, choose in choices if clone
            for kind, photos in choose(clone, known, arguments.seed).items()]


def write_copies(copies):
    for kind, clone, photos in copies:
        folder = new_folder(kind)
        for photo in photos:
            shutil.copyfile(photo, folder / "-".join(photo.relative_to(clone).parts))


try:
    known = KnownPhotos()
    for path in arguments.without:
        known.hashes = np.concatenate([known.hashes, KnownPhotos.of(path).hashes])
    copies = chosen_photos(known)
    write_pieces()
    write_drawn()
    write_copies(copies)
except (ValueError, OSError) as error:
    sys.exit(str(error))
for folder in sorted(folder for folder in Path(arguments.output).iterdir() if folder.is_dir()):
    print(f"{folder.name}: {len(list(folder.iterdir()))}")
if missing_fonts():
    print("without fonts-dejavu-core, the text is in Pillow's font; the documents and screenshots differ")
