#!/bin/sh
# run.sh [PHOTOS [OTHERS...]]: measures the time of a look-up among 100,000 photos (about seven minutes) and, with a folder
# of distinct photos, how many changed copies are recognized and how many unrelated photos are mistaken for them.
set -eu
here=$(dirname "$(readlink -f "$0")")
tool=$here/../../.build/release/likeness
[ -x "$tool" ] || { echo "likeness: no $tool: make build" >&2; exit 1; }
folder=$(mktemp -d -p /dev/shm 2> /dev/null || mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$tool" look-up --folder "$folder"
[ $# -gt 0 ] || exit 0
photos=$1
shift
PYTHONDONTWRITEBYTECODE=1 "$("$here/../python.sh" Likeness)" "$here/measure.py" "$photos" --tool "$tool" --others "$@"
