"""A photo becomes the network's input as stickerd makes it."""
import unittest

import numpy as np
from PIL import Image

from subjectnet.pictures import network_bytes


class PicturesTest(unittest.TestCase):
    def test_each_axis_is_averaged_or_enlarged_by_itself(self):
        photo = np.random.default_rng(1).integers(0, 256, (8, 24, 3), dtype=np.uint8)
        for turned in (False, True):
            rows = photo.transpose(1, 0, 2) if turned else photo
            small = network_bytes(Image.fromarray(rows), 8)[0].permute(1, 2, 0).numpy()
            means = photo.reshape(8, 8, 3, 3).mean(2)  # of three neighbors each
            self.assertLessEqual(np.abs((small.transpose(1, 0, 2) if turned else small) - means).max(), 0.51)
