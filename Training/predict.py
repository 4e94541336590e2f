"""Writes the network's unrefined masks of a folder's photos, enlarged bilinearly: 8-bit gray PNG."""
import argparse
from pathlib import Path

from subjectnet.network import INPUT_SIDE
from subjectnet.pictures import as_mask, load_photo, network_bytes, pictures_by_stem
from subjectnet.quantized import load

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("photos", help="folder of photos")
parser.add_argument("output", help="folder for the masks, which get the photos' names")
parser.add_argument("--weights", default="subject.safetensors", metavar="FILE", help="default: %(default)s")
parser.add_argument("--side", type=int, default=INPUT_SIDE, help="of the network's input (default: %(default)s)")
parser.add_argument("--fp32", action="store_true", help="do not compute in 8 bits, even if the file has ranges")
arguments = parser.parse_args()

try:
    network = load(arguments.weights, in_bytes=not arguments.fp32)
except (OSError, ValueError) as error:
    parser.error(str(error))
output = Path(arguments.output)
output.mkdir(parents=True, exist_ok=True)
for stem, path in pictures_by_stem(arguments.photos).items():
    photo = load_photo(path)
    as_mask(network.probability_of(network_bytes(photo, arguments.side)), photo.size).save(output / f"{stem}.png")
