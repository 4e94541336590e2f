"""Trains the network: on a GPU where there is one, on the CPU otherwise.

Stopped, it goes on after the last whole epoch when it is started again with the same arguments.
"""
import argparse
import math
from dataclasses import replace

import torch

from subjectnet.training import Plan, Trainer

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
plan = Plan.default(device)
parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--data", default="data", metavar="FOLDER", help="what prepare.py wrote (default: %(default)s)")
parser.add_argument("--output", default="subject.pt", metavar="FILE", help="the checkpoint (default: %(default)s)")
parser.add_argument("--start", metavar="FILE", help="begin with the weights of another checkpoint")
parser.add_argument("--side", type=int, default=plan.side, help="pixels, a multiple of 32 (default here: %(default)s)")
parser.add_argument("--batch", type=int, default=plan.batch, help="photos a step (default here: %(default)s)")
parser.add_argument("--epochs", type=int, default=plan.epochs, help="default here: %(default)s")
parser.add_argument("--peak", type=float, default=plan.peak, help="highest learning rate (default: %(default)s)")
parser.add_argument("--minutes", type=float, default=math.inf, help="stop before, between two epochs")
arguments = parser.parse_args()
if arguments.side % 32:
    parser.error("--side has to be a multiple of 32")

names = ("side", "batch", "epochs", "peak", "minutes")
plan = replace(plan, **{name: getattr(arguments, name) for name in names})
trainer = Trainer(arguments.data, arguments.output, plan, device, arguments.start)
trainer.resume()
print(f"{len(trainer.photos)} photos on {device}, from epoch {trainer.epoch}: {plan}", flush=True)
print("Done" if trainer.run() else "Out of time; the same command goes on")
