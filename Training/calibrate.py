"""Measures the ranges of the network's values on training photos and writes them into its file, for arithmetic in 8 bits."""
import argparse

from subjectnet.calibration import calibrate
from subjectnet.network import INPUT_SIDE

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("weights", nargs="?", default="subject.safetensors",
                    help="what export.py wrote; it is replaced (default: %(default)s)")
parser.add_argument("--data", default="data", metavar="FOLDER", help="what prepare.py wrote (default: %(default)s)")
parser.add_argument("--photos", type=int, default=64, metavar="N",
                    help="in all, spread over the sources (default: %(default)s)")
parser.add_argument("--side", type=int, default=INPUT_SIDE, help="of the network's input (default: %(default)s)")
arguments = parser.parse_args()

try:
    ranges = calibrate(arguments.weights, arguments.data, arguments.photos, arguments.side)
except (OSError, ValueError) as error:
    parser.error(str(error))
print(f"{len(ranges)} ranges from {arguments.photos} photos, in {arguments.weights}")
