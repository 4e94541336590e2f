"""A run learns, and a run that was stopped ends with the weights of one that was not."""
import tempfile
import unittest
from dataclasses import replace
from pathlib import Path

import torch

from subjectnet.batches import Batches
from subjectnet.dataset import prepare
from subjectnet.encoder import DEFAULT_KIND
from subjectnet.loss import subject_loss
from subjectnet.training import WARM_UP, Plan, Trainer
from tests.drawing import packed

CPU = torch.device("cpu")
PLAN = Plan(DEFAULT_KIND, photos=24, batch=4, side=64, last_side=64, peak=1e-3, save_every=3, validate_every=100)


class TrainingTest(unittest.TestCase):
    def test_a_stopped_run_ends_like_one_that_was_not(self):
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            packed(folder, [f"drawn-{n}" for n in range(12)])
            prepare(folder, folder / "data", 64)

            def trainer(name, start=None):
                torch.manual_seed(0)  # the pyramid begins with the same random weights
                return Trainer(folder / "data", folder / name, PLAN, CPU, start)

            whole = trainer("whole")
            self.assertTrue(whole.run(say=lambda note: None))

            def stop(note):
                raise KeyboardInterrupt
            with self.assertRaises(KeyboardInterrupt):
                trainer("stopped").run(say=stop)
            resumed = trainer("stopped")
            resumed.resume()
            self.assertEqual(resumed.step, PLAN.save_every)
            self.assertTrue(resumed.run(say=lambda note: None))
            for one, other in zip(whole.average.state_dict().values(), resumed.average.state_dict().values()):
                self.assertTrue(torch.allclose(one.float(), other.float(), atol=1e-6))

    def test_the_loss_falls_on_one_batch(self):
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            packed(folder, [f"drawn-{n}" for n in range(4)])
            prepare(folder, folder / "data", 64)
            trainer = Trainer(folder / "data", folder / "run", replace(PLAN, photos=4000, peak=5e-3), CPU)
            statistics = trainer.network.encoder._bn0.running_mean.clone()
            batch = next(iter(Batches(folder / "data", 4, 0)))
            losses = []
            for step in range(30):
                trainer.step = step + WARM_UP
                losses.append(trainer.learn(batch).item())
            self.assertLess(sum(losses[-5:]), 0.75 * sum(losses[:5]), losses)
            self.assertTrue(torch.equal(trainer.network.encoder._bn0.running_mean, statistics))

    def test_the_loss_is_least_for_the_truth_with_and_without_a_subject(self):
        truth = torch.zeros(2, 1, 64, 64)
        truth[0, :, 20:40, 10:50] = 1
        right, wrong = (torch.where(truth > 0.5, 9.0, -9.0) * sign for sign in (1, -1))

        def levels(logits):
            return [torch.nn.functional.interpolate(logits, size=64 // 2 ** n) for n in range(5)]
        for picture in (slice(0, 1), slice(1, 2)):
            least = subject_loss(levels(right[picture]), truth[picture])
            self.assertLess(10 * least, subject_loss(levels(wrong[picture]), truth[picture]))


if __name__ == "__main__":
    unittest.main()
