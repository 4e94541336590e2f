"""Runs a `subject-1` file in torch, operation by operation, in fp32: the reference for other runtimes."""
import json

import torch
import torch.nn.functional as F

from . import weightsfile
from .network import double, normalized


ACTIVATIONS = {"none": lambda value: value, "relu": F.relu, "relu6": F.relu6}


class SubjectFile:
    """A file's weights and operations. Pictures are [n, channel, row, column] here, as everywhere in torch."""

    def __init__(self, path):
        tensors, self.metadata = weightsfile.read(path)
        if self.metadata.get("format") != "subject-1":
            raise ValueError(f"{path} is not of the format subject-1")
        self.operations = json.loads(self.metadata["graph"])
        self.tensors = {name: torch.from_numpy(array.astype("float32")) for name, array in tensors.items()}

    @torch.no_grad()
    def values(self, normalized):
        """Every value of a run by its name."""
        values = {self.metadata["input"]: normalized}
        for operation in self.operations:
            names = operation["in"] if isinstance(operation["in"], list) else [operation["in"]]
            result = self.result(operation, *(values[name] for name in names))
            values[operation["out"]] = ACTIVATIONS[operation.get("activation", "none")](result)
        return values

    def values_of(self, photos):
        """Every value of a run on photos of bytes."""
        return self.values(normalized(photos.float() / 255))

    def probability(self, normalized):
        return self.values(normalized)[self.metadata["output"]]

    def probability_of(self, photos):
        return self.values_of(photos)[self.metadata["output"]]

    def result(self, operation, value, other=None):
        match operation["op"]:
            case "conv":
                return self.convolved(operation, value, (0, 3, 1, 2), groups=1)
            case "depthwise":
                return self.convolved(operation, value, (3, 0, 1, 2), groups=value.shape[1])
            case "add":
                return value + other
            case "upsample2x":
                return double(value)
            case "globalAverage":
                return value.mean((2, 3), keepdim=True)
            case "sigmoid":
                return value.sigmoid()
            case unknown:
                raise ValueError(f"Unknown operation {unknown}")

    def convolved(self, operation, value, order, groups):
        weight = self.tensors[operation["weight"]].permute(order)
        bias = self.tensors[operation["bias"]]
        return F.conv2d(value, weight, bias, operation["stride"], operation["padding"], groups=groups)
