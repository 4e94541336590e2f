"""Fits the confidence that a photo has a subject, on half of some photos, and reports on the other half.

Prints the constants of Sources/StickerStudio/SubjectConfidence.swift and the number of stickers for each folder.
"""
import argparse
from pathlib import Path

import numpy as np

from subjectnet.confidence import certainty, confidence, decidedness, fits, fitted
from subjectnet.network import INPUT_SIDE
from subjectnet.pictures import load_photo, network_bytes, pictures_by_stem
from subjectnet.quantized import load

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--with", nargs="+", required=True, metavar="FOLDER", dest="subjects",
                    help="folders of photos with a subject; refusals are counted in the first")
parser.add_argument("--without", nargs="+", required=True, metavar="FOLDER", help="folders without one, one per kind")
parser.add_argument("--report", nargs="*", default=[], metavar="FOLDER", help="folders that are not used for fitting")
parser.add_argument("--weights", default="subject.safetensors", metavar="FILE", help="default: %(default)s")
arguments = parser.parse_args()

network = load(arguments.weights)


def measured(folder):
    """Certainties and decidednesses of a folder's photos, and whether each is used for fitting."""
    rows = []
    for stem, path in pictures_by_stem(folder).items():
        mask = network.probability_of(network_bytes(load_photo(path), INPUT_SIDE))[0, 0].numpy()
        rows.append((certainty(mask), decidedness(mask), fits(stem)))
    certainties, decided, fitting = (np.array(column) for column in zip(*rows))
    return certainties, decided, fitting.astype(bool)


folders = {folder: measured(folder) for folder in (*arguments.subjects, *arguments.without, *arguments.report)}
halves = {folder: (c[fit], d[fit]) for folder, (c, d, fit) in folders.items()}
if any(len(halves[folder][0]) == 0 for folder in (*arguments.subjects, *arguments.without)):
    parser.error("too few photos: a folder has none in the half that fits")
slope, bias = (round(value, 2) for value in fitted(
    [halves[folder] for folder in arguments.subjects], [halves[folder] for folder in arguments.without]))
print(f"slope {slope:.2f}  bias {bias:.2f}  threshold 0.5")
for folder, (certainties, decided, fitting) in folders.items():
    unseen = ~fitting | (folder in arguments.report)
    accepted = confidence(certainties, decided, slope, bias)[unseen] >= 0.5
    print(f"{Path(folder).name}: {accepted.sum()} of {len(accepted)} become a sticker")
