"""Packs photos and masks of a source's repository as archives for `prepare.py`, without near duplicates."""
import argparse
import sys

from subjectnet.archiving import write_archives
from subjectnet.origins import ORIGINS

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("name", choices=ORIGINS, help="of the source: " + ", ".join(ORIGINS))
parser.add_argument("clones", nargs="+", metavar="CLONE", help="folder of a clone of the source's repository; "
                    "for sod300, of that of the photos and of that of the masks")
parser.add_argument("--output", default="archives", metavar="FOLDER", help="where to write (default: %(default)s)")
parser.add_argument("--without", nargs="+", default=[], metavar="PATH",
                    help="leave out photos that are like one in these folders or tar archives: those to test with, "
                    "and other sources'")
arguments = parser.parse_args()

origin = ORIGINS[arguments.name]
if len(arguments.clones) != len(origin.repositories):
    parser.error(f"{origin.name} needs clones of {origin.places}")
try:
    kept, left_out = write_archives(origin, arguments.clones, arguments.output, arguments.without)
except ValueError as error:
    sys.exit(str(error))
print(f"{kept} photos in {arguments.output}/{origin.name}.tar")
for reason, count in sorted(left_out.items()):
    print(f"{count} left out: {reason}")
