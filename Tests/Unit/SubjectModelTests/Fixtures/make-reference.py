#!/usr/bin/env python3
"""Makes reference-input.f32 and reference-output.f32 from the model's reference.safetensors (needs numpy), and
bytes-input.u8 and bytes-output.f32 if it has an output in 8 bits.

usage: make-reference.py reference.safetensors, which writes them next to this script

The reference input is a small picture enlarged 16 times (bilinear, half-pixel centers), so the small picture is
enough; it is found back by least squares. Of the output, every third row and column is kept. Both are raw
little-endian fp32: the input in (row, column, channel), the output in (row, column). The input of the output in 8 bits is
a small picture of bytes, each of whose pixels is repeated 16 times in both directions.
"""
import json, struct, sys
from pathlib import Path
import numpy as np

folder = Path(__file__).parent
data = open(sys.argv[1], "rb").read()
length = struct.unpack("<Q", data[:8])[0]
header = json.loads(data[8:8 + length])


def tensor(name):
    low, high = header[name]["data_offsets"]
    return np.frombuffer(data[8 + length + low:8 + length + high], "<f4").reshape(header[name]["shape"])[0]


def enlargement(small, large):
    at = np.clip((np.arange(large) + 0.5) * small / large - 0.5, 0, small - 1)
    low = np.minimum(at.astype(int), small - 2)
    matrix = np.zeros((large, small))
    matrix[np.arange(large), low] = 1 - (at - low)
    matrix[np.arange(large), low + 1] = at - low
    return matrix


full = tensor("input").astype(float)
matrix = enlargement(full.shape[0] // 16, full.shape[0])
inverse = np.linalg.pinv(matrix)
small = np.einsum("ya,xb,abc->yxc", inverse, inverse, full).astype("<f4")
again = np.einsum("ya,xb,abc->yxc", matrix, matrix, small.astype(float))
assert np.abs(again - full).max() < 1e-6, "the reference input is not an enlarged picture"
small.tofile(folder / "reference-input.f32")
tensor("output")[::3, ::3, 0].astype("<f4").tofile(folder / "reference-output.f32")
if "bytes-input" in header:
    full = tensor("bytes-input").astype("u1")
    small = full[::16, ::16]
    assert (small.repeat(16, 0).repeat(16, 1) == full).all(), "the picture of bytes is not an enlarged one"
    small.tofile(folder / "bytes-input.u8")
    tensor("bytes-output")[::3, ::3, 0].astype("<f4").tofile(folder / "bytes-output.f32")
