"""A translated network equals the ONNX model; an error names what cannot be translated."""
import unittest

import numpy as np

try:
    import onnx
    from onnx import TensorProto, helper
    from conversion.translation import Translation, Unsupported
except ImportError:
    onnx = None


def model(nodes, opset=17, size=(8, 6), **constants):
    graph = helper.make_graph(
        nodes, "test", [helper.make_tensor_value_info("in", TensorProto.FLOAT, [1, 3, *size])],
        [helper.make_tensor_value_info("out", TensorProto.FLOAT, None)],
        [onnx.numpy_helper.from_array(np.asarray(array, np.float32), name) for name, array in constants.items()])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])


@unittest.skipIf(onnx is None, "needs conversion/requirements.txt")
class ConversionTest(unittest.TestCase):
    weight = np.ones((1, 3, 3, 3))

    def operations(self, *arguments, **constants):
        translation = Translation(model(*arguments, **constants))
        translation.network.keep(translation.result)
        return [operation["op"] for operation in translation.network.operations], translation

    def refusal(self, *nodes, **constants):
        with self.assertRaises(Unsupported) as raised:
            Translation(model(nodes, **constants))
        return str(raised.exception)

    def test_a_missing_operation_is_named(self):
        self.assertIn("Softmax", self.refusal(helper.make_node("Softmax", ["in"], ["out"])))
        self.assertIn("nearest", self.refusal(
            helper.make_node("Resize", ["in", "", "scales"], ["out"]), scales=[1, 1, 2, 2]))
        self.assertIn("pads of [0, 1, 0, 0]", self.refusal(
            helper.make_node("Conv", ["in", "w"], ["out"], pads=[0, 1, 0, 0]), w=self.weight))
        self.assertIn("groups", self.refusal(helper.make_node("Conv", ["in", "w"], ["out"], group=2), w=self.weight))

    def test_a_batch_norm_and_an_activation_become_part_of_the_convolution(self):
        operations, translation = self.operations(
            [helper.make_node("Conv", ["in", "w"], ["a"]),
             helper.make_node("BatchNormalization", ["a", "s", "b", "m", "v"], ["c"]),
             helper.make_node("Relu", ["c"], ["out"])], w=self.weight, s=[2], b=[3], m=[1], v=[4])
        self.assertEqual(operations, ["conv"])
        network = translation.network
        self.assertEqual(network.operations[0]["activation"], "relu")
        self.assertAlmostEqual(float(network.tensors["w1"].max()), 1, 4)
        self.assertAlmostEqual(float(network.tensors["b1"][0]), 2, 4)

    def test_values_that_another_operation_reads_stay_unchanged(self):
        operations, _ = self.operations(
            [helper.make_node("Conv", ["in", "w"], ["a"]), helper.make_node("Relu", ["a"], ["b"]),
             helper.make_node("Add", ["a", "b"], ["out"])], w=self.weight)
        self.assertEqual(operations, ["conv", "clamp", "add"])

    def test_values_that_another_operation_reads_by_another_name_stay_unchanged(self):
        operations, _ = self.operations([
            helper.make_node("Conv", ["in", "w"], ["a"], pads=[1, 1, 1, 1]),
            helper.make_node("Identity", ["a"], ["i"]), helper.make_node("Relu", ["i"], ["b"]),
            helper.make_node("Add", ["a", "b"], ["out"])], w=self.weight)
        self.assertEqual(operations, ["conv", "clamp", "add"])

    def test_another_name_alone_changes_nothing(self):
        operations, _ = self.operations([
            helper.make_node("Conv", ["in", "w"], ["a"], pads=[1, 1, 1, 1]),
            helper.make_node("Identity", ["a"], ["i"]), helper.make_node("Relu", ["i"], ["out"])], w=self.weight)
        self.assertEqual(operations, ["conv"])

    def test_a_constant_too_large_for_memory_is_named(self):
        with self.assertRaisesRegex(ValueError, "ConstantOfShape"):
            Translation(model([
                helper.make_node("Cast", ["s"], ["shape"], to=TensorProto.INT64),
                helper.make_node("ConstantOfShape", ["shape"], ["c"]), helper.make_node("Add", ["in", "c"], ["out"])],
                s=[1e6, 1e6]))

    def test_a_missing_optional_value_is_no_reason_to_keep_a_node(self):
        operations, _ = self.operations([
            helper.make_node("TopK", ["in", "k"], ["x", ""]),
            helper.make_node("Conv", ["in", "w", ""], ["out"], pads=[1, 1, 1, 1])], w=self.weight, k=[1])
        self.assertEqual(operations, ["conv"])

    def test_unused_outputs_are_removed(self):
        operations, _ = self.operations(
            [helper.make_node("Conv", ["in", "w"], ["out"]), helper.make_node("Softmax", ["out"], ["dead"])],
            w=self.weight)
        self.assertEqual(operations, ["conv"])

    def test_pooling_has_the_sizes_of_onnx(self):
        for length in range(3, 12):
            for kernel, stride, ceil in ((2, 2, 0), (2, 2, 1), (3, 2, 0), (3, 2, 1), (3, 1, 0)):
                node = helper.make_node("MaxPool", ["in"], ["out"], kernel_shape=[kernel] * 2, strides=[stride] * 2,
                                        ceil_mode=ceil)
                translated = Translation(model([node], size=(length, length))).result.height
                inferred = onnx.shape_inference.infer_shapes(model([node], size=(length, length)))
                self.assertEqual(translated, inferred.graph.output[0].type.tensor_type.shape.dim[2].dim_value)

    def test_a_variable_size_must_be_chosen(self):
        open_model = model([helper.make_node("Conv", ["in", "w"], ["out"])], size=("h", "w"), w=self.weight)
        with self.assertRaisesRegex(Unsupported, "--size"):
            Translation(open_model)
        self.assertEqual(Translation(open_model, (10, 12)).result.size, (8, 10))


if __name__ == "__main__":
    unittest.main()
