#!/usr/bin/env python3
"""Translates a convolutional network from ONNX into a file that stickerd runs (see Docs/Networks.md).

Needs the packages in conversion/requirements.txt. The first output is kept, which in U2-Net, U2-Netp, Silueta and IS-Net
is the final one; operations that it does not depend on are removed. Batch norms and constants are folded.
"""
import argparse
import sys

import numpy as np
import onnx

from conversion.translation import Translation, Unsupported

# As in rembg.
PRESETS = {
    "u2net": {"mean": "0.485,0.456,0.406", "std": "0.229,0.224,0.225"},
    "isnet": {"mean": "0.5", "std": "1"},
}


def numbers(text):
    if len(text.split(",")) not in (1, 3) or not all(np.isfinite(float(part)) for part in text.split(",")):
        raise argparse.ArgumentTypeError(f"{text} is not one number, or three separated by commas")
    return text


def size(text):
    width, _, height = text.partition("x")
    return int(height or width), int(width)


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("model", metavar="MODEL.onnx")
parser.add_argument("output", metavar="OUT.safetensors")
parser.add_argument("--input", choices=PRESETS, help="mean and std: u2net (also u2netp, silueta; default) or isnet "
                    "(default for an input of 1024x1024)")
parser.add_argument("--mean", type=numbers, help="of red, green and blue from 0 to 1; instead of --input's")
parser.add_argument("--std", type=numbers, help="of red, green and blue; instead of --input's")
parser.add_argument("--size", type=size, help="WIDTHxHEIGHT of the input, if the model takes any")
parser.add_argument("--result", help="the output to keep (default: the first)")
parser.add_argument("--sigmoid", action="store_true", help="the output is not a probability yet")
parser.add_argument("--stretch", choices=("none", "minmax"), default="minmax", help="minmax stretches each mask to 0...1 "
                    "before it is cut with, as rembg does (default: %(default)s)")
parser.add_argument("--half", action="store_true", help="fp16 weights: half the size, differences of about 1e-3")
arguments = parser.parse_args()

try:
    translation = Translation(onnx.load(arguments.model), arguments.size, arguments.result)
    network, result = translation.network, translation.result
    if arguments.sigmoid:
        result = network.append("sigmoid", [result], result.channels, result.size)
    if (result.channels, result.size) != (1, network.input.size):
        raise Unsupported(f"the output is {result.width}x{result.height}x{result.channels}; expected one channel of the input's size")
    preset = PRESETS[arguments.input or ("isnet" if network.input.size == (1024, 1024) else "u2net")]
    metadata = {"mean": arguments.mean or preset["mean"], "std": arguments.std or preset["std"],
                "stretch": arguments.stretch}
    network.write(arguments.output, result, metadata, np.float16 if arguments.half else np.float32)
except (Unsupported, ValueError, OSError) as error:
    sys.exit(f"{arguments.model}: {error}")
weights = sum(tensor.size for tensor in network.tensors.values())
print(f"{len(network.operations)} operations, {weights} weights, input {network.input.width}x{network.input.height}, "
      f"mean {metadata['mean']}, std {metadata['std']}, stretch {metadata['stretch']}")
