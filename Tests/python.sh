#!/bin/sh
# python.sh FOLDER: a Python environment below .build with the packages of FOLDER/requirements.txt, from PyPI: created if it
# is missing or the list has changed. Prints its path. Needs Debian's python3-venv and util-linux. May run several times at once.
set -eu
here=$(dirname "$(readlink -f "$0")")
requirements=$here/$1/requirements.txt
venv=${STICKERD_TEST_PYTHONS:-$here/../.build/python}/$(basename "$1")
mkdir -p "$(dirname "$venv")"
exec 9> "$venv.lock"
flock 9
if ! cmp -s "$requirements" "$venv/installed"; then
    python3 -m venv --clear "$venv" >&2
    "$venv/bin/pip" install --quiet --no-cache-dir --disable-pip-version-check --requirement "$requirements" >&2
    cp "$requirements" "$venv/installed"
fi
exec 9>&-
echo "$venv/bin/python"
