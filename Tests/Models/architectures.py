"""The networks that rembg ships, by the structure their papers publish, with random weights.

U²-Net and U²-Netp: Qin et al., Pattern Recognition 2020, figure 5 and table 1. IS-Net: Qin et al., ECCV 2022. Silueta is
U²-Net with fewer channels.
"""
import torch
import torch.nn.functional as F
from torch import nn


def like(value, other, corners=False):
    return F.interpolate(value, size=other.shape[2:], mode="bilinear", align_corners=corners)


def pool():
    return nn.MaxPool2d(2, stride=2, ceil_mode=True)


class Step(nn.Sequential):
    """A convolution with batch norm and ReLU."""

    def __init__(self, inputs, outputs, dilation=1, stride=1):
        super().__init__(
            nn.Conv2d(inputs, outputs, 3, stride, dilation, dilation), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True))


class Block(nn.Module):
    """RSU-L: a U of `levels` convolutions, the last of them dilated, added to its input."""

    def __init__(self, levels, inputs, middle, outputs):
        super().__init__()
        self.enter = Step(inputs, outputs)
        self.down = nn.ModuleList(Step(middle if level else outputs, middle) for level in range(levels - 1))
        self.bottom = Step(middle, middle, dilation=2)
        self.up = nn.ModuleList(Step(2 * middle, middle if level else outputs) for level in range(levels - 1))
        self.pool = pool()

    def forward(self, value):
        entered = self.enter(value)
        values = [self.down[0](entered)]
        for step in self.down[1:]:
            values.append(step(self.pool(values[-1])))
        result = self.bottom(values[-1])
        for level in reversed(range(len(values))):
            result = self.up[level](torch.cat((result, values[level]), 1))
            if level:
                result = like(result, values[level - 1])
        return result + entered


class DilatedBlock(nn.Module):
    """RSU-4F: dilation instead of pooling."""

    def __init__(self, inputs, middle, outputs):
        super().__init__()
        self.enter = Step(inputs, outputs)
        self.down = nn.ModuleList(
            Step(before, middle, dilation) for before, dilation in ((outputs, 1), (middle, 2), (middle, 4)))
        self.bottom = Step(middle, middle, dilation=8)
        self.up = nn.ModuleList(
            Step(2 * middle, after, dilation) for after, dilation in ((outputs, 1), (middle, 2), (middle, 4)))

    def forward(self, value):
        entered = self.enter(value)
        values = [self.down[0](entered)]
        for step in self.down[1:]:
            values.append(step(values[-1]))
        result = self.bottom(values[-1])
        for level in reversed(range(3)):
            result = self.up[level](torch.cat((result, values[level]), 1))
        return result + entered


class Nested(nn.Module):
    """U²-Net's two columns of blocks, and a head on each level."""

    def __init__(self, channels, middles, decoder_middles, inputs=3, fused=True, stem=None):
        super().__init__()
        self.fused, self.stem = fused, stem
        before = [inputs, *channels[:-1]]
        self.encoder = nn.ModuleList(
            block(level, before[level], middles[level], channels[level]) for level in range(6))
        after = [channels[0], *channels[:4]]
        self.decoder = nn.ModuleList(
            block(level, channels[level] + (channels[5] if level == 4 else after[level + 1]),
                  decoder_middles[level], after[level]) for level in range(5))
        self.heads = nn.ModuleList(nn.Conv2d(count, 1, 3, padding=1) for count in (*after, channels[5]))
        self.pool = pool()
        # The layers of the first output.
        self.last = nn.Conv2d(6, 1, 1) if fused else self.heads[0]

    def forward(self, picture):
        value, values = picture if self.stem is None else self.stem(picture), []
        for level, stage in enumerate(self.encoder):
            values.append(stage(self.pool(values[-1]) if level else value))
        results = [values[-1]]
        for level in reversed(range(5)):
            # The dilated bottom has the size of the level above it, so that this enlarges by two except there.
            results.append(self.decoder[level](torch.cat((like(results[-1], values[level]), values[level]), 1)))
        sides = [like(head(result), picture) for head, result in zip(self.heads, results[::-1])]
        if self.fused:
            sides.insert(0, self.last(torch.cat(sides, 1)))
        return tuple(torch.sigmoid(side) for side in sides)


def block(level, inputs, middle, outputs):
    return Block(7 - level, inputs, middle, outputs) if level < 4 else DilatedBlock(inputs, middle, outputs)


def u2net(share=1):
    def part(*numbers):
        return [number // share for number in numbers]
    return Nested(part(64, 128, 256, 512, 512, 512), part(32, 32, 64, 128, 256, 256), part(16, 32, 64, 128, 256))


def u2netp():
    return Nested([64] * 6, [16] * 6, [16] * 5)


def silueta():
    return u2net(2)


def isnet():
    return Nested([64, 128, 256, 512, 512, 512], [32, 32, 64, 128, 256, 256], [16, 32, 64, 128, 256], inputs=64,
                  fused=False, stem=nn.Conv2d(3, 64, 3, stride=2, padding=1))


class Oddities(nn.Module):
    """What the others lack: convolutions without a bias, clipping, aligned corners, a batch norm at the start."""

    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm2d(3)
        self.first = nn.Conv2d(3, 8, 3, padding=1, bias=False)
        self.deep = nn.Conv2d(8, 8, 3, padding=1, groups=8, bias=False)
        self.after = nn.BatchNorm2d(8)
        self.last = nn.Conv2d(24, 1, 1, bias=False)
        self.pool = nn.MaxPool2d(3, stride=2, padding=1)

    def forward(self, picture):
        value = self.first(self.norm(picture))
        clipped = F.relu6(self.after(self.deep(value)))
        small = self.pool(clipped)
        mean = F.adaptive_avg_pool2d(value, 1)
        large = like(small, picture, corners=True)
        return torch.sigmoid(self.last(torch.cat((large, value + mean, F.relu(value)), 1)))


def lively(build, picture):
    """A random network with usable outputs: its batch norms have the statistics of `picture`, without which values would
    vanish or explode, and its outputs before the sigmoid have a deviation of one."""
    torch.manual_seed(1)
    network = build()
    for module in network.modules():
        if isinstance(module, nn.BatchNorm2d):
            nn.init.uniform_(module.weight, 0.5, 1.5)
            nn.init.uniform_(module.bias, -0.5, 0.5)
            module.momentum = 1.0
    answers = []
    last = network.last
    with torch.no_grad():
        network.train()(picture)
        hook = last.register_forward_hook(lambda module, inputs, answer: answers.append(answer))
        network.eval()(picture)
        hook.remove()
        deviation, mean = torch.std_mean(answers[0])
        last.weight /= deviation
        if last.bias is not None:
            last.bias.sub_(mean).div_(deviation)
    return network
