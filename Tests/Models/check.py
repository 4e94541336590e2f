"""Exports networks with random weights to ONNX, converts them, and compares stickerd's outputs with ONNX Runtime's.

usage: check.py NETWORK_TOOL [NAME…]
"""
import io
import json
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np
import onnxruntime
import torch

import architectures

ROOT = Path(__file__).resolve().parents[2]
TOLERANCE = 1e-3
# Bounds of predicted by measured memory: the prediction must be enough, and not far too much.
ALLOWED = 0.95, 1.5

# Name, network, side, opset, whether batch norms stay.
CASES = [
    ("oddities-11", architectures.Oddities, 64, 11, True),
    ("oddities-17", architectures.Oddities, 75, 17, True),
    ("u2netp-9", architectures.u2netp, 320, 9, False),
    ("u2netp-11", architectures.u2netp, 320, 11, True),
    ("u2netp-13", architectures.u2netp, 320, 13, False),
    ("u2netp-17", architectures.u2netp, 300, 17, False),
    ("u2net-11", architectures.u2net, 320, 11, False),
    ("silueta-10", architectures.silueta, 320, 10, True),
    ("isnet-17", architectures.isnet, 1024, 17, False),
]


def exported(network, side, opset, keeps_norms):
    buffer = io.BytesIO()
    mode = torch.onnx.TrainingMode.PRESERVE if keeps_norms else torch.onnx.TrainingMode.EVAL
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(network, torch.zeros(1, 3, side, side), buffer, opset_version=opset, training=mode, dynamo=False)
    return buffer.getvalue()


def check(tool, folder, name, build, side, opset, keeps_norms):
    # Smooth, with a wide range of values, like a photo.
    coarse = np.random.default_rng(5).standard_normal((1, 3, 12, 12)).astype(np.float32)
    picture = torch.nn.functional.interpolate(torch.from_numpy(coarse), (side, side), mode="bicubic")
    model = exported(architectures.lively(build, picture), side, opset, keeps_norms)
    picture = picture.numpy()
    (folder / "model.onnx").write_bytes(model)
    subprocess.run([sys.executable, ROOT / "Training/convert.py", folder / "model.onnx", folder / "model.safetensors"],
                   check=True, stdout=subprocess.DEVNULL)
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    expected = session.run([session.get_outputs()[0].name], {session.get_inputs()[0].name: picture})[0][0, 0]
    np.ascontiguousarray(picture[0].transpose(1, 2, 0)).tofile(folder / "input")
    run = subprocess.run([tool, folder / "model.safetensors", folder / "input", folder / "output"], check=True,
                         stdout=subprocess.PIPE)
    facts = json.loads(run.stdout)
    actual = np.fromfile(folder / "output", np.float32).reshape(expected.shape)
    difference, spread = np.abs(actual - expected).max(), expected.std()
    share = facts["memory"] / max(facts["used"], 1)
    print(f"{name}: {difference:.1e} off, spread {spread:.2f}, {facts['multiplyAdds'] / 1e9:.1f} G multiply-adds, "
          f"{facts['seconds']:.2f} s, {facts['used'] >> 20} MiB of {facts['memory'] >> 20}", flush=True)
    assert spread > 0.05, "a flat answer would prove nothing"
    assert difference < TOLERANCE, f"more than {TOLERANCE} off"
    # The process's own memory hides that of small networks.
    if facts["memory"] > 1 << 27:
        assert ALLOWED[0] <= share <= ALLOWED[1], "the memory it is said to take is wrong"


def main(tool, *names):
    for case in CASES:
        if not names or case[0] in names:
            with tempfile.TemporaryDirectory() as folder:
                check(tool, Path(folder), *case)


if __name__ == "__main__":
    main(*sys.argv[1:])
