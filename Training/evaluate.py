"""Scores masks against the true masks: MAE, maxF, structure measure, IoU and boundary IoU."""
import argparse
import sys

import numpy as np
from PIL import Image

from subjectnet.measures import picture_score, set_score
from subjectnet.pictures import pictures_by_stem

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("masks", help="folder of 8-bit gray masks, by stickerd mask or predict.py")
parser.add_argument("truth", help="folder of true masks, with the same names")
parser.add_argument("--worst", type=int, default=0, metavar="N", help="also list the N images with the lowest IoU")
arguments = parser.parse_args()

masks, truths = pictures_by_stem(arguments.masks), pictures_by_stem(arguments.truth)
missing = truths.keys() - masks.keys()
if missing or not truths:
    sys.exit(f"{len(missing)} of {len(truths)} true masks have no mask to score: {', '.join(sorted(missing)[:5])}")
scores = {}
for stem, path in truths.items():
    truth, mask = Image.open(path).convert("L"), Image.open(masks[stem]).convert("L")
    if mask.size != truth.size:
        mask = mask.resize(truth.size, Image.Resampling.BILINEAR)
    scores[stem] = picture_score(np.asarray(mask), np.asarray(truth) > 127)
print(f"n {len(scores)}  {set_score(scores.values())}")
for stem in sorted(scores, key=lambda stem: scores[stem].overlap)[:arguments.worst]:
    print(f"{stem}  IoU {scores[stem].overlap:.3f}  MAE {scores[stem].mae:.3f}")
