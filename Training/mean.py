"""Writes the mean of several runs' weights, which is better than any of them."""
import argparse

import torch

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("output", help="the checkpoint to write")
parser.add_argument("checkpoints", nargs="+", help="of networks of one kind; a checkpoint given twice counts twice")
arguments = parser.parse_args()

parts = [torch.load(path, map_location="cpu", weights_only=True) for path in arguments.checkpoints]
if any(part.keys() != parts[0].keys() for part in parts):
    parser.error("the checkpoints are of different networks")
torch.save({name: torch.stack([part[name] for part in parts]).mean(0) if value.is_floating_point() else value
            for name, value in parts[0].items()}, arguments.output)
