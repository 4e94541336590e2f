"""Exports a trained network as a list of operations: the `subject-1` format.

The metadata's `graph` is a JSON list in running order. Each operation has `op`, `in` (a value's name; two for `add`,
several for `concat`) and `out`; values are planes of (row, column, channel). `input` and `output` name the first and
the last value, and `mean` and `std`, one number or three with commas between, define the input:
(rgb / 255 - mean) / std. `width` and `height` are its size (320 each if missing), and with a `stretch` of `minmax` masks
are stretched to 0...1 before they are used.

`ranges` may be missing; engines that compute in 8 bits use it. It is a JSON object with [low, high], low <= 0 < high,
for every value up to the last convolution's input, but not for the network's input. A value's bytes 0...255 stand for
equal steps from low to high, moved a little so that one of them is exactly 0. The range of a value with `relu` or
`relu6` begins with 0 and, with `relu6`, ends at 6 or before; what `upsample2x` gives has the range of its input.
`calibrate.py` writes the ranges, and `quantized.py` defines the arithmetic.

- `conv`, `depthwise`: `weight` [out, row, column, in] or [1, row, column, channel], `bias` (may be missing), `kernel`,
  `stride`, `padding` (zeros), `dilation` (1 if missing), `channels` [in, out], `activation` (`relu`, `relu6` or `none`)
- `add`: `activation`; a 1 x 1 plane is added to every position
- `concat`: channels behind channels, of 2 to 16 values
- `maxPool`: `kernel`, `stride`, `padding`, `ceil` (whether a last window that is not whole counts)
- `resize`: bilinear to `height` and `width`; `alignment` is `halfPixel`, `alignCorners` or `asymmetric`, as in ONNX
- `upsample2x`: bilinear between the centers of pixels
- `globalAverage`: the mean of the plane, 1 x 1
- `clamp`: `activation` by itself
- `sigmoid`

The weights, fp16 or fp32, are in XNNPACK's order. The networks trained here need only some of these operations; the others
are for networks that `convert.py` translates.
"""
import json
from functools import singledispatch

import numpy as np
import torch
from torch import nn

from . import weightsfile
from .encoder import Block
from .network import DEVIATION, INPUT_SIDE, MEAN, Context, ConvBlock, Refine


def folded(convolution, norm):
    """Weight and bias in fp64 of a convolution with its batch norm multiplied in."""
    weight = convolution.weight.detach().double()
    outputs = convolution.out_channels
    bias = torch.zeros(outputs).double() if convolution.bias is None else convolution.bias.detach().double()
    if norm is None:
        return weight, bias
    factor = norm.weight.detach().double() / (norm.running_var.double() + norm.eps).sqrt()
    bias = (bias - norm.running_mean.double()) * factor + norm.bias.detach().double()
    return weight * factor[:, None, None, None], bias


class Graph:
    """The operations and tensors gathered so far; every method returns the name of the value it adds.

    `layers` has the convolution of each pair of tensors and its batch norm, or None, by the name they share.
    """

    def __init__(self, dtype=np.float16):
        self.operations, self.tensors, self.layers, self.dtype = [], {}, {}, dtype

    def append(self, operation, inputs, **details):
        output = f"v{len(self.operations) + 1}"
        self.operations.append({"op": operation, "in": inputs, "out": output, **details})
        return output

    def add(self, one, other, activation="none"):
        return self.append("add", [one, other], activation=activation)

    def convolution(self, value, convolution, name, norm=None, activation="none"):
        depthwise = convolution.groups > 1
        weight, bias = folded(convolution, norm)
        # torch has [out, in, row, column]; a depthwise one has an `in` of 1.
        weight = weight.permute(1, 2, 3, 0) if depthwise else weight.permute(0, 2, 3, 1)
        self.layers[name] = convolution, norm
        self.tensors[f"{name}.weight"] = weight.numpy().astype(self.dtype)
        self.tensors[f"{name}.bias"] = bias.numpy().astype(self.dtype)
        return self.append(
            "depthwise" if depthwise else "conv", value, weight=f"{name}.weight", bias=f"{name}.bias",
            kernel=convolution.kernel_size[0], stride=convolution.stride[0], padding=convolution.padding[0],
            channels=[convolution.in_channels, convolution.out_channels], activation=activation)

    def write(self, path, output):
        weightsfile.write(path, self.tensors, {
            "format": "subject-1", "input": "input", "output": output, "mean": str(MEAN), "std": str(DEVIATION),
            "width": str(INPUT_SIDE), "height": str(INPUT_SIDE),
            "graph": json.dumps(self.operations, separators=(",", ":"))})


@singledispatch
def record(module, graph, value, name):
    """Appends a module's operations on `value`; returns the name of the result."""
    raise TypeError(f"No operations are known for {type(module).__name__}")


@record.register
def _(module: nn.Sequential, graph, value, name):
    for position, part in enumerate(module):
        value = record(part, graph, value, f"{name}.{position}")
    return value


@record.register
def _(module: ConvBlock, graph, value, name):
    return graph.convolution(value, module[0], name, module[1], "none" if module.linear else "relu")


@record.register
def _(module: Block, graph, value, name):
    result = value
    if module.widens:
        result = graph.convolution(result, module._expand_conv, f"{name}.expand", module._bn0, "relu6")
    result = graph.convolution(result, module._depthwise_conv, f"{name}.depthwise", module._bn1, "relu6")
    result = graph.convolution(result, module._project_conv, f"{name}.project", module._bn2)
    return graph.add(value, result) if module.residual else result


@record.register
def _(module: Context, graph, value, name):
    summary = graph.append("globalAverage", value)
    summary = graph.convolution(summary, module.squeeze, f"{name}.squeeze", activation="relu")
    return graph.add(value, graph.convolution(summary, module.expand, f"{name}.expand"))


@record.register
def _(module: Refine, graph, value, name):
    return record(module.body, graph, value, name)


def features(encoder, graph, value):
    """Appends the encoder; returns the names of its features, the finest first."""
    value, tapped = graph.convolution(value, encoder._conv_stem, "stem", encoder._bn0, "relu6"), []
    for number, block in enumerate(encoder._blocks):
        value = record(block, graph, value, f"block{number}")
        if number in encoder.taps:
            tapped.append(value)
    return tapped


def exported(network, dtype=np.float16):
    """The graph of a whole SubjectNet, and the name of its output."""
    graph = Graph(dtype)
    tapped = features(network.encoder, graph, "input")
    narrow, refine, context = network.context
    value = record(narrow, graph, tapped[-1], "context.narrow")
    value = record(context, graph, record(refine, graph, value, "context.refine"), "context")
    for level in reversed(range(len(network.refine))):
        value = graph.append("upsample2x", record(network.down[level], graph, value, f"down{level}"))
        value = graph.add(value, record(network.lateral[level], graph, tapped[level], f"lateral{level}"), "relu")
        value = record(network.refine[level], graph, value, f"refine{level}")
    value = graph.append("upsample2x", graph.convolution(value, network.heads[0], "head"))
    return graph, graph.append("sigmoid", value)
