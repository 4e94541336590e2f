#!/usr/bin/env python3
"""Makes converted.safetensors, converted-input.f32 and converted-output.f32: a U2-Net of two channels with random
weights at 32 x 32 pixels, exported, converted, and run by ONNX Runtime. Needs the packages of Tests/Models.
"""
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import onnxruntime
import torch

here = Path(__file__).resolve().parent
root = here.parents[2]
sys.path.insert(0, str(root / "Tests/Models"))
sys.argv[1:] = []
import architectures
from check import exported

picture = torch.nn.functional.interpolate(
    torch.from_numpy(np.random.default_rng(5).standard_normal((1, 3, 6, 6)).astype(np.float32)), (32, 32), mode="bicubic")


def small():
    return architectures.Nested([4] * 6, [2] * 6, [2] * 5)


torch.manual_seed(1)
network = architectures.lively(small, torch.cat((picture, picture.flip(2))))
model = exported(network, 32, 17, True)
with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "model.onnx"
    path.write_bytes(model)
    subprocess.run([sys.executable, root / "Training/convert.py", path, here / "converted.safetensors"], check=True)
session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
answer = session.run([session.get_outputs()[0].name], {session.get_inputs()[0].name: picture.numpy()})[0]
np.ascontiguousarray(picture[0].permute(1, 2, 0).numpy()).tofile(here / "converted-input.f32")
answer[0, 0].tofile(here / "converted-output.f32")
print(answer.min(), answer.max())
