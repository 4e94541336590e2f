#!/bin/sh
# run.sh STICKERD [PYTEST ARGUMENT...]: the gallery of a real stickerd in a real browser, Debian's chromium.
set -eu
STICKERD=$(realpath "${1:?which stickerd?}")
export STICKERD PYTHONDONTWRITEBYTECODE=1
shift
cd "$(dirname "$0")"
exec "$(../python.sh Browser)" -m pytest -p no:cacheprovider -q "$@"
