"""Which photos count as near duplicates, on drawn ones."""
import io
import tempfile
import unittest
from pathlib import Path

import numpy as np
from PIL import Image, ImageEnhance, ImageOps

from subjectnet.likeness import KnownPhotos, likeness_hashes
from tests.drawing import drawn_pair


class LikenessTest(unittest.TestCase):
    def setUp(self):
        self.photo = drawn_pair(1)[0]
        self.known = KnownPhotos()
        self.known.add(likeness_hashes(self.photo))

    def assert_known(self, photo, expected=True):
        self.assertEqual(self.known.has_like(likeness_hashes(photo)), expected)

    def test_copies_are_found(self):
        data = io.BytesIO()
        self.photo.save(data, "JPEG", quality=40)
        self.assert_known(Image.open(data))
        self.assert_known(self.photo.resize((150, 90)))
        self.assert_known(ImageEnhance.Brightness(self.photo).enhance(0.4))
        self.assert_known(self.photo.convert("L"))

    def test_mirror_image_is_found(self):
        self.assert_known(ImageOps.mirror(self.photo))

    def test_other_photos_are_not_found(self):
        self.assert_known(ImageOps.flip(self.photo), expected=False)
        for seed in range(2, 30):
            self.assert_known(drawn_pair(seed)[0], expected=False)

    def test_twelve_bits_may_differ(self):
        own, _ = likeness_hashes(self.photo)
        for bits in (12, 13):
            other = own ^ np.array([0, 0, 2**bits - 1, 0], np.uint64)
            self.assertEqual(self.known.has_like((other, ~own)), bits == 12)

    def test_photos_of_a_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaisesRegex(ValueError, f"{folder} has no pictures"):
                KnownPhotos.of_folder(folder)
            for seed in range(1, 4):
                drawn_pair(seed)[0].save(Path(folder) / f"{seed}.jpg")
            self.known = KnownPhotos.of_folder(folder)
        for seed in range(1, 5):
            self.assert_known(drawn_pair(seed)[0], expected=seed < 4)


if __name__ == "__main__":
    unittest.main()
