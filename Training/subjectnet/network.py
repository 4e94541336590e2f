"""The network: a MobileNet-like encoder and an additive feature pyramid, 1.25 million weights.

The names of the attributes are those of the checkpoints, so they stay.
"""
import torch
import torch.nn.functional as F
from torch import nn

MEAN, DEVIATION = 0.5, 0.25  # of the input, the same for red, green and blue
STEM = 16
# Channels, and the kernels of the bottlenecks; the first of each stage halves the picture.
STAGES = ((24, (3, 3)), (40, (5, 5, 5)), (96, (3, 3, 5, 3, 5)), (160, (5, 5, 5, 5)))
PYRAMID = (16, 32, 48, 64, 64)  # channels at a half, quarter ... thirty-second of the side


class ConvBlock(nn.Sequential):
    """A convolution without bias, its batch norm, and a ReLU unless it is told to stay linear."""

    def __init__(self, inputs, outputs, kernel=1, stride=1, groups=1, linear=False):
        super().__init__(
            nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, groups=groups, bias=False),
            nn.BatchNorm2d(outputs),
            *([] if linear else [nn.ReLU(inplace=True)]))
        self.linear = linear


class Bottleneck(nn.Module):
    """Widen, filter each channel on its own, narrow; plus the input where the shape allows it (Sandler et al. 2018)."""

    def __init__(self, inputs, outputs, kernel=3, stride=1, expansion=4):
        super().__init__()
        wide = inputs * expansion
        self.residual = stride == 1 and inputs == outputs
        self.body = nn.Sequential(
            ConvBlock(inputs, wide), ConvBlock(wide, wide, kernel, stride, wide), ConvBlock(wide, outputs, linear=True))

    def forward(self, x):
        return x + self.body(x) if self.residual else self.body(x)


class Context(nn.Module):
    """Tells every position what the whole picture holds."""

    def __init__(self, channels):
        super().__init__()
        self.squeeze = nn.Conv2d(channels, channels // 2, 1)
        self.expand = nn.Conv2d(channels // 2, channels, 1)

    def forward(self, x):
        return x + self.expand(F.relu(self.squeeze(x.mean((2, 3), keepdim=True))))


class Refine(nn.Module):
    """Smooths one level of the pyramid: two depthwise-separable convolutions."""

    def __init__(self, channels, kernel):
        super().__init__()
        self.body = nn.Sequential(
            ConvBlock(channels, channels, kernel, groups=channels), ConvBlock(channels, channels),
            ConvBlock(channels, channels, 3, groups=channels), ConvBlock(channels, channels))

    def forward(self, x):
        return self.body(x)


def double(x):
    return F.interpolate(x, scale_factor=2, mode="bilinear", align_corners=False)


class SubjectNet(nn.Module):
    """Normalized RGB whose sides are multiples of 32 in, logits of "this is the subject" out."""

    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(ConvBlock(3, STEM, 3, 2), Bottleneck(STEM, STEM, expansion=2))
        self.stages, channels = nn.ModuleList(), [STEM]
        for outputs, kernels in STAGES:
            blocks = [Bottleneck(channels[-1], outputs, kernels[0], 2)]
            blocks += [Bottleneck(outputs, outputs, kernel) for kernel in kernels[1:]]
            self.stages.append(nn.Sequential(*blocks))
            channels.append(outputs)
        self.stages[-1].append(Context(channels[-1]))
        self.lateral = nn.ModuleList([ConvBlock(a, b, linear=True) for a, b in zip(channels, PYRAMID)])
        self.down = nn.ModuleList([
            nn.Identity() if coarse == fine else ConvBlock(coarse, fine, linear=True)
            for fine, coarse in zip(PYRAMID, PYRAMID[1:])])
        self.refine = nn.ModuleList([Refine(c, 3 if level == 0 else 5) for level, c in enumerate(PYRAMID[:-1])])
        self.heads = nn.ModuleList([
            nn.Conv2d(c, 1, 3, padding=1) if level == 0 else nn.Conv2d(c, 1, 1) for level, c in enumerate(PYRAMID)])

    def forward(self, x):
        """Logits of every level, the finest (half the side) first; training looks at all of them."""
        features = [self.stem(x)]
        for stage in self.stages:
            features.append(stage(features[-1]))
        y = F.relu(self.lateral[-1](features[-1]))
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
    """Photos of 0...1 as the network wants them."""
    return (rgb - MEAN) / DEVIATION


def load_network(checkpoint):
    """The network of a checkpoint, ready to predict."""
    network = SubjectNet()
    network.load_state_dict(torch.load(checkpoint, map_location="cpu", weights_only=True))
    return network.eval()
