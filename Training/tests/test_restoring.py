"""A restored checkpoint computes what the file does, and is ready for training."""
import tempfile
import unittest
from pathlib import Path

import numpy as np
import torch

from subjectnet.dataset import prepare
from subjectnet.graph import exported
from subjectnet.network import ConvBlock, pretrained_network
from subjectnet.norms import training_views
from subjectnet.restoring import restored
from tests.drawing import packed
from tests.test_export import lively_network


class RestoringTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.path, self.data = Path(temporary.name) / "subject.safetensors", Path(temporary.name) / "data"
        packed(self.path.parent, [f"drawn-{n}" for n in range(8)])
        prepare(self.path.parent, self.data, 64)
        self.network = lively_network()
        graph, output = exported(self.network, np.float32)
        graph.write(self.path, output)
        self.picture = torch.randn(2, 3, 64, 64, generator=torch.Generator().manual_seed(4))

    def test_it_computes_what_the_file_does(self):
        network = restored(self.path, self.data, 8, side=64)
        with torch.no_grad():
            expected = self.network.probability(self.picture)
            difference = (network.probability(self.picture) - expected).abs().max().item()
        self.assertGreater(expected.std(), 0.01, "a flat output would prove nothing")
        self.assertLess(difference, 1e-4)

    def test_its_norms_fit_the_photos_and_the_encoder_keeps_the_statistics_of_imagenet(self):
        network = restored(self.path, self.data, 8, side=64)
        seen = {}

        def read(norm, inputs):
            seen[norm] = inputs[0].mean((0, 2, 3))

        for module in network.modules():
            if isinstance(module, ConvBlock):
                module[1].register_forward_pre_hook(read)
        with torch.no_grad():
            for views in training_views(self.data, 8, 64):
                network(views)
        for norm, mean in seen.items():
            torch.testing.assert_close(norm.running_mean, mean, rtol=1e-3, atol=1e-3)
        kept, pretrained = network.encoder.state_dict(), pretrained_network().encoder.state_dict()
        statistics = [name for name in kept if "running" in name]
        self.assertTrue(statistics)
        for name in statistics:
            self.assertTrue(torch.equal(kept[name], pretrained[name]), name)

    def test_a_file_of_another_kind_is_refused(self):
        with self.assertRaisesRegex(ValueError, "--kind"):
            restored(self.path, self.data, 8, kind="lite1", side=64)


if __name__ == "__main__":
    unittest.main()
