#!/bin/bash
# run.sh STICKERD [PYTEST ARGUMENT…]: the gallery of a real stickerd in a real browser. Needs Debian's chromium and
# python3-venv; what else is needed comes from PyPI into a folder of its own.
set -euo pipefail
stickerd=$(realpath "${1:?which stickerd?}")
shift
here=$(realpath "$(dirname "$0")")
venv=${STICKERD_BROWSER_VENV:-$here/../../.build/browser}
if ! cmp -s "$here/requirements.txt" "$venv/installed"; then
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check -r "$here/requirements.txt"
    cp "$here/requirements.txt" "$venv/installed"
fi
cd "$here"
STICKERD=$stickerd PYTHONDONTWRITEBYTECODE=1 exec "$venv/bin/python" -m pytest -p no:cacheprovider -q "$@"
