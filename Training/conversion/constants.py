"""The values that an ONNX graph calculates from constants and sizes alone."""
import numpy as np
import onnx
from onnx import helper
from onnx.reference import ReferenceEvaluator

LIMIT = 1 << 28  # numbers in a constant; more is an error


def attributes(node):
    """A node's attributes as Python values, text as str."""
    values = {attribute.name: helper.get_attribute_value(attribute) for attribute in node.attribute}
    return {name: value.decode() if isinstance(value, bytes) else value for name, value in values.items()}


def calculated(node, inputs, opset):
    """The outputs of a node whose inputs are all known: arrays by name, as onnx's reference evaluates it.

    Raises ValueError, with the operation's name, if it cannot be evaluated or makes more than LIMIT numbers.
    """
    if requested(node, inputs) > LIMIT:
        raise ValueError(f"{node.op_type} makes a constant of more than {LIMIT} numbers")
    graph = helper.make_graph(
        [node], "constant",
        [helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape)
         for name, array in inputs.items()],
        [helper.make_empty_tensor_value_info(name) for name in node.output])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])
    try:
        results = ReferenceEvaluator(model).run(None, inputs)
    except Exception as error:  # the evaluator raises errors of many kinds
        raise ValueError(f"{node.op_type} cannot be calculated: {type(error).__name__}: {error}") from error
    if any(np.size(result) > LIMIT for result in results):
        raise ValueError(f"{node.op_type} makes a constant of more than {LIMIT} numbers")
    return dict(zip(node.output, (np.asarray(result) for result in results)))


def requested(node, inputs):
    """How many numbers a node makes, if it can make many of few; else 0."""
    values = [inputs[name].astype(float) for name in node.input if name]
    match node.op_type:
        case "ConstantOfShape":
            return float(np.prod(values[0]))
        case "Expand":
            return values[0].size * float(np.prod(values[1]))
        case "Tile":
            return values[0].size * float(np.prod(values[1]))
        case "Range":
            return float(abs((values[1] - values[0]) / values[2])) if values[2] else 0
    return 0


def initial(graph):
    """The constants that the file holds, by name."""
    return {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in graph.initializer}
