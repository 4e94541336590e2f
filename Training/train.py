"""Trains the network for one run: on a GPU if there is one, on the CPU otherwise.

A stopped run continues when started again with the same arguments.
"""
import argparse
import math
import sys
from dataclasses import replace

import torch

from subjectnet.encoder import KINDS
from subjectnet.training import Plan, Trainer

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
plan = Plan.default(device)
parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--data", default="data", metavar="FOLDER", help="what prepare.py wrote (default: %(default)s)")
parser.add_argument("--run", default="run", metavar="FOLDER", help="the run's own folder (default: %(default)s)")
parser.add_argument("--start", metavar="FILE", help="begin with a checkpoint instead of ImageNet's weights")
parser.add_argument("--kind", default=plan.kind, choices=KINDS, help="of the encoder (default: %(default)s)")
parser.add_argument("--photos", type=int, default=plan.photos, help="total number of photos to train on (default here: %(default)s)")
parser.add_argument("--batch", type=int, default=plan.batch, help="photos per step (default here: %(default)s)")
parser.add_argument("--side", type=int, default=plan.side, help="pixels, a multiple of 32 (default here: %(default)s)")
parser.add_argument("--last-side", type=int, default=plan.last_side,
                    help="in the last fifth of the run (default here: %(default)s)")
parser.add_argument("--peak", type=float, default=plan.peak, help="highest learning rate (default here: %(default)s)")
parser.add_argument("--seed", type=int, default=plan.seed, help="use another for each run (default: %(default)s)")
parser.add_argument("--workers", type=int, default=plan.workers, help="threads that prepare batches (default here: %(default)s)")
parser.add_argument("--minutes", type=float, default=math.inf, help="stop after this time, without changing the plan")
arguments = parser.parse_args()
if arguments.side % 32 or arguments.last_side % 32:
    parser.error("--side and --last-side have to be multiples of 32")
if arguments.photos < arguments.batch:
    parser.error("--photos has to be at least --batch")

names = ("kind", "photos", "batch", "side", "last_side", "peak", "seed", "workers")
plan = replace(plan, **{name: getattr(arguments, name) for name in names})
if device.type == "cpu":
    # The thread that prepares batches would keep Python's lock for 5 ms at a time, between any two operations of a step.
    sys.setswitchinterval(2e-4)
trainer = Trainer(arguments.data, arguments.run, plan, device, arguments.start)
try:
    trainer.resume()
except ValueError as error:
    parser.error(str(error))
print(f"On {device}, from step {trainer.step}: {plan!r}", flush=True)
done = trainer.run(arguments.minutes, say=lambda note: print(note, flush=True))
print("Done" if done else "Out of time; run the same command to continue")
