"""The kinds of pictures for the confidence: equal for equal seeds, pieces with and without their subject, no copies."""
import hashlib
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np
from PIL import Image, ImageOps

from subjectnet import lettering, selection
from subjectnet.documents import document
from subjectnet.likeness import KnownPhotos, likeness_hashes
from subjectnet.patterns import pattern
from subjectnet.pieces import (
    KEPT, SIDES, SMALLEST_SHARE, background, crop_through, cut, free_rectangles)
from subjectnet.screenshots import screenshot
from subjectnet.skies import sky
from tests.drawing import drawn_ground, drawn_pair

HOME = Path(__file__).parents[1]


def box_of(mask, box):
    left, top, right, bottom = box
    return mask[top:bottom, left:right]


class PiecesTest(unittest.TestCase):
    def test_crops_cut_through_the_subject(self):
        found = 0
        for seed in range(20):
            mask = np.asarray(drawn_pair(seed, 128)[1])
            if box := crop_through(mask, np.random.default_rng(seed)):
                found += 1
                kept = box_of(mask, box)
                self.assertTrue(KEPT[0] <= kept.sum() / mask.sum() <= KEPT[1])
                self.assertGreaterEqual(kept.mean(), SMALLEST_SHARE)
                self.assertGreater(cut(mask, box), 0)
        self.assertGreater(found, 15)

    def test_a_subject_at_the_border_of_the_photo_is_not_cut(self):
        mask = np.zeros((10, 10), bool)
        mask[2:6, :5] = True
        self.assertEqual(cut(mask, (0, 0, 10, 10)), 0)
        self.assertEqual(cut(mask, (0, 0, 5, 6)), 0)
        self.assertEqual(cut(mask, (0, 0, 4, 10)), 4)
        self.assertEqual(cut(mask, (1, 3, 4, 10)), 4 - 1 + 4 - 1 + 3)

    def test_free_rectangles_include_the_largest(self):
        dice = np.random.default_rng(1)
        for _ in range(20):
            mask = dice.random((6, 7)) < 0.3
            boxes = [(left, top, right, bottom) for left in range(7) for right in range(left + 1, 8)
                     for top in range(6) for bottom in range(top + 1, 7)]
            free = {box for box in boxes if not box_of(mask, box).any()}
            found = [box for box in free_rectangles(mask) if box[3] > box[1] and box[2] > box[0]]
            self.assertLessEqual(set(found), free)
            self.assertEqual(*(max((r - l) * (b - t) for l, t, r, b in some) for some in (found, free)))

    def test_backgrounds_keep_a_margin_to_the_subject(self):
        mask = np.zeros((100, 200), bool)
        mask[40:60, 40:50] = True
        self.assertEqual(background(mask), (58, 0, 200, 100))
        mask[:, :200 - int(SIDES[0] * 200)] = True
        self.assertIsNone(background(mask))


class DrawnTest(unittest.TestCase):
    def test_every_kind_is_drawn(self):
        for draw, kinds in ((document, 5), (screenshot, 5), (sky, 6), (pattern, 7)):
            for number in range(kinds):
                with self.subTest(draw=draw.__name__, number=number):
                    picture = draw(number, np.random.default_rng(number))
                    self.assertGreaterEqual(min(picture.size), 256)
                    self.assertGreater(np.asarray(picture).std(), 4)

    def test_lines_are_as_wide_as_they_may_be(self):
        letters = lettering.font(None, 12)
        text = lettering.prose(np.random.default_rng(1), 8)
        found = lettering.lines(text, letters, 150)
        self.assertEqual(" ".join(found), text)
        for line, following in zip(found, found[1:], strict=False):
            self.assertLessEqual(letters.getlength(line), 150)
            self.assertGreater(letters.getlength(f"{line} {following.split()[0]}"), 150)


class SelectionTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def add(self, path, photo):
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        photo.save(file)

    def test_photos_like_a_known_one_are_not_chosen(self):
        for seed in range(1, 9):
            self.add(f"{seed}.png", drawn_pair(seed)[0])
        self.add("copy.png", ImageOps.mirror(drawn_pair(3)[0]))
        known = KnownPhotos()
        known.add(likeness_hashes(drawn_pair(5)[0].resize((90, 90))))
        found = selection.chosen(self.folder, 20, known, seed=1)
        self.assertEqual({int(file.stem.replace("copy", "3")) for file in found}, {1, 2, 3, 4, 6, 7, 8})
        self.assertEqual(len(found), 7)
        self.assertEqual(selection.chosen(self.folder, 3, KnownPhotos(), seed=1)[:2], found[:2])
        with self.assertRaisesRegex(ValueError, "has no photos"):
            selection.chosen(self.folder / "missing", 1, known, seed=1)

    def test_the_command_writes_a_folder_for_each_kind(self):
        for seed, name in ((1, "1"), (4, "4")):
            for kind, picture in zip(("photos", "masks"), drawn_pair(seed, 128), strict=True):
                self.add(f"data/validation/{kind}/{name}.png", picture)
        for number, name in enumerate(name for names in selection.SCENES.values() for name in names):
            for seed in (0, 1):
                self.add(f"scenes/data/test/{name}/{seed}.jpg", drawn_ground(2 * number + seed))
        self.add("trained/1.jpg", Image.open(self.folder / "scenes/data/test/Forest/0.jpg"))
        self.add("crowds/ShanghaiTech/a/1.jpg", drawn_ground(100))
        self.add("crowds/ShanghaiTech/b/1.jpg", drawn_ground(101))
        results = [self.run_command(name) for name in ("first", "second")]
        self.assertEqual(*results)
        names = {path.partition("/")[0] for path in results[0]}
        self.assertEqual(names, {"crops", "backgrounds", "documents", "screenshots", "skies", "patterns", "crowds",
                                 *selection.SCENES})
        self.assertLessEqual({"crops/1.png", "crops/4.png", "backgrounds/1.png", "backgrounds/4.png"}, results[0].keys())
        self.assertIn("landscapes/data-test-Forest-1.jpg", results[0])
        self.assertNotIn("landscapes/data-test-Forest-0.jpg", results[0])
        self.assertIn("crowds/ShanghaiTech-b-1.jpg", results[0])

    def run_command(self, name):
        """The written files by their hashes."""
        output = self.folder / name
        subprocess.run(
            [sys.executable, HOME / "kinds.py", output, "--data", self.folder / "data", "--limit", "2",
             "--scenes", self.folder / "scenes", "--crowds", self.folder / "crowds",
             "--without", self.folder / "trained"], check=True, capture_output=True)
        return {str(file.relative_to(output)): hashlib.sha256(file.read_bytes()).hexdigest()
                for file in output.rglob("*") if file.is_file()}


if __name__ == "__main__":
    unittest.main()
