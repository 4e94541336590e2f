#!/bin/sh
# run.sh STICKERD [PYTEST ARGUMENT...]: the gallery of a real stickerd in a real browser, Debian's chromium; with `--engine
# firefox` or `--engine webkit` in another one. `-m engines` is the short form for those. With STICKERS=100000 and measure.py as
# argument, it measures the page of a large pack.
set -eu
STICKERD=$(realpath "${1:?which stickerd?}")
shift
cd "$(dirname "$0")"
export STICKERD PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=../Harness
exec "$(../python.sh Browser)" -m pytest -p no:cacheprovider -q "$@"
