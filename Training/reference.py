"""Writes values for other runtimes to reproduce: input, output and some between, fp32, (row, column, channel).

The input is a small picture enlarged 16 times, so that a test can store the small one. For a file with ranges,
`bytes-input` has the bytes of a similar picture, whose pixels are repeated, and `bytes-output` its output in 8 bits.
"""
import argparse

import torch
import torch.nn.functional as F

from subjectnet import weightsfile
from subjectnet.interpreter import SubjectFile
from subjectnet.network import INPUT_SIDE
from subjectnet.quantized import QuantizedFile

ENLARGEMENT = 16
KEPT = ("stem", "block6.expand", "context.expand", "lateral3", "head")  # layers whose results are written

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("weights", nargs="?", default="subject.safetensors", help="default: %(default)s")
parser.add_argument("output", nargs="?", default="reference.safetensors", help="default: %(default)s")
arguments = parser.parse_args()

# A red disc on gray noise: without a subject nearly all of the output would be zero.
side = INPUT_SIDE // ENLARGEMENT
places = torch.arange(side) + 0.5
disc = ((places[:, None] - 9) ** 2 + (places - 12) ** 2 < 32).float()
noise = torch.rand(1, 3, side, side, generator=torch.Generator().manual_seed(7))
ground, red = 0.35, disc * torch.tensor([0.5, -0.25, -0.25])[:, None, None]
large = F.interpolate(ground + 0.1 * noise + red, (INPUT_SIDE, INPUT_SIDE), mode="bilinear", align_corners=False) * 2 - 1
file = SubjectFile(arguments.weights)
values = file.values(large)
kept = {"input": large, "output": values[file.metadata["output"]]}
for operation in file.operations:
    name = operation.get("weight", "").removesuffix(".weight")
    if name in KEPT:
        kept[name] = values[operation["out"]]
if "ranges" in file.metadata:
    # Less noise, because the network finds no subject among pixels that are large and uneven.
    pixels = ((ground + 0.03 * noise + red) * 255).round().to(torch.uint8)
    pixels = pixels.repeat_interleave(ENLARGEMENT, 2).repeat_interleave(ENLARGEMENT, 3)
    kept |= {"bytes-input": pixels.float(), "bytes-output": QuantizedFile(arguments.weights).probability_of(pixels)}
arrays = {name: value.permute(0, 2, 3, 1).contiguous().numpy() for name, value in kept.items()}
weightsfile.write(arguments.output, arrays, {"layout": "NHWC"})
print(f"{', '.join(kept)} in {arguments.output}")
