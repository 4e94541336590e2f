"""Depthwise convolutions that train fast on a CPU, with depthwise.c.

With torch's own in bf16 a step takes almost three times as long. The C file is compiled at its first use. Without a C
compiler, on a GPU, outside bf16 autocast and for other shapes than the network's, torch computes them.
"""
import ctypes
import os
import subprocess
import sys
import tempfile
import zlib
from functools import cache
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn

SOURCE = Path(__file__).with_name("depthwise.c")
HEADER = SOURCE.with_name("lanes.h")
LANES, KERNELS = 16, (3, 5)  # what depthwise.c handles
SIX = 6.0  # where it clips
COMMAND = ("cc", "-O3", "-march=native", "-fopenmp", "-shared", "-fPIC")


class Shape(ctypes.Structure):
    """The same layout as `struct shape` in depthwise.c."""
    _fields_ = [(name, ctypes.c_int32) for name in (
        "pictures", "rows", "columns", "channels", "out_rows", "out_columns", "kernel", "stride", "clipped", "threads")]


@cache
def library():
    """The compiled depthwise.c, or None if it does not compile here, which is reported once."""
    source = HEADER.read_bytes() + SOURCE.read_bytes()
    folder = Path.home() / ".cache" / "subjectnet"
    built = folder / f"depthwise-{zlib.crc32(source):08x}.so"
    try:
        if not built.exists():
            folder.mkdir(parents=True, exist_ok=True)
            # Compiled to a temporary file and renamed, because another run may load it at the same time.
            with tempfile.TemporaryDirectory(dir=folder) as temporary:
                beside = Path(temporary) / built.name
                subprocess.run([*COMMAND, str(SOURCE), "-o", str(beside)], check=True, capture_output=True)
                os.replace(beside, built)
        return ctypes.CDLL(str(built))
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"Slow training: {SOURCE.name} does not compile ({error})", file=sys.stderr)
        return None


def address(tensor):
    return ctypes.c_void_p(tensor.data_ptr())


class FastDepthwise(torch.autograd.Function):
    """On bf16 pictures and fp32 weights [channels, 1, kernel, kernel]; padding is half the kernel.

    With a bias [channels], pictures and result are clipped to 0...6, the pictures in place: nothing else may need them
    as they were.
    """

    @staticmethod
    def forward(context, pictures, weight, bias, stride):
        pictures = pictures.contiguous(memory_format=torch.channels_last)
        count, channels, rows, columns = pictures.shape
        kernel = weight.shape[-1]
        sides = [(side - 1) // stride + 1 for side in (rows, columns)]
        context.shape = Shape(
            count, rows, columns, channels, *sides, kernel, stride, bias is not None, torch.get_num_threads())
        taps = weight.squeeze(1).permute(1, 2, 0).contiguous()
        bias = None if bias is None else bias.contiguous()
        result = torch.empty(count, channels, *sides, dtype=torch.bfloat16, memory_format=torch.channels_last)
        library().depthwise_forward(
            ctypes.byref(context.shape), address(pictures), address(taps),
            None if bias is None else address(bias), address(result))
        context.save_for_backward(pictures, taps, result if bias is not None else None)
        return result

    @staticmethod
    def backward(context, gradient):
        pictures, taps, result = context.saved_tensors
        shape, clips = context.shape, result is not None
        gradient = gradient.to(torch.bfloat16).contiguous(memory_format=torch.channels_last)
        toward_pictures = torch.empty_like(pictures, memory_format=torch.channels_last)
        kernel, channels = shape.kernel, shape.channels
        sums = torch.zeros(shape.pictures, kernel * kernel + 1, channels)
        passing = torch.empty(
            shape.threads if clips else 0, shape.out_rows, shape.out_columns, channels, dtype=torch.bfloat16)
        library().depthwise_backward(
            ctypes.byref(shape), address(gradient), address(pictures), address(result) if clips else None,
            address(taps), address(passing), address(toward_pictures), address(sums))
        sums = sums.sum(0)
        toward_weight = sums[:-1].reshape(kernel, kernel, channels).permute(2, 0, 1).unsqueeze(1)
        return toward_pictures, toward_weight, sums[-1] if clips else None, None


def is_fast(pictures, weight):
    """Whether depthwise.c computes the layer."""
    fits = len(weight) % LANES == 0 and weight.shape[-1] in KERNELS
    training = torch.is_autocast_enabled("cpu") and torch.is_grad_enabled()
    return fits and training and pictures.device.type == "cpu" and library() is not None


def depthwise(pictures, weight, stride):
    """A convolution of each channel on its own, without bias."""
    if is_fast(pictures, weight):
        with torch.autocast("cpu", enabled=False):
            return FastDepthwise.apply(pictures.to(torch.bfloat16), weight.float(), None, stride)
    return F.conv2d(pictures, weight, None, stride, weight.shape[-1] // 2, 1, len(weight))


def clipped_depthwise(pictures, weight, bias, stride):
    """Clips pictures to 0...6, in place, convolves each channel on its own, adds the bias and clips again."""
    if is_fast(pictures, weight):
        with torch.autocast("cpu", enabled=False):
            return FastDepthwise.apply(pictures.to(torch.bfloat16), weight.float(), bias.float(), stride)
    pictures = F.hardtanh_(pictures, 0.0, SIX)
    result = F.conv2d(pictures, weight, None, stride, weight.shape[-1] // 2, 1, len(weight))
    return F.hardtanh_(result + bias.to(result.dtype)[:, None, None], 0.0, SIX)


class DepthwiseConv(nn.Conv2d):
    """`depthwise` as a layer with its own weights."""

    def __init__(self, channels, kernel):
        super().__init__(channels, channels, kernel, padding=kernel // 2, groups=channels, bias=False)

    def forward(self, pictures):
        return depthwise(pictures, self.weight, self.stride[0])
