"""Unpacks the data sources: arrays to train on, and one photo of DUTS-TR in twenty as files to validate with."""
import argparse

from subjectnet.dataset import prepare
from subjectnet.network import INPUT_SIDE
from subjectnet.sources import SOURCES

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("archives", help="folder of tar archives; their names begin with those of the sources: "
                    + ", ".join(source.name for source in SOURCES))
parser.add_argument("--output", default="data", metavar="FOLDER", help="where to write (default: %(default)s)")
parser.add_argument("--side", type=int, default=INPUT_SIDE, help="of the arrays, in pixels (default: %(default)s)")
parser.add_argument("--limit", type=int, metavar="N", help="take only the first N pairs of each source, for a test")
arguments = parser.parse_args()

training, held = prepare(arguments.archives, arguments.output, arguments.side, arguments.limit)
for source in SOURCES:
    print(f"{source.name}: {training.get(source.name, 'no archive, left out')}")
print(f"{sum(training.values())} photos to train on and {held} held out, in {arguments.output}")
