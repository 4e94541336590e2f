"""An exported network gives the same numbers, and has the list of layers that stickerd supports."""
import json
import tempfile
import unittest
from pathlib import Path

import numpy as np
import torch

from subjectnet import weightsfile
from subjectnet.encoder import DEFAULT_KIND
from subjectnet.graph import exported
from subjectnet.interpreter import SubjectFile
from subjectnet.network import SubjectNet, normalized
from tests.drawing import drawn_pair

SHIPPED = Path(__file__).parents[2] / "Sources/C/SubjectWeights/subject.safetensors"


def lively_network(kind=DEFAULT_KIND):
    """A network with random weights and batch norms that change values, as after training."""
    torch.manual_seed(3)
    network = SubjectNet(kind)
    for module in network.modules():
        if isinstance(module, torch.nn.BatchNorm2d):
            module.weight.data.uniform_(0.5, 1.5)
            module.bias.data.uniform_(-0.5, 0.5)
            module.running_mean.uniform_(-0.5, 0.5)
            module.running_var.uniform_(0.3, 2)
    network.heads[0].weight.data *= 10
    # Values must exceed six, so that ReLU6 differs from ReLU.
    network.encoder._conv_stem.weight.data *= 8
    return network.eval()


class ExportTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.path = Path(temporary.name) / "subject.safetensors"
        self.network = lively_network()
        photos = [np.asarray(drawn_pair(seed, 96)[0]) for seed in range(2)]
        self.photos = normalized(torch.from_numpy(np.stack(photos)).permute(0, 3, 1, 2).float() / 255)

    def largest_difference(self, dtype):
        graph, output = exported(self.network, dtype)
        graph.write(self.path, output)
        with torch.no_grad():
            expected = self.network.probability(self.photos)
        self.assertGreater(expected.std(), 0.01, "a flat output would prove nothing")
        return (SubjectFile(self.path).probability(self.photos) - expected).abs().max().item()

    def test_folding_changes_nothing_but_the_last_digits(self):
        self.assertLess(self.largest_difference(np.float32), 1e-5)

    def test_the_exported_file_reproduces_the_network_within_fp16(self):
        self.assertLess(self.largest_difference(np.float16), 5e-3)
        tensors, _ = weightsfile.read(self.path)
        self.assertEqual({array.dtype for array in tensors.values()}, {np.dtype(np.float16)})

    def test_the_layers_are_those_of_the_shipped_file(self):
        graph, output = exported(self.network)
        graph.write(self.path, output)
        tensors, metadata = weightsfile.read(self.path)
        shipped_tensors, shipped_metadata = weightsfile.read(SHIPPED)
        self.assertEqual(json.loads(metadata["graph"]), json.loads(shipped_metadata["graph"]))
        shipped_metadata.pop("ranges", None)  # by calibrate.py
        self.assertEqual(metadata, shipped_metadata)
        shapes = [(name, array.shape) for name, array in tensors.items()]
        self.assertEqual(shapes, [(name, array.shape) for name, array in shipped_tensors.items()])


if __name__ == "__main__":
    unittest.main()
