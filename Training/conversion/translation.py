"""Follows an ONNX graph from its input to one output, operation by operation.

A value is either known, an array, or a `Plane` of the network. A node with known inputs is calculated;
any other must be an operation of `subject-1`, or the translation ends with an error that names it.
"""
import numpy as np
import onnx

from .constants import attributes, calculated, initial
from .network import Network, Plane


class Unsupported(Exception):
    """A missing feature of the format or the translation, in one line."""


class Translation:
    def __init__(self, model, size=None, output=None):
        """`size` is (height, width), for a model that takes any; `output` names a result, None the first."""
        graph = model.graph
        self.opset = next(entry.version for entry in model.opset_import if entry.domain in ("", "ai.onnx"))
        self.values = initial(graph)
        inputs = [value for value in graph.input if value.name not in self.values]
        if len(inputs) != 1:
            raise Unsupported(f"the model has {len(inputs)} inputs; expected one image")
        self.network = Network(*input_size(inputs[0], size))
        self.values[inputs[0].name] = self.network.input
        self.output = output or graph.output[0].name
        nodes = needed(graph.node, self.output)
        self.readers = {}
        for node in nodes:
            for name in node.input:
                self.readers[name] = self.readers.get(name, 0) + 1
        for node in nodes:
            self.follow(node)
        if not isinstance(self.values.get(self.output), Plane):
            raise Unsupported(f"the network has no output {self.output}")

    @property
    def result(self):
        return self.values[self.output]

    def follow(self, node):
        for name in node.input:
            if name and name not in self.values:
                raise Unsupported(f"{node.op_type} reads {name}, which no earlier node defines")
        inputs = [self.values[name] if name else None for name in node.input]
        planes = [value for value in inputs if isinstance(value, Plane)]
        if node.op_type == "Shape" and planes:
            start, end = attributes(node).get("start", 0), attributes(node).get("end", 4)
            plane = planes[0]
            self.values[node.output[0]] = np.array([1, plane.channels, plane.height, plane.width])[start:end]
        elif not planes:
            known = {name: value for name, value in zip(node.input, inputs) if name}
            self.values.update(calculated(node, known, self.opset))
        else:
            translate = getattr(self, f"translate_{node.op_type}", None)
            if node.domain not in ("", "ai.onnx") or translate is None:
                raise Unsupported(f"stickerd does not support the operation {node.op_type} (of {node.name or node.output[0]})")
            self.values[node.output[0]] = translate(attributes(node), node, *inputs)

    def has_one_reader(self, node):
        """Whether the operation that makes the node's first input may be changed: nothing else reads it."""
        plane = self.values[node.input[0]]
        # A node such as Identity gives a plane one more name.
        names = [name for name, value in self.values.items() if value is plane]
        return sum(self.readers.get(name, 0) for name in names) - (len(names) - 1) == 1

    def translate_Conv(self, details, node, value, weight, bias=None):
        require(isinstance(weight, np.ndarray), "Conv", "weights that are not constants")
        require(weight.ndim == 4 and weight.shape[2] == weight.shape[3], "Conv", f"a kernel of {weight.shape[2:]}")
        group = details.get("group", 1)
        depthwise = group > 1
        require(not depthwise or group == value.channels == len(weight), "Conv", f"{group} groups")
        return self.network.convolution(
            value, weight, bias, single("Conv", "strides", details, 1), padding("Conv", details),
            single("Conv", "dilations", details, 1), depthwise)

    def translate_BatchNormalization(self, details, node, value, scale, bias, mean, variance):
        factor = scale.astype(float) / np.sqrt(variance.astype(float) + details.get("epsilon", 1e-5))
        offset = bias - mean * factor
        if self.has_one_reader(node):
            return self.network.scale(value, factor, offset)
        return self.network.convolution(value, factor[:, None, None, None], offset, depthwise=True)

    def translate_Relu(self, details, node, value):
        return self.clipped(node, value, "relu")

    def translate_Clip(self, details, node, value, low=None, high=None):
        low = details.get("min", -np.inf) if low is None else float(low)
        high = details.get("max", np.inf) if high is None else float(high)
        require(low == 0 and (high == 6 or high > 3e38), "Clip", f"limits of {low} and {high}")
        return self.clipped(node, value, "relu6" if high == 6 else "relu")

    def clipped(self, node, value, activation):
        if self.has_one_reader(node):
            return self.network.activate(value, activation)
        return self.network.append("clamp", [value], value.channels, value.size, activation=activation)

    def translate_Sigmoid(self, details, node, value):
        return self.network.append("sigmoid", [value], value.channels, value.size)

    def translate_Add(self, details, node, one, other):
        require(isinstance(one, Plane) and isinstance(other, Plane), "Add", "a constant")
        sizes = {one.size, other.size}
        require(one.channels == other.channels and (len(sizes) == 1 or (1, 1) in sizes), "Add", "values of other sizes")
        return self.network.append("add", [one, other], one.channels, max(sizes), activation="none")

    def translate_Concat(self, details, node, *values):
        require(details.get("axis") in (1, -3), "Concat", f"axis {details.get('axis')}")
        require(all(isinstance(value, Plane) and value.size == values[0].size for value in values),
                "Concat", "values of other sizes")
        require(len(values) <= 16, "Concat", f"{len(values)} values")
        if len(values) == 1:
            return values[0]
        return self.network.append("concat", values, sum(value.channels for value in values), values[0].size)

    def translate_MaxPool(self, details, node, value):
        kernel, stride = single("MaxPool", "kernel_shape", details, None), single("MaxPool", "strides", details, 1)
        require(single("MaxPool", "dilations", details, 1) == 1, "MaxPool", "dilation")
        require(kernel > 1 and stride <= kernel, "MaxPool", f"a kernel of {kernel} and a stride of {stride}")
        require(details.get("auto_pad", "NOTSET") in ("NOTSET", "VALID"), "MaxPool", "auto_pad")
        pads = list(details.get("pads", [0] * 4))
        require(pads[0] == pads[1] and 2 * pads[0] <= kernel, "MaxPool", f"pads of {pads}")
        size = [pooled(side, kernel, stride, pads[axis], pads[axis + 2], details.get("ceil_mode", 0))
                for axis, side in enumerate(value.size)]
        # Before opset 10 there is no ceil mode; it is expressed as more padding at the end.
        for ceil in (False, True):
            if size == [pooled(side, kernel, stride, pads[0], pads[0], ceil) for side in value.size]:
                break
        else:
            raise Unsupported(f"stickerd does not support MaxPool with pads of {pads}")
        return self.network.append(
            "maxPool", [value], value.channels, size, kernel=kernel, stride=stride, padding=pads[0], ceil=ceil)

    def translate_GlobalAveragePool(self, details, node, value):
        return self.network.append("globalAverage", [value], value.channels, (1, 1))

    def translate_Upsample(self, details, node, value, scales=None):
        scales = np.array(details["scales"]) if scales is None else scales
        return self.resized("Upsample", value, details.get("mode", "nearest"), scales, None, "asymmetric")

    def translate_Resize(self, details, node, value, *rest):
        mode = details.get("mode", "nearest")
        if self.opset < 11:
            return self.resized("Resize", value, mode, rest[0], None, "asymmetric")
        _, scales, sizes = [*rest, None, None, None][:3]
        require(not details.get("antialias") and "axes" not in details, "Resize", "antialias or axes")
        if scales is not None and len(scales) == 0:
            scales = None
        return self.resized(
            "Resize", value, mode, scales, sizes, details.get("coordinate_transformation_mode", "half_pixel"))

    def resized(self, name, value, mode, scales, sizes, alignment):
        require(mode == "linear", name, f"mode {mode}")
        alignments = {"half_pixel": "halfPixel", "pytorch_half_pixel": "halfPixel", "align_corners": "alignCorners",
                      "asymmetric": "asymmetric"}
        require(alignment in alignments, name, f"coordinates {alignment}")
        before = np.array([1, value.channels, *value.size])
        after = np.asarray(sizes) if sizes is not None else np.floor(before * np.asarray(scales, float) + 1e-6)
        require(after.shape == (4,) and (after[:2] == before[:2]).all(), name, f"a size of {after}")
        size = tuple(int(side) for side in after[2:])
        # ONNX scales by the given factor, the engine by the sizes, so they must agree.
        if scales is not None:
            require(np.allclose(np.asarray(scales, float)[2:], after[2:] / before[2:], rtol=1e-3), name, f"scales {scales}")
        if size == value.size:
            return value
        require(alignment != "pytorch_half_pixel" or 1 not in size, name, "a side of one pixel")
        return self.network.append(
            "resize", [value], value.channels, size, height=size[0], width=size[1], alignment=alignments[alignment])

    def same(self, details, node, value, *rest):
        return value

    translate_Identity = translate_Dropout = same


def require(condition, name, what):
    if not condition:
        raise Unsupported(f"stickerd does not support {name} with {what}")


def single(name, key, details, default):
    """The number that all elements of a list are equal to."""
    numbers = details.get(key, [default])
    require(len(set(numbers)) == 1, name, f"{key} of {list(numbers)}")
    return int(numbers[0])


def padding(name, details):
    require(details.get("auto_pad", "NOTSET") in ("NOTSET", "VALID"), name, f"auto_pad {details.get('auto_pad')}")
    return single(name, "pads", details, 0)


def pooled(side, kernel, stride, before, behind, ceil):
    """The number of windows along a side; with `ceil`, a last one that begins within the plane counts."""
    rest = side + before + behind - kernel
    size = rest // stride + 1
    return size + 1 if ceil and rest % stride and size * stride < side + before else size


def needed(nodes, output):
    """The nodes on which `output` depends, in their order."""
    names, kept = {output}, []
    for node in reversed(nodes):
        if names.intersection(node.output):
            names.update(filter(None, node.input))  # an optional input that is missing has an empty name
            kept.append(node)
    return kept[::-1]


def input_size(value, size):
    """Height and width of the input: those of the file, or `size` if it has none."""
    dimensions = [entry.dim_value for entry in value.type.tensor_type.shape.dim]
    if len(dimensions) != 4 or dimensions[1] not in (0, 3):
        raise Unsupported(f"the input has the shape {dimensions}, not that of one image with three channels")
    if value.type.tensor_type.elem_type != onnx.TensorProto.FLOAT:
        raise Unsupported("the input is not fp32")
    if size and any(side not in (0, asked) for side, asked in zip(dimensions[2:], size)):
        raise Unsupported(f"the model takes only {dimensions[3]}x{dimensions[2]} pixels")
    if 0 in dimensions[2:] and not size:
        raise Unsupported("the model takes any size; choose one with --size")
    return size or tuple(dimensions[2:])
