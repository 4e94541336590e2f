"""The network that the translation builds: operations of `subject-1`, their weights, and the sizes of their values."""
import json
from dataclasses import dataclass

import numpy as np

from subjectnet import weightsfile


@dataclass(frozen=True)
class Plane:
    """A value of the network: its name in the graph, and its size without the number of pictures."""
    name: str
    channels: int
    height: int
    width: int

    @property
    def size(self):
        return self.height, self.width


class Network:
    """Operations in running order. Each method returns the value it adds."""

    def __init__(self, height, width):
        self.operations, self.tensors = [], {}
        self.input = Plane("input", 3, height, width)

    def append(self, op, inputs, channels, size, /, **details):
        value = Plane(f"v{len(self.operations) + 1}", channels, *size)
        names = [plane.name for plane in inputs]
        self.operations.append({
            "op": op, "in": names if op in ("add", "concat") else names[0], "out": value.name, **details})
        return value

    def convolution(self, value, weight, bias, stride=1, padding=0, dilation=1, depthwise=False):
        """`weight` is [out, in, row, column], of a depthwise one with an `in` of 1; `bias` may be None."""
        name = f"w{len(self.tensors) + 1}"
        self.tensors[name] = np.ascontiguousarray(
            weight.transpose((1, 2, 3, 0) if depthwise else (0, 2, 3, 1)), np.float32)
        details = {"weight": name}
        if bias is not None:
            details["bias"] = f"b{len(self.tensors) + 1}"
            self.tensors[details["bias"]] = bias.astype(np.float32)
        outputs, kernel = len(weight), weight.shape[2]
        if dilation > 1:
            details["dilation"] = dilation
        extent = (kernel - 1) * dilation + 1
        size = [(side + 2 * padding - extent) // stride + 1 for side in value.size]
        return self.append(
            "depthwise" if depthwise else "conv", [value], outputs, size, **details, kernel=kernel, stride=stride,
            padding=padding, channels=[value.channels, outputs], activation="none")

    def operation(self, value):
        """The operation that makes `value`; None for the input."""
        return next((operation for operation in self.operations if operation["out"] == value.name), None)

    def activate(self, value, activation):
        """Clips the result of the operation that makes `value`; the caller must make sure that nothing else reads it."""
        operation = self.operation(value)
        if operation and operation.get("activation") == "none":
            operation["activation"] = activation
            return value
        return self.append("clamp", [value], value.channels, value.size, activation=activation)

    def scale(self, value, factor, offset):
        """Multiplies each channel and adds to it, within the convolution that makes `value` if there is one."""
        operation = self.operation(value)
        if not operation or operation["op"] not in ("conv", "depthwise") or operation["activation"] != "none":
            return self.convolution(value, factor[:, None, None, None], offset, depthwise=True)
        weight, bias = self.tensors[operation["weight"]], operation.get("bias")
        along = (1, 1, 1, -1) if operation["op"] == "depthwise" else (-1, 1, 1, 1)
        self.tensors[operation["weight"]] = (weight * factor.reshape(along)).astype(np.float32)
        if bias is None:
            operation["bias"] = bias = operation["weight"].replace("w", "b")
            self.tensors[bias] = np.zeros(value.channels)
        self.tensors[bias] = (self.tensors[bias] * factor + offset).astype(np.float32)
        return value

    def keep(self, output):
        """Removes operations that `output` does not depend on."""
        needed, kept = {output.name}, []
        for operation in reversed(self.operations):
            if operation["out"] in needed:
                kept.append(operation)
                needed.update([operation["in"]] if isinstance(operation["in"], str) else operation["in"])
        self.operations = kept[::-1]
        names = {operation.get(key) for operation in kept for key in ("weight", "bias")}
        self.tensors = {name: array for name, array in self.tensors.items() if name in names}

    def write(self, path, output, metadata, dtype=np.float32):
        self.keep(output)
        tensors = {name: array.astype(dtype) for name, array in self.tensors.items()}
        if not all(np.isfinite(array).all() for array in tensors.values()):
            raise ValueError("a weight is infinite or no number" + (" in fp16" if dtype == np.float16 else ""))
        weightsfile.write(path, tensors, {
            "format": "subject-1", "input": self.input.name, "output": output.name, "height": str(self.input.height),
            "width": str(self.input.width), **metadata,
            "graph": json.dumps(self.operations, separators=(",", ":"))})
