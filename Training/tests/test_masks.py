"""How masks are made of annotations, on drawn ones."""
import unittest

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from subjectnet.masks import FLOWER, GROUND, PET, UNDECIDED, decided, marked, unframed, whole_flower
from tests.drawing import drawn_pair


def overlap(one, other):
    return (one & other).sum() / (one | other).sum()


class MasksTest(unittest.TestCase):
    def setUp(self):
        self.photo, mask = drawn_pair(3)
        self.subject = np.asarray(mask)

    def labeled(self, plane):
        return Image.fromarray(plane.astype(np.uint8))

    def test_any_mark_is_the_subject(self):
        parts = np.zeros((*self.subject.shape, 4), np.uint8)
        parts[..., 3] = 255
        parts[self.subject] = (0, 0, 1, 255)
        parts[:128][self.subject[:128]] = (255, 2, 4, 255)
        for annotation in (self.labeled(self.subject), self.labeled(self.subject * 255), Image.fromarray(self.subject),
                           Image.fromarray(parts)):
            np.testing.assert_array_equal(marked(self.photo, annotation), self.subject)

    def test_transparent_pixels_are_not_the_subject(self):
        cut_out = np.full((*self.subject.shape, 4), 255, np.uint8)
        cut_out[~self.subject, 3] = 0
        palette = self.labeled(self.subject + 1)
        palette.putpalette([255] * 9)
        palette.info["transparency"] = 1
        for annotation in (Image.fromarray(cut_out), Image.fromarray(cut_out).convert("LA"), palette):
            np.testing.assert_array_equal(marked(self.photo, annotation), self.subject)

    def test_frame_and_specks_are_not_the_subject(self):
        annotation = self.labeled(self.subject * 255)
        draw = ImageDraw.Draw(annotation)
        draw.rectangle((0, 0, 255, 255), outline=255, width=2)
        draw.rectangle((240, 240, 245, 245), fill=255)
        np.testing.assert_array_equal(unframed(self.photo, annotation), self.subject)

    def test_a_subject_at_the_border_stays_whole(self):
        annotation = Image.new("L", (256, 256))
        ImageDraw.Draw(annotation).ellipse((100, -50, 200, 90), fill=255)
        np.testing.assert_array_equal(unframed(self.photo, annotation), np.asarray(annotation) > 0)

    def test_flower_without_specks_and_holes(self):
        labels = np.where(self.subject, FLOWER, 2)
        clean = whole_flower(self.photo, self.labeled(labels))
        self.assertGreater(overlap(clean, self.subject), 0.99)
        rows, columns = (int(axis.mean()) for axis in np.nonzero(self.subject))
        labels[rows - 8:rows + 8, columns - 8:columns + 8] = 3  # a bee
        labels[2:6, 2:6] = FLOWER
        np.testing.assert_array_equal(whole_flower(self.photo, self.labeled(labels)), clean)

    def test_flower_in_pieces_is_refused(self):
        labels = np.zeros((256, 256))
        self.assertIsNone(whole_flower(self.photo, self.labeled(labels)))
        stripes = labels.copy()
        stripes[:, np.arange(256) % 40 < 20] = FLOWER
        self.assertIsNone(whole_flower(self.photo, self.labeled(stripes)))
        labels[:60, :60] = FLOWER
        self.assertIsNotNone(whole_flower(self.photo, self.labeled(labels)))
        specks = np.arange(256) % 16 < 4
        labels[np.ix_(specks & (np.arange(256) > 100), specks)] = FLOWER
        self.assertIsNone(whole_flower(self.photo, self.labeled(labels)))

    def test_undecided_band_is_cut_by_color(self):
        mask = self.labeled(self.subject * 255)
        inner = np.asarray(mask.filter(ImageFilter.MinFilter(7))) > 0
        outer = np.asarray(mask.filter(ImageFilter.MaxFilter(23))) > 0
        labels = np.select([inner, outer], [PET, UNDECIDED], GROUND)
        # Two balls of the pet's color elsewhere: one undecided, one decided.
        row, column = (int(axis.mean()) for axis in np.nonzero(self.subject))
        for left in (5, 235):
            box = (left, 235, left + 15, 250)
            ImageDraw.Draw(self.photo).ellipse(box, fill=self.photo.getpixel((column, row)))
        labels[230:255, 230:255] = UNDECIDED
        labels[240:246, 10:16] = PET
        cut = decided(self.photo, self.labeled(labels))
        drawn = np.asarray(mask.resize(cut.shape[::-1])) > 127
        self.assertLess(overlap(outer, self.subject), 0.8)
        self.assertGreater(overlap(cut, drawn), 0.98)
        self.assertFalse(cut[170:, 170:].any())
        self.assertTrue(cut[170:, :20].any())
        np.testing.assert_array_equal(decided(self.photo, self.labeled(labels)), cut)

    def test_trimap_without_pet_or_ground_is_refused(self):
        for label in (PET, GROUND, UNDECIDED):
            self.assertIsNone(decided(self.photo, self.labeled(np.full((256, 256), label))))


if __name__ == "__main__":
    unittest.main()
