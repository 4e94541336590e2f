#!/bin/sh
# Compares stickerd's engine with ONNX Runtime on the networks that rembg ships, with random weights: run.sh [NAME…].
# MODELS_PYTHON may name a Python that has the packages of requirements.txt.
set -eu
cd "$(dirname "$0")/../.."
"${SWIFT:-swift}" build -c release --product network
PYTHONDONTWRITEBYTECODE=1 "${MODELS_PYTHON:-$(Tests/python.sh Models)}" Tests/Models/check.py .build/release/network "$@"
