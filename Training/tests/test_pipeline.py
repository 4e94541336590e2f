"""The commands one after the other, as a user runs them, on a few drawn pictures and a few steps."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np
from PIL import Image

from subjectnet.dataset import is_validation
from tests.drawing import drawn_ground, drawn_pair, packed
from tests.test_export import SHIPPED

HOME = Path(__file__).parents[1]


class PipelineTest(unittest.TestCase):
    def command(self, name, *arguments, fails=False):
        line = [sys.executable, HOME / f"{name}.py", *map(str, arguments)]
        done = subprocess.run(line, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode != 0, fails, done.stderr)
        return done.stdout + (done.stderr if fails else "")

    def test_from_archives_to_scores(self):
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            names = [f"drawn-{n}" for n in range(200)]
            held = [name for name in names if is_validation(name)][:3]
            shown = [name for name in names if not is_validation(name)][:24]
            packed(folder, held + shown)
            data, run, weights = folder / "data", folder / "run", folder / "subject.safetensors"
            prepared = self.command("prepare", folder, "--output", data, "--side", 96)
            self.assertIn("31 photos to train on and 3 held out", prepared)
            self.assertIn("ccp: no archive, left out", prepared)
            self.assertEqual(np.load(data / "duts-tr-photos.npy", mmap_mode="r").shape, (24, 96, 96, 3))
            self.assertEqual(np.load(data / "eg1800-masks.npy").max(), 255)
            self.assertEqual(np.load(data / "dtd10-masks.npy").max(), 0)

            plan = ("--data", data, "--run", run, "--side", 64, "--last-side", 96, "--batch", 4, "--photos", 24)
            self.assertIn("Out of time", self.command("train", *plan, "--minutes", 0))
            resumed = self.command("train", *plan)
            self.assertIn("step 6/6", resumed)
            self.assertIn("validation MAE", resumed)
            self.assertIn("another plan", self.command("train", *plan, "--seed", 9, fails=True))
            self.command("train", *plan[:3], folder / "run2", *plan[4:], "--seed", 1, "--start", run / "weights.pt")

            self.command("mean", folder / "mean.pt", run / "weights.pt", folder / "run2" / "weights.pt",
                         "--data", data, "--photos", 24, "--side", 64)
            self.command("export", folder / "mean.pt", weights)
            refused = self.command("calibrate", run / "weights.pt", "--data", data, fails=True)
            self.assertIn("weights.pt is not a safetensors file", refused)
            calibrated = self.command("calibrate", weights, "--data", data, "--photos", 24, "--side", 64)
            self.assertIn("115 ranges from 24 photos", calibrated)
            self.command("reference", weights, folder / "reference.safetensors")
            validation = data / "validation"
            self.command("predict", validation / "photos", folder / "masks", "--weights", weights, "--side", 64)
            self.command("predict", validation / "photos", folder / "fp32", "--weights", weights, "--side", 64, "--fp32")
            masks = [[np.asarray(Image.open(folder / kind / f"{name}.png"), int) for name in held]
                     for kind in ("masks", "fp32")]
            self.assertGreater(np.abs(np.subtract(*masks)).max(), 0, "both were computed in the same way")
            self.assertGreater(np.corrcoef(*map(np.ravel, masks))[0, 1], 0.8)
            scores = self.command("evaluate", folder / "masks", validation / "masks", "--worst", 1)
            self.assertIn(f"n {len(held)}  MAE", scores)

            subjects, grounds = folder / "subjects", folder / "grounds"
            for kind in (subjects, grounds):
                kind.mkdir()
            for seed in range(8):
                drawn_pair(seed)[0].save(subjects / f"{seed}.png")
                drawn_ground(seed).save(grounds / f"{seed}.png")
            # Masks of the network trained here may fill the photo, for which no confidence can be fitted.
            fit = self.command("confidence", "--with", subjects, "--without", grounds, "--weights", SHIPPED)
            self.assertIn("threshold 0.5", fit)


if __name__ == "__main__":
    unittest.main()
