"""The arithmetic in 8 bits, operation by operation with figures calculated by hand, and as a whole against fp32."""
import json
import tempfile
import unittest
from pathlib import Path

import numpy as np
import torch

from subjectnet import weightsfile
from subjectnet.calibration import measured_ranges
from subjectnet.graph import exported
from subjectnet.interpreter import SubjectFile
from subjectnet.network import double
from subjectnet.pictures import network_bytes
from subjectnet.quantized import Quantization, QuantizedFile, Weight, checked_ranges, doubled, load
from tests.drawing import drawn_pair
from tests.test_export import lively_network

HEAD = {"op": "conv", "weight": "head", "bias": "head-bias", "kernel": 1, "stride": 1, "padding": 0, "activation": "none"}


def plane(*rows):
    """One channel of bytes."""
    return torch.tensor(rows, dtype=torch.uint8)[None, None]


class FileTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.path = Path(temporary.name) / "subject.safetensors"

    def written(self, operations, ranges, **weights):
        """A file of these operations and a head of one weight, 1, behind the value `v1`."""
        tensors = weights | {"head": [[[[1]]]], "head-bias": [0]}
        weightsfile.write(self.path, {name: np.array(numbers, np.float32) for name, numbers in tensors.items()}, {
            "format": "subject-1", "input": "input", "output": "out", "mean": "0.498", "std": "0.502",
            "ranges": json.dumps(ranges), "graph": json.dumps([*operations, HEAD | {"in": "v1", "out": "out"}])})
        return self.path


class OperationTest(FileTest):
    def result(self, operation, ranges, values, **weights):
        """The bytes of `v1`, which an operation makes of other values."""
        before = [{"op": "globalAverage", "in": "input", "out": name} for name in values if name != "input"]
        file = QuantizedFile(self.written([*before, operation | {"out": "v1"}], ranges, **weights))
        names = operation["in"] if isinstance(operation["in"], list) else [operation["in"]]
        return file.byte_result(file.operations[len(before)], *(values[name] for name in names))

    def test_a_range_becomes_a_scale_and_a_whole_zero(self):
        quantization = Quantization.of_range(-1.0, 4.1)
        self.assertAlmostEqual(quantization.scale, 0.02)
        self.assertEqual(quantization.zero, 50)
        self.assertEqual(Quantization.of_range(0.0, 6.0), Quantization(6 / 255, 0))
        self.assertAlmostEqual(Quantization.of_photos(0.498, 0.502).zero, 126.99)

    def test_weights_have_a_scale_for_each_output(self):
        weight = Weight.of(torch.tensor([[127, -62.5], [-254, 5], [0, 0]])[:, :, None, None], torch.zeros(3))
        self.assertEqual(weight.numbers[:, :, 0, 0].tolist(), [[127, -62], [-127, 2], [0, 0]], "half to even")
        self.assertEqual(weight.scales.tolist(), [1, 2, 1])

    def test_sums_are_exact_even_above_the_whole_numbers_of_fp32(self):
        value = torch.full((1, 1152, 1, 1), 255, dtype=torch.uint8)
        numbers = torch.full((1, 1152, 1, 1), 127.0)
        numbers[0, 0] = 126
        sums = Weight.of(numbers, torch.zeros(1)).sums(value, 0, 1, 0)
        self.assertEqual(int(sums), 255 * (127 * 1151 + 126))
        self.assertNotEqual(int(sums), int(sums.float()), "a smaller sum would prove nothing")

    def test_a_convolution(self):
        # Byte b of v0 is 0.02 (b - 50), byte b of v1 is 0.1 b.
        value = torch.tensor([100, 250], dtype=torch.uint8)[None, :, None, None]
        found = self.result(
            {"op": "conv", "in": "v0", "weight": "w", "bias": "b", "kernel": 1, "stride": 1, "padding": 0},
            {"v0": [-1.0, 4.1], "v1": [0.0, 25.5]}, {"v0": value},
            w=[[[[1.27, 0.5]]], [[[-1.27, 0]]], [[[12.7, 12.7]]]], b=[0.5, 0.5, 0])
        # 1.27 * 1 + 0.5 * 4 + 0.5 = 3.77; -1.27 + 0.5 is less than 0; 12.7 * 5 is more than 25.5.
        self.assertEqual(found.flatten().tolist(), [38, 0, 255])

    def test_the_photo_is_padded_with_its_gray(self):
        found = self.result(
            {"op": "conv", "in": "input", "weight": "w", "bias": "b", "kernel": 3, "stride": 2, "padding": 1},
            {"v1": [0.0, 25.5]}, {"input": plane([255, 255], [255, 255])}, w=np.ones((1, 3, 3, 1)), b=[10])
        # Four pixels are (1 - 0.498) / 0.502 = 1, and five outside nearly 0. Padding with black would give 90.
        self.assertEqual(found.tolist(), [[[[140]]]])

    def test_a_depthwise_convolution_is_padded_with_zero(self):
        value = torch.cat([plane([150, 150], [150, 150]), plane([50, 100], [100, 100])], 1)
        found = self.result(
            {"op": "depthwise", "in": "v0", "weight": "w", "bias": "b", "kernel": 3, "stride": 1, "padding": 1},
            {"v0": [-1.0, 4.1], "v1": [-2.0, 23.5]}, {"v0": value},
            w=np.concatenate([np.ones((1, 3, 3, 1)), np.full((1, 3, 3, 1), -0.5)], 3), b=[0, 0.25])
        # The sums of 2, 2, 2, 2 and of 0, 1, 1, 1 with every kernel over all four pixels.
        self.assertEqual(found[0, 0].tolist(), [[100, 100], [100, 100]])
        self.assertEqual(found[0, 1].tolist(), [[8, 8], [8, 8]])  # (-1.5 + 0.25 + 2) / 0.1 = 7.5

    def test_an_addition(self):
        found = self.result(
            {"op": "add", "in": ["a", "b"], "activation": "relu"},
            {"a": [0.0, 25.5], "b": [-10.0, 41.0], "v1": [0.0, 51.0]},
            {"a": plane([100, 3, 255]), "b": plane([60, 20, 255])})
        # 10 + 2, 0.3 - 6 and 25.5 + 41, in fifths.
        self.assertEqual(found.tolist(), [[[[60, 0, 255]]]])

    def test_an_addition_of_one_summary_to_every_position(self):
        found = self.result(
            {"op": "add", "in": ["a", "b"]}, {"a": [0.0, 25.5], "b": [0.0, 25.5], "v1": [0.0, 25.5]},
            {"a": plane([1, 2], [3, 4]), "b": plane([10])})
        self.assertEqual(found.tolist(), [[[[11, 12], [13, 14]]]])

    def test_an_average_is_rounded_half_to_even(self):
        ranges = {"v0": [0.0, 25.5], "v1": [0.0, 25.5]}
        for pixels, expected in (([1, 2], 2), ([2, 3], 2), ([3, 4], 4), ([0, 255], 128)):
            found = self.result({"op": "globalAverage", "in": "v0"}, ranges, {"v0": plane(pixels)})
            self.assertEqual(found.tolist(), [[[[expected]]]])

    def test_every_channel_has_its_own_average(self):
        value = torch.cat([plane([10, 20]), plane([50, 70])], 1)
        found = self.result({"op": "globalAverage", "in": "v0"}, {"v0": [-5.0, 20.5], "v1": [-5.0, 20.5]}, {"v0": value})
        self.assertEqual(found.flatten().tolist(), [15, 60])

    def test_doubling_rounds_a_half_up(self):
        self.assertEqual(doubled(plane([0, 2])).tolist(), [[[[0, 1, 2, 2], [0, 1, 2, 2]]]])
        value = torch.randint(0, 256, (2, 3, 5, 7), dtype=torch.uint8, generator=torch.Generator().manual_seed(1))
        exact = double(value.double())
        self.assertEqual(doubled(value).tolist(), (exact + 0.5).floor().tolist())

    def test_the_last_convolution_gives_numbers(self):
        ranges = {"v1": [0.0, 6.0]}
        file = QuantizedFile(self.written([{"op": "globalAverage", "in": "input", "out": "v1"}], ranges))
        values = file.values_of(plane([255, 255]))
        self.assertEqual(values["v1"].tolist(), [[[[42]]]])  # 1 / (6 / 255) = 42.5 less a little that fp32 rounds off
        self.assertAlmostEqual(values["out"].item(), 42 * 6 / 255, places=6)


class WholeTest(FileTest):
    def setUp(self):
        super().setUp()
        # The smallest: with random weights, errors of rounding add up from layer to layer.
        graph, output = exported(lively_network("lite0"))
        graph.write(self.path, output)
        self.photos = [drawn_pair(seed, 96)[0] for seed in range(3)]

    def calibrated(self):
        ranges = measured_ranges(SubjectFile(self.path), self.photos, 96)
        weightsfile.add_metadata(self.path, {"ranges": json.dumps(ranges)})
        return ranges

    def test_the_result_is_almost_that_of_fp32(self):
        self.calibrated()
        fp32, quantized = load(self.path, in_bytes=False), load(self.path)
        self.assertIs(type(quantized), QuantizedFile)
        for photo in self.photos:
            expected, found = (file.probability_of(network_bytes(photo, 96)) for file in (fp32, quantized))
            self.assertGreater(expected.std(), 0.02, "a flat output would prove nothing")
            self.assertLess((found - expected).abs().mean(), 0.002)
            self.assertGreater((found - expected).abs().max(), 0, "nothing was rounded")

    def test_a_file_without_ranges_runs_in_fp32(self):
        self.assertIs(type(load(self.path)), SubjectFile)
        with self.assertRaisesRegex(ValueError, "subject.safetensors cannot run in 8 bits: .*no ranges.*calibrate.py"):
            QuantizedFile(self.path)

    def test_ranges_have_to_fit_the_operations(self):
        ranges, operations = self.calibrated(), SubjectFile(self.path).operations
        doubling = next(operation for operation in operations if operation["op"] == "upsample2x")
        others = {"input": [0, 1], operations[-1]["out"]: 3}
        self.assertEqual(checked_ranges(json.dumps(ranges | others), operations), ranges, "others are ignored")
        cases = [("{", "not JSON"), ("[]", "no JSON object"), ("{}", "v1 has no range")]
        for wrong in ([0, 0], [1, 2], [-2, -1], [0], [0, "1"], 3, {}, [0, 1, 2], [float("nan"), 1], [0, float("inf")]):
            cases.append((json.dumps(ranges | {"v3": wrong}), "v3 has to be two numbers"))
        cases += [(json.dumps(ranges | {"v1": [-1, 6]}), "exceeds its relu6"),
                  (json.dumps(ranges | {"v1": [0, 6.5]}), "exceeds its relu6"),
                  (json.dumps(ranges | {doubling["out"]: [-1, 1]}), "which it doubles")]
        for text, message in cases:
            with self.subTest(text[-40:]), self.assertRaisesRegex(ValueError, message):
                checked_ranges(text, operations)


if __name__ == "__main__":
    unittest.main()
