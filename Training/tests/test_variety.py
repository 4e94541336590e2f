"""Training data: sources by their shares, other backgrounds and views, equal for equal seeds."""
import itertools
import tempfile
import unittest
from pathlib import Path

import numpy as np
import torch

from subjectnet import augmentation, variety
from subjectnet.batches import Batches, Chances
from subjectnet.dataset import prepare
from subjectnet.mixture import Mixture
from subjectnet.sources import Source
from tests.drawing import drawn_ground, drawn_pair, packed


def drawn_arrays(seed, side=96):
    photo, mask = drawn_pair(seed, side)
    return np.asarray(photo), np.asarray(mask.convert("L"))


class MixtureTest(unittest.TestCase):
    def mixture(self):
        return Mixture([(Source("a", 0.6), range(7), None), (Source("b", 0.2), range(5), None)], seed=3)

    def test_every_row_is_drawn_once_before_any_is_repeated(self):
        places = self.mixture().draw(400, np.random.default_rng(1))
        for source, length in ((0, 7), (1, 5)):
            rows = [row for s, row in places if s == source]
            self.assertGreater(len(rows), 2 * length)
            for start in range(0, len(rows) - length, length):
                self.assertEqual(sorted(rows[start:start + length]), list(range(length)))

    def test_shares_are_scaled_to_the_present_sources(self):
        places = self.mixture().draw(4000, np.random.default_rng(1))
        self.assertAlmostEqual(sum(source == 0 for source, _ in places) / 4000, 0.75, delta=0.03)


class BatchesTest(unittest.TestCase):
    def test_a_resumed_stream_equals_the_uninterrupted_one_for_any_number_of_threads(self):
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            packed(folder, [f"drawn-{n}" for n in range(12)])
            prepare(folder, folder / "data", 64)
            every = Chances(pasted=0.5, compressed=0.5, dimmed=0.5)
            whole = list(itertools.islice(Batches(folder / "data", 5, 8, chances=every), 6))
            rest = list(itertools.islice(
                Batches(folder / "data", 5, 8, step=3, drawn=whole[2].drawn, workers=3, chances=every), 3))
            for one, other in zip(whole[3:], rest, strict=True):
                self.assertTrue((one.photos == other.photos).all() and (one.masks == other.masks).all())
                self.assertEqual(one.drawn, other.drawn)


class VarietyTest(unittest.TestCase):
    def test_a_pasted_subject_keeps_its_colors_and_the_rest_is_the_other_photo(self):
        ground = np.asarray(drawn_ground(5, 96))
        for seed in range(20):
            photo, mask = drawn_arrays(seed)
            pasted, placed = variety.pasted(photo, mask, ground, np.random.default_rng(seed))
            outside = (pasted == ground).all(2) | (pasted == ground[:, ::-1]).all(2)
            self.assertGreater(outside[placed == 0].mean(), 0.9)
            color, ours = photo[mask == 255].mean(0), pasted[placed == 255].mean(0)
            self.assertLess(np.abs(ours / color - 1).max(), 0.4)

    def test_a_whole_subject_moves_within_the_picture_and_a_cut_one_stays(self):
        whole = np.zeros((96, 96), np.uint8)
        whole[30:60, 20:50] = 255
        places = set()
        for seed in range(20):
            _, mask = variety.moved(np.zeros((96, 96, 3), np.uint8), whole, np.random.default_rng(seed))
            self.assertFalse(variety.touches_border(mask))
            self.assertGreater((mask > 127).sum(), 150)
            places.add(tuple(np.argwhere(mask > 127)[0]))
        self.assertGreater(len(places), 10)
        cut = np.zeros((96, 96), np.uint8)
        cut[60:, 20:50] = 255
        _, mask = variety.moved(np.zeros((96, 96, 3), np.uint8), cut, np.random.default_rng(1))
        self.assertIs(mask, cut)

    def test_artefacts_and_low_light_keep_the_size(self):
        photo, _ = drawn_arrays(1)
        dice = np.random.default_rng(2)
        squeezed, dark = variety.compressed(photo, dice), variety.dimmed(photo, dice)
        self.assertEqual({squeezed.shape, dark.shape}, {photo.shape})
        self.assertGreater(np.abs(squeezed.astype(int) - photo).mean(), 0.5)
        self.assertLess(dark.mean(), 0.6 * photo.mean())


class AugmentationTest(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(4)
        pairs = [drawn_arrays(seed) for seed in range(40)]
        self.photos, self.masks = (torch.from_numpy(np.stack(arrays)).float() / 255 for arrays in zip(*pairs))
        self.photos, self.masks = self.photos.permute(0, 3, 1, 2), self.masks[:, None]

    def test_photo_and_mask_stay_together(self):
        photos, masks = augmentation.viewed(self.photos, self.masks, 64)
        self.assertEqual((photos.shape, masks.shape), ((40, 3, 64, 64), (40, 1, 64, 64)))
        bright = photos.mean(1, keepdim=True) > 0.45
        self.assertGreater((bright == (masks > 0.5)).float().mean(), 0.97)

    def test_the_center_is_that_of_the_subject(self):
        mask = torch.zeros(1, 1, 100, 100)
        mask[..., 20:40, 70:90] = 1
        along, down = augmentation.centers(mask)
        self.assertAlmostEqual(along.item(), 0.6, places=5)
        self.assertAlmostEqual(down.item(), -0.4, places=5)

    def test_light_and_quality_stay_within_range(self):
        photos = augmentation.roughened(augmentation.relit(self.photos))
        self.assertTrue(((photos >= 0) & (photos <= 1)).all())
        self.assertFalse(torch.equal(photos, self.photos))


if __name__ == "__main__":
    unittest.main()
