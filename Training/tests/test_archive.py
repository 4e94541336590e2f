"""Archives of drawn pictures, in folders like the clones of the origins."""
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import cv2
import numpy as np
from PIL import Image, ImageOps

from subjectnet.archiving import UNUSABLE_MASK, write_archives
from subjectnet.dataset import prepare
from subjectnet.masks import GROUND, PET
from subjectnet.origins import ORIGINS
from subjectnet.sources import SOURCES
from tests.drawing import drawn_pair

HOME = Path(__file__).parents[1]

# A photo and its mask in each origin's clones, and the photo's name in the archive.
PLACES = {
    "people5679": ("people_segmentation/images/a b.c.jpg", "people_segmentation/masks/a b.c.png", "a b.c.jpg"),
    "pets128": ("data/train/images/7.png", "data/train/masks/7.png", "train-7.png"),
    "picsart": ("data/valid/7.jpg", "data/valid_mask/7.png", "valid-7.jpg"),
    "butterflies": ("dataset/butterflies/images/0010001.png", "dataset/butterflies/segmentations/0010001_seg0.png",
                    "0010001.png"),
    "flowers": ("source/data/images_256/image_0080.jpg", "source/data/labels_256/image_0080.png", "0080.jpg"),
    "sod300": ("BSDS500/data/images/val/3096.jpg", "tools/GroundTruth/SOD/3096.png", "3096.jpg"),
    "carparts": ("dataset/test/images/7.png", "dataset/test/labels/7.png", "test-7.png"),
    "davis": ("DAVIS/JPEGImages/480p/camel/00008.jpg", "DAVIS/Annotations/480p/camel/00008.png", "camel-00008.jpg"),
}


class ArchiveTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        self.output = self.folder / "archives"

    def clones(self, name):
        """Folders for an origin's clones: that of the photos, and that of the masks."""
        return [self.folder / name / str(number) for number in range(len(ORIGINS[name].repositories))]

    def add(self, name, photo_path, mask_path, photo, mask):
        clones = self.clones(name)
        labels = np.asarray(mask).astype(np.uint8)
        if name == "pets128":
            labels = np.where(labels, PET, GROUND).astype(np.uint8)
        for file, picture in ((clones[0] / photo_path, photo), (clones[-1] / mask_path, Image.fromarray(labels))):
            file.parent.mkdir(parents=True, exist_ok=True)
            picture.save(file)

    def add_person(self, stem, photo, mask):
        folder = "people_segmentation"
        self.add("people5679", f"{folder}/images/{stem}.jpg", f"{folder}/masks/{stem}.png", photo, mask)

    def members(self, name):
        with tarfile.open(self.output / name) as archive:
            return archive.getnames()

    def write(self, name, without=()):
        return write_archives(ORIGINS[name], self.clones(name), self.output, without)

    def test_every_origin_is_a_source(self):
        self.assertLessEqual(ORIGINS.keys(), {source.name for source in SOURCES})
        self.assertEqual(ORIGINS.keys(), PLACES.keys())

    def test_from_clones_to_arrays(self):
        for seed, (name, (photo_path, mask_path, _)) in enumerate(PLACES.items()):
            self.add(name, photo_path, mask_path, *drawn_pair(seed))
            command = [sys.executable, HOME / "archive.py", name, *self.clones(name), "--output", self.output]
            if name in ("people5679", "sod300"):  # the command takes a second to start
                self.assertIn("1 photos in", subprocess.run(command, capture_output=True, text=True, check=True).stdout)
            else:
                self.assertEqual(self.write(name), (1, {}))
            member = PLACES[name][2]
            self.assertEqual(self.members(f"{name}.tar"), [member])
            self.assertEqual(self.members(f"{name}-masks.tar"), [f"{Path(member).stem}.png"])
            with tarfile.open(self.output / f"{name}.tar") as archive:
                kept = archive.extractfile(member).read()
            self.assertEqual(kept, (self.clones(name)[0] / photo_path).read_bytes())
        training, _ = prepare(self.output, self.folder / "data", 128)
        self.assertEqual(training, dict.fromkeys(PLACES, 1))
        for seed, name in enumerate(PLACES):
            mask = np.load(self.folder / "data" / f"{name}-masks.npy")[0] > 127
            drawn = np.asarray(drawn_pair(seed)[1].resize((128, 128)))
            self.assertGreater((mask & drawn).sum() / (mask | drawn).sum(), 0.95, name)

    def test_only_chosen_flowers_and_frames(self):
        for seed, number in enumerate((80, 81, 320, 321)):
            self.add("flowers", f"source/data/images_256/image_{number:04}.jpg",
                     f"source/data/labels_256/image_{number:04}.png", *drawn_pair(seed))
        for frame in range(10):
            self.add("davis", f"DAVIS/JPEGImages/480p/cows/{frame:05}.jpg",
                     f"DAVIS/Annotations/480p/cows/{frame:05}.png", *drawn_pair(10 + frame))
        self.write("flowers")
        self.write("davis")
        self.assertEqual(self.members("flowers.tar"), ["0080.jpg", "0321.jpg"])
        self.assertEqual(self.members("davis.tar"), ["cows-00000.jpg", "cows-00008.jpg"])

    def test_small_and_large_subjects_are_left_out(self):
        for seed, side in enumerate((9, 11, 94, 96)):  # of 100: .81, 1.21, 88.4 and 92.2 %
            mask = np.zeros((100, 100), bool)
            mask[:side, :side] = True
            self.add_person(str(side), drawn_pair(seed, 100)[0], mask)
        self.assertEqual(self.write("people5679"), (2, {"subject too small or too large": 2}))
        self.assertEqual(self.members("people5679.tar"), ["11.jpg", "94.jpg"])

    def test_mask_of_another_size_is_left_out(self):
        self.add_person("odd", drawn_pair(0, 90)[0], drawn_pair(0, 100)[1])
        self.add_person("good", *drawn_pair(1))
        self.assertEqual(self.write("people5679"), (1, {UNUSABLE_MASK: 1}))

    def test_run_without_a_good_photo_fails(self):
        self.output.mkdir()
        self.add_person("odd", drawn_pair(0, 90)[0], drawn_pair(0, 100)[1])
        with self.assertRaisesRegex(ValueError, f"people5679: no photo is left of 1 .*{UNUSABLE_MASK}: 1"):
            self.write("people5679")
        self.assertEqual(list(self.output.iterdir()), [])

    def test_near_duplicates_are_left_out(self):
        tested = self.folder / "tested"
        tested.mkdir()
        for seed in range(3):
            self.add_person(f"{seed}", *drawn_pair(seed))
        self.add_person("3", *map(ImageOps.mirror, drawn_pair(1)))
        drawn_pair(2)[0].resize((200, 200)).save(tested / "test.png")
        kept, left_out = self.write("people5679", [tested])
        self.assertEqual((kept, left_out), (2, {"like one of the same source": 1, f"like one of {tested}": 1}))
        self.assertEqual(self.members("people5679.tar"), ["0.jpg", "1.jpg"])

    def test_near_duplicates_of_archived_photos_are_left_out(self):
        self.add("picsart", *PLACES["picsart"][:2], *drawn_pair(1))
        self.write("picsart")
        for seed in range(2):
            self.add_person(f"{seed}", *drawn_pair(seed))
        archives = sorted(self.output.iterdir())
        self.assertEqual(self.write("people5679", archives), (1, {f"like one of {self.output / 'picsart.tar'}": 1}))
        self.assertEqual(self.members("people5679.tar"), ["0.jpg"])

    def test_the_same_photos_give_the_same_archives(self):
        contents = []
        for _ in range(2):
            shutil.rmtree(self.folder / "pets128", ignore_errors=True)
            for seed in (1, 0):
                self.add("pets128", f"data/test/images/{seed}.png", f"data/test/masks/{seed}.png",
                         *drawn_pair(seed, 128))
            self.write("pets128")
            contents.append({file.name: file.read_bytes() for file in self.output.iterdir()})
        self.assertEqual(contents[0].keys(), {"pets128.tar", "pets128-masks.tar"})
        self.assertEqual(contents[0], contents[1])

    def test_command_fails_without_a_traceback(self):
        command = [sys.executable, HOME / "archive.py", "sod300", *self.clones("sod300"), "--output", self.output]
        run = subprocess.run(command, capture_output=True, text=True)
        self.assertRegex(run.stderr, "^sod300: no photos with masks")

    def test_pictures_that_cannot_be_used_are_named(self):
        self.add_person("odd", *drawn_pair(0))
        photo, mask = (self.clones("people5679")[0] / f"people_segmentation/{name}"
                       for name in ("images/odd.jpg", "masks/odd.png"))
        good = photo.read_bytes()
        for damaged in (b"version 1", good[:len(good) // 2]):
            photo.write_bytes(damaged)
            self.assert_refused(f"{photo} or its mask {mask} cannot be used")
        photo.write_bytes(good)
        with mock.patch("PIL.Image.MAX_IMAGE_PIXELS", 256 * 256 // 3):
            self.assert_refused(f"{photo} or its mask {mask} cannot be used .DecompressionBombError")
        with mock.patch("subjectnet.opening.LARGEST_PICTURE", 256 * 256 - 1):
            self.assert_refused("256x256 is over the limit of 65,535 pixels")
        with mock.patch("subjectnet.opening.LARGEST_PICTURE", 256 * 256):
            self.assertEqual(self.write("people5679"), (1, {}))
        for kind in (ValueError, SyntaxError, cv2.error):
            with mock.patch("subjectnet.archiving.hashes_of", side_effect=kind("damaged")):
                self.assert_refused(f"{photo} or its mask {mask} cannot be used")

    def assert_refused(self, message):
        with self.assertRaisesRegex(ValueError, message):
            self.write("people5679")
        self.assertFalse(list(self.output.glob(".*")))



if __name__ == "__main__":
    unittest.main()
