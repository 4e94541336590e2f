"""The network: an encoder pretrained on ImageNet under an additive feature pyramid, 3.75 million weights with lite2.

The names of the attributes are those of the checkpoints, so they stay.
"""
import torch
import torch.nn.functional as F
from torch import nn

from .depthwise import DepthwiseConv
from .encoder import DEFAULT_KIND, Encoder, imagenet_weights

MEAN, DEVIATION = 0.498, 0.502  # of the input, for red, green and blue: the encoder's values
INPUT_SIDE = 352  # pixels, of the exported file's input; training uses others, too
PYRAMID = (16, 32, 48, 80, 128)  # channels at a half, quarter ... thirty-second of the side


class ConvBlock(nn.Sequential):
    """A convolution without bias, its batch norm, and a ReLU unless it is linear."""

    def __init__(self, convolution, linear=False):
        norm = nn.BatchNorm2d(convolution.out_channels)
        super().__init__(convolution, norm, *([] if linear else [nn.ReLU(inplace=True)]))
        self.linear = linear


def pointwise(inputs, outputs, linear=False):
    return ConvBlock(nn.Conv2d(inputs, outputs, 1, bias=False), linear)


class Refine(nn.Module):
    """Smooths one level of the pyramid: two depthwise-separable convolutions."""

    def __init__(self, channels, kernel):
        super().__init__()
        self.body = nn.Sequential(
            ConvBlock(DepthwiseConv(channels, kernel)), pointwise(channels, channels),
            ConvBlock(DepthwiseConv(channels, 3)), pointwise(channels, channels))

    def forward(self, x):
        return self.body(x)


class Context(nn.Module):
    """Adds a summary of the whole picture to every position."""

    def __init__(self, channels):
        super().__init__()
        self.squeeze = nn.Conv2d(channels, channels // 2, 1)
        self.expand = nn.Conv2d(channels // 2, channels, 1)

    def forward(self, x):
        return x + self.expand(F.relu(self.squeeze(x.mean((2, 3), keepdim=True))))


def double(x):
    return F.interpolate(x, scale_factor=2, mode="bilinear", align_corners=False)


class SubjectNet(nn.Module):
    """Normalized RGB whose sides are multiples of 32 in, logits of "this is the subject" out."""

    def __init__(self, kind=DEFAULT_KIND):
        super().__init__()
        self.encoder = Encoder(kind)
        features, top = self.encoder.channels, PYRAMID[-1]
        self.context = nn.Sequential(pointwise(features[-1], top), Refine(top, 5), Context(top))
        lower = PYRAMID[:-1]
        self.lateral = nn.ModuleList([pointwise(a, b, linear=True) for a, b in zip(features, lower)])
        self.down = nn.ModuleList([pointwise(a, b, linear=True) for a, b in zip(PYRAMID[1:], lower)])
        self.refine = nn.ModuleList([Refine(c, 3 if level == 0 else 5) for level, c in enumerate(lower)])
        self.heads = nn.ModuleList([
            nn.Conv2d(c, 1, 3, padding=1) if level == 0 else nn.Conv2d(c, 1, 1) for level, c in enumerate(PYRAMID)])

    def forward(self, x):
        """Logits of every level, the finest (half the side) first; training uses all of them."""
        features = self.encoder(x)
        y = self.context(features[-1])
        logits = [self.heads[-1](y)]
        for level in reversed(range(len(self.refine))):
            y = F.relu(double(self.down[level](y)) + self.lateral[level](features[level]))
            y = self.refine[level](y)
            logits.insert(0, self.heads[level](y))
        return logits

    def probability(self, x):
        """The subject's probability at the input's size: what the exported file computes."""
        return double(self(x)[0]).sigmoid()


def normalized(rgb):
    """Normalizes photos of 0...1 for the network."""
    return (rgb - MEAN) / DEVIATION


def pretrained_network(kind=DEFAULT_KIND):
    """A network with an encoder pretrained on ImageNet and an untrained pyramid."""
    network = SubjectNet(kind)
    network.encoder.load_state_dict(imagenet_weights(kind))
    return network


def load_network(checkpoint, kind=DEFAULT_KIND):
    """The network of a checkpoint, ready to predict."""
    network = SubjectNet(kind)
    network.load_state_dict(torch.load(checkpoint, map_location="cpu", weights_only=True))
    return network.eval()
