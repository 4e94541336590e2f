"""Measures the range of every value that stickerd computes in 8 bits, and writes the ranges into a file's metadata.

A range begins with the smallest and ends with the largest number that the fp32 network has on some training photos.
"""
import json
import math

import numpy as np
from PIL import Image

from . import weightsfile
from .dataset import training_arrays
from .interpreter import SubjectFile
from .pictures import network_bytes
from .quantized import byte_operations, check_operations

SEED = 12
SMALLEST_HIGH = 1e-6  # of a value that is never positive, because a range has to contain 0 and more
DIGITS = 6


def chosen_photos(folder, count):
    """Photos of what prepare.py wrote, as many from each source as there are, for the same photos each time."""
    if count < 1:
        raise ValueError("At least one photo is needed")
    sources = [photos for _, photos, _ in training_arrays(folder)]
    orders = [np.random.default_rng([SEED, number]).permutation(len(photos)) for number, photos in enumerate(sources)]
    places = [(rank, number) for number, order in enumerate(orders) for rank in range(len(order))]
    for rank, number in sorted(places)[:count]:
        yield Image.fromarray(sources[number][orders[number][rank]])


def measured_ranges(network, photos, side):
    """[low, high] of the values computed in bytes, by their names. A doubled value has the range of its original."""
    check_operations(network.operations)
    operations, ranges = byte_operations(network.operations), {}
    for photo in photos:
        values = network.values_of(network_bytes(photo, side))
        for name in (operation["out"] for operation in operations):
            low, high = ranges.get(name, (0.0, SMALLEST_HIGH))
            ranges[name] = (min(low, values[name].min().item()), max(high, values[name].max().item()))
            if not all(map(math.isfinite, ranges[name])) or values[name].isnan().any():
                raise ValueError(f"The value {name} is not finite; train the network again")
    for operation in operations:
        if operation["op"] == "upsample2x":
            ranges[operation["out"]] = ranges[operation["in"]]
    return {name: [float(f"{number:.{DIGITS}g}") for number in numbers] for name, numbers in ranges.items()}


def calibrate(path, folder, count, side):
    """Writes the ranges into the file, in place of earlier ones; returns them."""
    ranges = measured_ranges(SubjectFile(path), chosen_photos(folder, count), side)
    weightsfile.add_metadata(path, {"ranges": json.dumps(ranges, separators=(",", ":"))})
    return ranges
