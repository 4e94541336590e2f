"""Ranges are those of the training photos, and nothing else in the file changes."""
import json
import tempfile
import unittest
from pathlib import Path

import numpy as np

from subjectnet import weightsfile
from subjectnet.calibration import calibrate, chosen_photos, measured_ranges
from subjectnet.graph import exported
from subjectnet.interpreter import SubjectFile
from subjectnet.pictures import network_bytes
from tests.drawing import drawn_pair
from tests.test_export import lively_network

SIDE = 64


class CalibrationTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        self.path = self.folder / "subject.safetensors"
        graph, output = exported(lively_network())
        graph.write(self.path, output)
        for name, seeds in (("duts-tr", range(6)), ("eg1800", range(10, 12))):
            pairs = [[np.asarray(picture) for picture in drawn_pair(seed, SIDE)] for seed in seeds]
            for kind, rows in zip(("photos", "masks"), zip(*pairs)):
                np.save(self.folder / f"{name}-{kind}.npy", np.stack(rows).astype(np.uint8))

    def stored(self, name):
        return [row.tobytes() for row in np.load(self.folder / f"{name}-photos.npy")]

    def test_the_same_photos_of_every_source_are_chosen_each_time(self):
        chosen = [photo.tobytes() for photo in chosen_photos(self.folder, 5)]
        self.assertEqual(chosen, [photo.tobytes() for photo in chosen_photos(self.folder, 5)])
        self.assertEqual(len(set(chosen)), 5)
        self.assertEqual([photo in self.stored("eg1800") for photo in chosen], [False, True, False, True, False])
        self.assertEqual(len(list(chosen_photos(self.folder, 100))), 8, "there are no more")

    def test_ranges_contain_all_numbers_of_the_photos(self):
        network = SubjectFile(self.path)
        photos = list(chosen_photos(self.folder, 3))
        runs = [network.values_of(network_bytes(photo, SIDE)) for photo in photos]
        ranges = measured_ranges(network, photos, SIDE)
        for operation in network.operations:
            name = operation["out"]
            if name in ranges and operation["op"] != "upsample2x":
                expected = (min(0, *(run[name].min().item() for run in runs)), max(run[name].max().item() for run in runs))
                np.testing.assert_allclose(ranges[name], expected, rtol=1e-5, err_msg=name)
        self.assertIn(-1, [np.sign(low) for low, _ in ranges.values()])

    def test_the_values_from_the_last_convolution_on_have_none(self):
        network = SubjectFile(self.path)
        names = [operation["out"] for operation in network.operations]
        ranges = measured_ranges(network, chosen_photos(self.folder, 1), SIDE)
        self.assertEqual(list(ranges), names[:-3])
        for operation in network.operations[:-3]:
            if operation["op"] == "upsample2x":
                self.assertEqual(ranges[operation["out"]], ranges[operation["in"]])

    def test_the_rest_of_the_file_stays(self):
        before, body = weightsfile.split(self.path)
        body = bytes(body)
        ranges = calibrate(self.path, self.folder, 2, SIDE)
        after, kept = weightsfile.split(self.path)
        self.assertEqual(bytes(kept), body)
        self.assertEqual(json.loads(after["__metadata__"].pop("ranges")), ranges)
        self.assertEqual(list(after.items()), list(before.items()))
        once = self.path.read_bytes()
        calibrate(self.path, self.folder, 2, SIDE)
        self.assertEqual(self.path.read_bytes(), once)
        self.assertEqual([path.name for path in self.folder.glob("subject*")], ["subject.safetensors"])

    def test_a_file_that_cannot_be_calibrated_stays_as_it_is(self):
        tensors, metadata = weightsfile.read(self.path)
        operations = json.loads(metadata["graph"])

        def write(changed, numbers=tensors):
            weightsfile.write(self.path, numbers, metadata | {"graph": json.dumps(changed)})

        broken = tensors | {"stem.bias": np.full_like(tensors["stem.bias"], np.nan)}
        unbiased = {key: value for key, value in operations[0].items() if key != "bias"}
        cases = (
            ("not a safetensors file", lambda: self.path.write_bytes(b"\x10")),
            ("not of the format subject-1", lambda: weightsfile.write(self.path, tensors, {"format": "other"})),
            ("v1: no arithmetic in 8 bits is defined for maxPool",
             lambda: write([operations[0] | {"op": "maxPool"}, *operations[1:]])),
            ("v2: convolutions in 8 bits", lambda: write([operations[0], operations[1] | {"dilation": 2}, *operations[2:]])),
            ("v1: convolutions in 8 bits", lambda: write([unbiased, *operations[1:]])),
            ("without a convolution", lambda: write(operations[-1:])),
            ("v1 is not finite", lambda: write(operations, broken)),
        )
        for message, write_file in cases:
            with self.subTest(message):
                write_file()
                before = self.path.read_bytes()
                with self.assertRaisesRegex(ValueError, message):
                    calibrate(self.path, self.folder, 2, SIDE)
                self.assertEqual(self.path.read_bytes(), before)

    def test_photos_are_needed(self):
        with self.assertRaisesRegex(ValueError, "At least one photo"):
            calibrate(self.path, self.folder, 0, SIDE)
        with tempfile.TemporaryDirectory() as empty, self.assertRaisesRegex(ValueError, "Nothing is prepared"):
            calibrate(self.path, empty, 2, SIDE)


if __name__ == "__main__":
    unittest.main()
