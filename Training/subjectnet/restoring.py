"""Turns an exported file back into a network that can be trained.

The file has each convolution with its batch norm folded in. Any norm can be taken out of it again without a change of
what the network computes; these are chosen so that training goes on as it would have from the lost checkpoint.
"""
import numpy as np
import torch

from . import weightsfile
from .encoder import DEFAULT_KIND
from .graph import exported
from .network import INPUT_SIDE, ConvBlock, pretrained_network
from .norms import training_views

LEAST_FACTOR = 1e-2  # smaller ones of ImageNet's norms are not taken out: the weights would get large


def stored_layer(tensors, name, convolution):
    """A layer's folded weight and bias, in torch's order."""
    if f"{name}.weight" not in tensors:
        raise ValueError(f"it has no layer {name}; choose the encoder's kind with --kind")
    weight, bias = (torch.from_numpy(tensors[f"{name}.{part}"].astype(np.float32)) for part in ("weight", "bias"))
    weight = weight.permute(3, 0, 1, 2) if convolution.groups > 1 else weight.permute(0, 3, 1, 2)
    if weight.shape != convolution.weight.shape:
        raise ValueError(f"its layer {name} has another shape; choose the encoder's kind with --kind")
    return weight.contiguous(), bias


def take_out(norm, convolution, weight, bias):
    """Sets a convolution so that it has the folded weight and bias with its norm's present statistics and scale."""
    factor = norm.weight / (norm.running_var + norm.eps).sqrt()
    factor = torch.where(factor.abs() < LEAST_FACTOR, torch.ones_like(factor), factor)
    norm.weight.copy_(factor * (norm.running_var + norm.eps).sqrt())
    norm.bias.copy_(bias + norm.running_mean * factor)
    convolution.weight.copy_(weight / factor[:, None, None, None])


def measured(network, norms, views):
    """The mean and the variance of what each of these norms reads, by channel."""
    sums, counts = {norm: torch.zeros(2, norm.num_features, dtype=torch.double) for norm in norms}, dict.fromkeys(norms, 0)

    def read(norm, inputs):
        values = inputs[0].double()
        sums[norm] += torch.stack([values.sum((0, 2, 3)), values.square().sum((0, 2, 3))])
        counts[norm] += values.numel() // values.shape[1]

    hooks = [norm.register_forward_pre_hook(read) for norm in norms]
    for batch in views:
        network(batch)
    for hook in hooks:
        hook.remove()
    for norm in norms:
        mean, square = sums[norm] / counts[norm]
        yield norm, mean, square - mean.square()


@torch.no_grad()
def restored(path, data, photos, kind=DEFAULT_KIND, side=INPUT_SIDE):
    """A network that computes what the file at `path` does, its pyramid's norms measured on `photos` training photos.

    The encoder's norms have ImageNet's statistics, as in training. The heads that only training uses are not in the file:
    theirs are zero, so they disturb nothing until they have learned.
    """
    tensors, _ = weightsfile.read(path)
    network = pretrained_network(kind).eval()
    pyramid = [module[1] for module in network.modules() if isinstance(module, ConvBlock)]
    for norm in pyramid:  # until it is measured, a norm only adds the bias
        norm.running_var.fill_(1 - norm.eps)
    for name, (convolution, norm) in exported(network)[0].layers.items():
        weight, bias = stored_layer(tensors, name, convolution)
        if norm is None:
            convolution.weight.copy_(weight)
            convolution.bias.copy_(bias)
        else:
            take_out(norm, convolution, weight, bias)
    for head in network.heads[1:]:
        head.weight.zero_()
        head.bias.zero_()
    for norm, mean, variance in measured(network, pyramid, training_views(data, photos, side)):
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(variance)
        norm.weight.copy_((variance + norm.eps).sqrt())
        norm.bias.add_(mean)
    return network
