"""Files of named tensors in the safetensors format, in the given order."""
import json
import os
import shutil
import struct
from pathlib import Path

import numpy as np

KINDS = {"F16": np.dtype("<f2"), "F32": np.dtype("<f4")}
ALIGNMENT = 64  # bytes: the tensors begin at a multiple of it after the eight bytes of the length


def write(path, tensors, metadata):
    """Writes arrays of fp16 or fp32 by their names, and a dictionary of strings."""
    kinds = {dtype: kind for kind, dtype in KINDS.items()}
    header, offset = {"__metadata__": metadata}, 0
    for name, array in tensors.items():
        end = offset + array.nbytes
        header[name] = {"dtype": kinds[array.dtype], "shape": list(array.shape), "data_offsets": [offset, end]}
        offset = end
    Path(path).write_bytes(encoded(header) + b"".join(np.ascontiguousarray(array).tobytes() for array in tensors.values()))


def encoded(header):
    """The file's bytes before the tensors."""
    text = json.dumps(header, separators=(",", ":")).encode()
    text = text.ljust(-(-len(text) // ALIGNMENT) * ALIGNMENT)
    return struct.pack("<Q", len(text)) + text


def split(path):
    """The header, and the bytes of the tensors."""
    data = Path(path).read_bytes()
    try:
        (length,) = struct.unpack_from("<Q", data)
        header = json.loads(data[8:8 + length])
        if not isinstance(header, dict):
            raise ValueError("its header is no object")
    except (struct.error, ValueError) as error:
        raise ValueError(f"{path} is not a safetensors file ({error}); write it with export.py") from error
    return header, memoryview(data)[8 + length:]


def add_metadata(path, additions):
    """Replaces a file by one with more metadata; tensors and other metadata stay as they are.

    Readers see the old file or the new one, and an error leaves the old one.
    """
    header, body = split(path)
    header["__metadata__"] = header.get("__metadata__", {}) | additions
    beside = Path(f"{path}.tmp")
    try:
        with open(beside, "wb") as file:
            file.write(encoded(header))
            file.write(body)
        shutil.copymode(path, beside)
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)


def read(path):
    """The tensors by their names, and the metadata."""
    header, body = split(path)
    metadata = header.pop("__metadata__", {})
    tensors = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        tensors[name] = np.frombuffer(body[begin:end], KINDS[entry["dtype"]]).reshape(entry["shape"])
    return tensors, metadata
