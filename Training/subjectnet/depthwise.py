"""Depthwise convolutions that train fast on a CPU: torch's forward pass, the gradients of depthwise.c.

With torch's own gradients in bf16 a step takes twice as long. The C file is compiled at its first use. Without a C
compiler, on a GPU, outside bf16 autocast and for other shapes than the network's, torch computes the gradients.
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
LANES, KERNELS = 16, (3, 5)  # what depthwise.c handles
COMMAND = ("cc", "-O3", "-march=native", "-fopenmp", "-shared", "-fPIC")


class Shape(ctypes.Structure):
    """The same layout as `struct shape` in depthwise.c."""
    _fields_ = [(name, ctypes.c_int32) for name in (
        "pictures", "rows", "columns", "channels", "out_rows", "out_columns", "kernel", "stride")]


@cache
def library():
    """The compiled depthwise.c, or None if it does not compile here, which is reported once."""
    source = SOURCE.read_bytes()
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
    """On bf16 pictures and fp32 weights [channels, 1, kernel, kernel]; padding is half the kernel."""

    @staticmethod
    def forward(context, pictures, weight, stride):
        pictures = pictures.contiguous(memory_format=torch.channels_last)
        context.save_for_backward(pictures, weight)
        context.stride = stride
        return F.conv2d(pictures, weight.to(pictures.dtype), None, stride, weight.shape[-1] // 2, 1, len(weight))

    @staticmethod
    def backward(context, gradient):
        pictures, weight = context.saved_tensors
        gradient = gradient.to(pictures.dtype).contiguous(memory_format=torch.channels_last)
        count, channels, rows, columns = pictures.shape
        kernel = weight.shape[-1]
        shape = Shape(count, rows, columns, channels, *gradient.shape[-2:], kernel, context.stride)
        taps = weight.detach().float().squeeze(1).permute(1, 2, 0).contiguous()
        toward_pictures = torch.empty_like(pictures, memory_format=torch.channels_last)
        toward_taps = torch.empty_like(taps)
        code = library()
        code.depthwise_input_gradient(
            ctypes.byref(shape), address(gradient), address(taps), address(toward_pictures))
        code.depthwise_weight_gradient(
            ctypes.byref(shape), address(gradient), address(pictures), address(toward_taps))
        return toward_pictures, toward_taps.permute(2, 0, 1).unsqueeze(1), None


def depthwise(pictures, weight, stride):
    """A convolution of each channel on its own, without bias."""
    kernel = weight.shape[-1]
    fits = len(weight) % LANES == 0 and kernel in KERNELS
    if fits and pictures.device.type == "cpu" and torch.is_autocast_enabled("cpu") and torch.is_grad_enabled():
        if library():
            with torch.autocast("cpu", enabled=False):
                return FastDepthwise.apply(pictures.to(torch.bfloat16), weight.float(), stride)
    return F.conv2d(pictures, weight, None, stride, kernel // 2, 1, len(weight))


class DepthwiseConv(nn.Conv2d):
    """`depthwise` as a layer with its own weights."""

    def __init__(self, channels, kernel):
        super().__init__(channels, channels, kernel, padding=kernel // 2, groups=channels, bias=False)

    def forward(self, pictures):
        return depthwise(pictures, self.weight, self.stride[0])
