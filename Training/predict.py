"""Writes the network's unrefined masks of a folder's photos, enlarged bilinearly: 8-bit gray PNG."""
import argparse
from pathlib import Path

from subjectnet.interpreter import SubjectFile
from subjectnet.pictures import as_mask, load_photo, network_input, pictures_by_stem

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("photos", help="folder of photos")
parser.add_argument("output", help="folder for the masks, which get the photos' names")
parser.add_argument("--weights", default="subject.safetensors", metavar="FILE", help="default: %(default)s")
parser.add_argument("--side", type=int, default=320, help="of the network's input (default: %(default)s)")
arguments = parser.parse_args()

network = SubjectFile(arguments.weights)
output = Path(arguments.output)
output.mkdir(parents=True, exist_ok=True)
for stem, path in pictures_by_stem(arguments.photos).items():
    photo = load_photo(path)
    as_mask(network.probability(network_input(photo, arguments.side)), photo.size).save(output / f"{stem}.png")
