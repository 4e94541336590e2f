"""Norms that are measured again fit the weights before them."""
import tempfile
import unittest
from pathlib import Path

import torch

from subjectnet.dataset import prepare
from subjectnet.network import pretrained_network
from subjectnet.norms import measure_norms
from tests.drawing import packed


class NormsTest(unittest.TestCase):
    def test_they_undo_what_changes_the_scale_of_a_convolution(self):
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            packed(folder, [f"drawn-{n}" for n in range(8)])
            prepare(folder, folder / "data", 64)
            torch.manual_seed(0)
            network = pretrained_network()
            picture = torch.randn(1, 3, 64, 64)

            def measured():
                measure_norms(network, folder / "data", 8, 64)
                return network.probability(picture).detach()

            def spread(one, other):
                return (one - other).abs().max() / one.std()

            before = measured()
            statistics = network.encoder._bn0.running_mean.clone()
            with torch.no_grad():
                network.lateral[0][0].weight.mul_(3)
            self.assertGreater(spread(before, network.probability(picture).detach()), 0.1)
            self.assertLess(spread(before, measured()), 0.01)
            self.assertTrue(torch.equal(network.encoder._bn0.running_mean, statistics))
            self.assertFalse(any(module.training for module in network.modules()))


if __name__ == "__main__":
    unittest.main()
