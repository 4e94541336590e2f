"""The measures on masks whose figures are known."""
import unittest

import numpy as np

from subjectnet.measures import inner_band, picture_score, set_score


def rectangle(rows, columns, shape=(100, 120)):
    truth = np.zeros(shape, bool)
    truth[slice(*rows), slice(*columns)] = True
    return truth


def scored(mask, truth):
    return set_score([picture_score(mask, truth)])


class MeasuresTest(unittest.TestCase):
    def test_a_perfect_mask(self):
        truth = rectangle((20, 60), (30, 90))
        score = scored(truth * np.uint8(255), truth)
        self.assertEqual((score.mae, score.overlap, score.boundary_overlap), (0, 1, 1))
        self.assertAlmostEqual(score.max_f, 1)
        self.assertAlmostEqual(score.structure, 1, places=6)

    def test_the_opposite_of_the_truth(self):
        truth = rectangle((20, 60), (30, 90))
        score = scored(~truth * np.uint8(255), truth)
        self.assertEqual((score.mae, score.overlap, score.structure), (1, 0, 0))

    def test_half_of_the_subject_moved_away(self):
        truth, mask = rectangle((20, 60), (30, 70)), rectangle((20, 60), (50, 90))
        score = scored(mask * np.uint8(255), truth)
        self.assertAlmostEqual(score.mae, 2 * 40 * 20 / 12000)
        self.assertAlmostEqual(score.overlap, 1 / 3)
        self.assertAlmostEqual(score.max_f, 0.5)

    def test_the_best_threshold_finds_a_faint_subject(self):
        truth = rectangle((20, 60), (30, 70))
        score = scored(np.where(truth, 40, 10).astype(np.uint8), truth)
        self.assertAlmostEqual(score.max_f, 1)
        self.assertEqual(score.overlap, 0)

    def test_the_band_lies_inside_the_shape_and_along_the_border_of_the_picture(self):
        shape = rectangle((0, 40), (30, 90))
        self.assertTrue((inner_band(shape, 3) == (shape & ~rectangle((3, 37), (33, 87)))).all())

    def test_no_subject_in_the_truth(self):
        score = picture_score(np.full((20, 20), 51, np.uint8), np.zeros((20, 20), bool))
        self.assertAlmostEqual(score.mae, 0.2)
        self.assertAlmostEqual(score.structure, 0.8)
        self.assertIsNone(score.precision)


if __name__ == "__main__":
    unittest.main()
