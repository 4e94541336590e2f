"""Unpacks DUTS-TR: arrays to train on, and one photo in twenty as files to validate with."""
import argparse

from subjectnet.dataset import prepare

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--photos", nargs="+", required=True, metavar="TAR", help="archives of photos")
parser.add_argument("--masks", nargs="+", required=True, metavar="TAR", help="archives of masks, called as the photos")
parser.add_argument("--output", default="data", metavar="FOLDER", help="where to write (default: %(default)s)")
parser.add_argument("--limit", type=int, metavar="N", help="take only the first N pairs, for a try")
arguments = parser.parse_args()

training, validation = prepare(arguments.photos, arguments.masks, arguments.output, arguments.limit)
print(f"{training} photos to train on and {validation} held out, in {arguments.output}")
