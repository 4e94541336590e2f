"""Writes the mean of several runs' weights, which is better than any of them."""
import argparse

import torch

from subjectnet.encoder import DEFAULT_KIND, KINDS
from subjectnet.network import INPUT_SIDE, SubjectNet
from subjectnet.norms import measure_norms

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("output", help="the checkpoint to write")
parser.add_argument("checkpoints", nargs="+", help="of networks of one kind; a checkpoint given twice counts twice")
parser.add_argument("--kind", default=DEFAULT_KIND, choices=KINDS, help="of the encoder (default: %(default)s)")
parser.add_argument("--data", default="data", metavar="FOLDER",
                    help="what prepare.py wrote, to measure the norms of the mean with (default: %(default)s)")
parser.add_argument("--photos", type=int, default=960, help="to measure them with (default: %(default)s)")
parser.add_argument("--side", type=int, default=INPUT_SIDE, help="of these, in pixels (default: %(default)s)")
arguments = parser.parse_args()

parts = [torch.load(path, map_location="cpu", weights_only=True) for path in arguments.checkpoints]
if any(part.keys() != parts[0].keys() for part in parts):
    parser.error("the checkpoints are of different networks")
network = SubjectNet(arguments.kind)
network.load_state_dict({name: torch.stack([part[name] for part in parts]).mean(0) if value.is_floating_point() else value
                         for name, value in parts[0].items()})
measure_norms(network, arguments.data, arguments.photos, arguments.side)
torch.save(network.state_dict(), arguments.output)
