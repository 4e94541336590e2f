"""The commands one after the other, as a user runs them, on a few drawn pictures and a few steps."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np

from subjectnet.dataset import is_validation
from tests.drawing import packed

HOME = Path(__file__).parents[1]


class PipelineTest(unittest.TestCase):
    def command(self, name, *arguments):
        line = [sys.executable, HOME / f"{name}.py", *map(str, arguments)]
        done = subprocess.run(line, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_from_archives_to_scores(self):
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            names = [f"drawn-{n}" for n in range(200)]
            held = [name for name in names if is_validation(name)][:3]
            shown = [name for name in names if not is_validation(name)][:24]
            photos, masks = packed(folder, held + shown)
            data, checkpoint, weights = folder / "data", folder / "subject.pt", folder / "subject.safetensors"
            self.command("prepare", "--photos", photos, "--masks", masks, "--output", data)
            self.assertEqual(len(np.load(data / "train-photos.npy", mmap_mode="r")), len(shown))
            self.assertEqual(np.unique(np.load(data / "train-masks.npy")).tolist(), [0, 255])

            plan = ("--data", data, "--output", checkpoint, "--side", 64, "--batch", 8, "--epochs", 2)
            self.assertIn("Out of time", self.command("train", *plan, "--minutes", 0))
            resumed = self.command("train", *plan)
            self.assertIn("from epoch 1", resumed)
            self.assertIn("epoch 2/2", resumed)
            self.assertFalse(Path(f"{checkpoint}.resume").exists())

            self.command("export", checkpoint, weights)
            self.command("reference", weights, folder / "reference.safetensors")
            validation = data / "validation"
            self.command("predict", validation / "photos", folder / "masks", "--weights", weights, "--side", 64)
            scores = self.command("evaluate", folder / "masks", validation / "masks", "--worst", 1)
            self.assertIn(f"n {len(held)}  MAE", scores)


if __name__ == "__main__":
    unittest.main()
