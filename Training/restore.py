"""Turns the file that stickerd embeds back into a checkpoint, to start a run from or to average with others."""
import argparse
import sys
from pathlib import Path

import torch

from subjectnet.encoder import DEFAULT_KIND, KINDS
from subjectnet.network import INPUT_SIDE
from subjectnet.restoring import restored

SHIPPED = Path(__file__).parents[1] / "Sources/C/SubjectWeights/subject.safetensors"

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("file", nargs="?", default=SHIPPED, help="default: the one in this repository")
parser.add_argument("output", nargs="?", default="shipped.pt", help="default: %(default)s")
parser.add_argument("--kind", default=DEFAULT_KIND, choices=KINDS, help="of the encoder (default: %(default)s)")
parser.add_argument("--data", default="data", metavar="FOLDER",
                    help="what prepare.py wrote, to measure the norms with (default: %(default)s)")
parser.add_argument("--photos", type=int, default=960, help="to measure them with (default: %(default)s)")
parser.add_argument("--side", type=int, default=INPUT_SIDE, help="of these, in pixels (default: %(default)s)")
arguments = parser.parse_args()

try:
    network = restored(arguments.file, arguments.data, arguments.photos, arguments.kind, arguments.side)
except ValueError as error:
    sys.exit(f"{arguments.file} cannot be restored: {error}")
torch.save(network.state_dict(), arguments.output)
