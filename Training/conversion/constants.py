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
    """The outputs of a node whose inputs are all known: arrays by name, as onnx's reference evaluates it."""
    graph = helper.make_graph(
        [node], "constant",
        [helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape)
         for name, array in inputs.items()],
        [helper.make_empty_tensor_value_info(name) for name in node.output])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])
    results = ReferenceEvaluator(model).run(None, inputs)
    if any(np.size(result) > LIMIT for result in results):
        raise ValueError(f"{node.op_type} makes a constant of more than {LIMIT} numbers")
    return dict(zip(node.output, (np.asarray(result) for result in results)))


def initial(graph):
    """The constants that the file holds, by name."""
    return {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in graph.initializer}
