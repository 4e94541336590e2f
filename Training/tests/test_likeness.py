"""Which photos count as near duplicates, on drawn ones."""
import io
import tarfile
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import numpy as np
from PIL import Image, ImageEnhance, ImageOps

from subjectnet.likeness import KnownPhotos, likeness_hashes
from tests.drawing import append, drawn_pair


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
                KnownPhotos.of(folder)
            for seed in range(1, 4):
                drawn_pair(seed)[0].save(Path(folder) / f"{seed}.jpg")
            drawn_pair(4)[0].save(Path(folder) / "1.png")  # another photo with the name of the first
            self.known = KnownPhotos.of(folder)
        for seed in range(1, 6):
            self.assert_known(drawn_pair(seed)[0], expected=seed < 5)

    def test_photos_of_an_archive(self):
        with tempfile.TemporaryDirectory() as folder:
            names = [Path(folder) / name for name in ("eg.tar.gz", "eg-masks.tar.gz", "texts.tar", "damaged.tar")]
            for name, members in zip(names, (("photos/1.png", "masks/2.png"), ("2.png",), ("1.txt",)), strict=False):
                with tarfile.open(name, "w:gz") as archive:
                    for member in members:
                        append(archive, member, drawn_pair(int(Path(member).stem))[0], "PNG")
            names[-1].write_text("version 1")
            self.known = KnownPhotos.of(names[0])
            self.assert_known(drawn_pair(1)[0])
            self.assert_known(drawn_pair(2)[0], expected=False)
            self.assertEqual(len(KnownPhotos.of(names[1]).hashes), 0)
            for name, message in ((names[2], "has no pictures"), (names[3], "neither a folder nor a tar archive")):
                with self.assertRaisesRegex(ValueError, f"{name} .*{message}"):
                    KnownPhotos.of(name)

    def test_damaged_and_huge_photos_are_named(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "damaged.jpg").write_text("version 1")
            with self.assertRaisesRegex(ValueError, f"{folder}/damaged.jpg cannot be read"):
                KnownPhotos.of(folder)
            with tarfile.open(Path(folder) / "own.tar", "w") as archive:
                archive.add(Path(folder) / "damaged.jpg", "in/damaged.jpg")
            with self.assertRaisesRegex(ValueError, f"{folder}/own.tar: in/damaged.jpg cannot be read"):
                KnownPhotos.of(Path(folder) / "own.tar")
            self.photo.save(Path(folder) / "damaged.jpg")
            with (mock.patch("subjectnet.opening.LARGEST_PICTURE", 256 * 256 - 1),
                  self.assertRaisesRegex(ValueError, f"{folder}/damaged.jpg cannot .*256x256 is over the limit")):
                KnownPhotos.of(folder)


if __name__ == "__main__":
    unittest.main()
