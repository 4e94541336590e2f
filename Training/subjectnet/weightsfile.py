"""Files of named tensors in the safetensors format, in the given order."""
import json
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
    text = json.dumps(header, separators=(",", ":")).encode()
    text = text.ljust(-(-len(text) // ALIGNMENT) * ALIGNMENT)
    body = b"".join(np.ascontiguousarray(array).tobytes() for array in tensors.values())
    Path(path).write_bytes(struct.pack("<Q", len(text)) + text + body)


def read(path):
    """The tensors by their names, and the metadata."""
    data = Path(path).read_bytes()
    (length,) = struct.unpack_from("<Q", data)
    header = json.loads(data[8:8 + length])
    metadata = header.pop("__metadata__", {})
    body = memoryview(data)[8 + length:]
    tensors = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        tensors[name] = np.frombuffer(body[begin:end], KINDS[entry["dtype"]]).reshape(entry["shape"])
    return tensors, metadata
