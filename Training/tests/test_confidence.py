"""The confidence's measurements on masks whose figures are known, and a fit that recovers known constants."""
import math
import unittest

import numpy as np

from subjectnet.confidence import REFUSED_WHEN_FITTED, certainty, confidence, decidedness, fitted, logistic_fit


class ConfidenceTest(unittest.TestCase):
    def test_certainty_is_that_of_the_most_certain_spot(self):
        mask = np.full((352, 352), 0.2)
        mask[80:88, 160:168] = 0.9
        self.assertAlmostEqual(certainty(mask), math.log(9))
        mask[0, 0] = 1
        self.assertAlmostEqual(certainty(mask), math.log(9))

    def test_smeared_masks_and_masks_that_fill_the_photo_are_not_decided(self):
        disc = np.zeros((352, 352))
        disc[100:200, 100:200] = 1
        self.assertEqual(decidedness(disc), 1)
        self.assertEqual(decidedness(np.ones((352, 352))), 0)
        self.assertLess(decidedness(np.maximum(disc, 0.45)), 0.5)

    def test_a_fit_separates_and_its_threshold_refuses_the_requested_share(self):
        dice = np.random.default_rng(1)
        subjects, others = dice.normal(6, 2, 4000), dice.normal(-2, 3, 900)
        slope, bias = logistic_fit([(subjects, True), (others, False)])
        self.assertGreater(slope, 0)
        self.assertTrue(-4 < bias / slope < 0)
        slope, bias = fitted([(subjects, np.ones(4000))], [(others, np.ones(900))])
        refused = (confidence(subjects, np.ones(4000), slope, bias) < 0.5).mean()
        self.assertAlmostEqual(refused, REFUSED_WHEN_FITTED, places=3)


if __name__ == "__main__":
    unittest.main()
