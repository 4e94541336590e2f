"""Writes what a runtime has to reproduce: an input, the output and some values between, fp32, (row, column, channel).

The input is a 20 x 20 picture enlarged to 320 x 320, so that a test can keep the small one.
"""
import argparse

import torch
import torch.nn.functional as F

from subjectnet import weightsfile
from subjectnet.interpreter import SubjectFile

KEPT = ("stem.0", "stage1.0.1", "stage4.4.expand", "lateral4", "head")  # layers whose results are kept

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("weights", nargs="?", default="subject.safetensors", help="default: %(default)s")
parser.add_argument("output", nargs="?", default="reference.safetensors", help="default: %(default)s")
arguments = parser.parse_args()

small = torch.rand(1, 3, 20, 20, generator=torch.Generator().manual_seed(7))
large = F.interpolate(small, (320, 320), mode="bilinear", align_corners=False) * 2 - 1
file = SubjectFile(arguments.weights)
values = file.values(large)
kept = {"input": large, "output": values[file.metadata["output"]]}
for operation in file.operations:
    name = operation.get("weight", "").removesuffix(".weight")
    if name in KEPT:
        kept[name] = values[operation["out"]]
arrays = {name: value.permute(0, 2, 3, 1).contiguous().numpy() for name, value in kept.items()}
weightsfile.write(arguments.output, arrays, {"layout": "NHWC"})
print(f"{', '.join(kept)} in {arguments.output}")
