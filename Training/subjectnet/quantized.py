"""Runs a `subject-1` file with ranges in 8 bits: the reference for stickerd's engine, which gives the same bytes.

A byte of a value stands for scale * (byte - zero). One of a weight is signed and stands for scale * byte; each output
channel's largest is 127 or -127. The input is the photo's own bytes. Convolutions are padded with the byte next to 0.

Sums are exact. Scales and offsets are computed in fp64 and rounded to fp32; a product with a scale and each sum of
fp32 numbers is rounded by itself, and the result to the nearest byte, half to even.
"""
import json
import math
from dataclasses import dataclass

import torch
import torch.nn.functional as F

from . import weightsfile
from .interpreter import ACTIVATIONS, SubjectFile

CONVOLUTIONS = {"conv": (0, 3, 1, 2), "depthwise": (3, 0, 1, 2)}  # axes of weights in torch's order, output channels first
IN_BYTES, AFTERWARDS = (*CONVOLUTIONS, "add", "upsample2x", "globalAverage"), ("upsample2x", "sigmoid")
EXACT_IN_FP32 = 2 ** 24  # whole numbers up to this, and so all sums of such numbers that stay below it


@dataclass(frozen=True)
class Quantization:
    scale: float
    zero: float  # not whole for a photo's own bytes

    @staticmethod
    def of_range(low, high):
        scale = (high - low) / 255
        return Quantization(scale, round(-low / scale))

    @staticmethod
    def of_photos(mean, deviation):
        return Quantization(1 / (255 * deviation), 255 * mean)


@dataclass(frozen=True)
class Weight:
    """A convolution's weight as whole numbers, output channels first, and what is needed for its sums."""
    numbers: torch.Tensor
    scales: torch.Tensor  # fp64, as the bias
    bias: torch.Tensor

    @staticmethod
    def of(weight, bias):
        scales = weight.double().abs().amax((1, 2, 3)) / 127
        scales[scales == 0] = 1
        numbers = (weight.double() / scales[:, None, None, None]).round()
        # Larger kernels are often computed by Winograd's method, which has fractions.
        whole = numbers.shape[1] == 1 or numbers.shape[2] == 1
        exact = whole and 255 * numbers.abs().sum((1, 2, 3)).max() <= EXACT_IN_FP32
        return Weight(numbers.float() if exact else numbers, scales, bias.double())

    def sums(self, value, padding_byte, stride, padding):
        padded = F.pad(value.to(self.numbers.dtype), [padding] * 4, value=padding_byte)
        return F.conv2d(padded, self.numbers, stride=stride, groups=value.shape[1] // self.numbers.shape[1])

    def total(self):
        return self.numbers.double().sum((1, 2, 3))


def scaled(sums, scale, offset):
    """fp32 numbers from exact sums; scale and offset are one number in fp64, or one for each channel."""
    scale, offset = (torch.as_tensor(number, dtype=torch.float64).float().reshape(-1, 1, 1) for number in (scale, offset))
    return sums.float() * scale + offset


def as_bytes(numbers):
    return numbers.round().clamp(0, 255).to(torch.uint8)


def doubled(value):
    """Bilinear with half-pixel centers in whole numbers; a half is rounded up."""
    near = F.pad(value.float(), [1] * 4, mode="replicate").int()
    height, width = value.shape[2:]
    result = torch.empty(*value.shape[:2], 2 * height, 2 * width, dtype=torch.uint8)
    for down in (0, 1):
        for across in (0, 1):
            rows = 3 * near[:, :, 1:-1] + near[:, :, 2 * down:2 * down + height]
            sums = 3 * rows[..., 1:-1] + rows[..., 2 * across:2 * across + width]
            result[:, :, down::2, across::2] = (sums + 8) >> 4
    return result


def byte_operations(operations):
    """The operations whose results are bytes: all before the last convolution."""
    return operations[:max(place for place, operation in enumerate(operations) if operation["op"] in CONVOLUTIONS)]


def inputs(operation):
    return operation["in"] if isinstance(operation["in"], list) else [operation["in"]]


def check_operations(operations):
    """Refuses networks for which no arithmetic in 8 bits is defined, such as those that convert.py writes."""
    if not any(operation["op"] in CONVOLUTIONS for operation in operations):
        raise ValueError("A network without a convolution has no arithmetic in 8 bits")
    count = len(byte_operations(operations))
    for place, operation in enumerate(operations):
        kind, name = operation["op"], operation["out"]
        if kind not in (IN_BYTES if place <= count else AFTERWARDS):
            raise ValueError(f"{name}: no arithmetic in 8 bits is defined for {kind} here")
        if kind in CONVOLUTIONS and ("bias" not in operation or operation.get("dilation", 1) != 1):
            raise ValueError(f"{name}: convolutions in 8 bits have a bias and no dilation")


def checked_ranges(text, operations):
    """The ranges of all values that are bytes, from a file's metadata, after checking that they fit the operations."""
    try:
        ranges = json.loads(text)
    except ValueError as error:
        raise ValueError(f"The ranges are not JSON ({error})") from error
    if not isinstance(ranges, dict):
        raise ValueError("The ranges are no JSON object")
    for operation in byte_operations(operations):
        name, activation = operation["out"], operation.get("activation", "none")
        match ranges.get(name):
            case [int() | float() as low, int() | float() as high] if -math.inf < low <= 0 < high < math.inf:
                pass
            case None:
                raise ValueError(f"The value {name} has no range")
            case other:
                raise ValueError(f"The range of {name} has to be two numbers with 0 between them, not {other}")
        if activation != "none" and low < 0 or activation == "relu6" and high > 6:
            raise ValueError(f"The range of {name}, {low} to {high}, exceeds its {activation}")
        if operation["op"] == "upsample2x" and ranges.get(operation["in"]) != ranges[name]:
            raise ValueError(f"The range of {name} has to be that of {operation['in']}, which it doubles")
    return {operation["out"]: ranges[operation["out"]] for operation in byte_operations(operations)}


class QuantizedFile(SubjectFile):
    """A file with ranges. Its values are bytes up to the last convolution's input, and fp32 from its result on."""

    def __init__(self, path):
        super().__init__(path)
        try:
            check_operations(self.operations)
            if "ranges" not in self.metadata:
                raise ValueError("The metadata has no ranges")
            ranges = checked_ranges(self.metadata["ranges"], self.operations)
            photos = Quantization.of_photos(float(self.metadata["mean"]), float(self.metadata["std"]))
        except ValueError as error:
            raise ValueError(
                f"{path} cannot run in 8 bits: {error}. Write it with export.py, then calibrate.py") from error
        self.quantizations = {self.metadata["input"]: photos} | {
            name: Quantization.of_range(*numbers) for name, numbers in ranges.items()}
        self.weights = {
            operation["weight"]: Weight.of(self.tensors[operation["weight"]].permute(CONVOLUTIONS[operation["op"]]),
                                           self.tensors[operation["bias"]])
            for operation in self.operations if operation["op"] in CONVOLUTIONS}

    @torch.no_grad()
    def values_of(self, photos):
        """Every value of a run by its name."""
        values, count = {self.metadata["input"]: photos}, len(byte_operations(self.operations))
        for operation in self.operations[:count]:
            values[operation["out"]] = self.byte_result(operation, *(values[name] for name in inputs(operation)))
        last = self.operations[count]
        values[last["out"]] = ACTIVATIONS[last.get("activation", "none")](self.numbers(last, values[last["in"]]))
        for operation in self.operations[count + 1:]:
            values[operation["out"]] = self.result(operation, values[operation["in"]])
        return values

    def byte_result(self, operation, value, other=None):
        source, target = (self.quantizations[name] for name in (inputs(operation)[0], operation["out"]))
        match operation["op"]:
            case "add":
                added = self.quantizations[operation["in"][1]]
                scale, other_scale = source.scale / target.scale, added.scale / target.scale
                offset = target.zero - source.zero * scale - added.zero * other_scale
                return as_bytes(scaled(value, scale, 0) + scaled(other, other_scale, 0) + torch.tensor(offset).float())
            case "upsample2x":
                return doubled(value)
            case "globalAverage":
                scale = source.scale / target.scale
                sums = value.double().sum((2, 3), keepdim=True)
                return as_bytes(scaled(sums, scale / value[0, 0].numel(), target.zero - source.zero * scale))
            case _:
                return as_bytes(self.numbers(operation, value, target))

    def numbers(self, operation, value, target=Quantization(1.0, 0)):
        """A convolution's result in fp32, in the target's units."""
        source, weight = self.quantizations[operation["in"]], self.weights[operation["weight"]]
        scale = source.scale * weight.scales / target.scale
        offset = weight.bias / target.scale + target.zero - source.zero * weight.total() * scale
        sums = weight.sums(value, round(source.zero), operation["stride"], operation["padding"])
        return scaled(sums, scale, offset)


def load(path, in_bytes=True):
    """A file as stickerd runs it: in 8 bits if it has ranges, unless that is switched off."""
    _, metadata = weightsfile.read(path)
    return QuantizedFile(path) if in_bytes and "ranges" in metadata else SubjectFile(path)
