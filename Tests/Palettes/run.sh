#!/bin/sh
# Has the palettes that stickerd prints read by programs that are not ours.
# run.sh STICKERD PHOTO...
set -eu
here=$(dirname "$(readlink -f "$0")")
venv=${PALETTES_VENV:-${XDG_CACHE_HOME:-$HOME/.cache}/stickerd-palettes}
if ! "$venv/bin/python" -c 'import cairosvg, coloraide, PIL, swatch, tinycss2' 2>/dev/null; then
    python3 -m venv "$venv"
    "$venv/bin/pip" --quiet install --requirement "$here/requirements.txt"
fi
stickerd=$1
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for photo; do
    for count in 3 5 10; do
        for format in json css gpl ase svg text; do
            "$stickerd" palette "$photo" --colors "$count" --format "$format" >"$folder/palette.$format"
        done
        "$venv/bin/python" "$here/check.py" "$folder" "$count"
        if command -v gimp >/dev/null; then "$here/gimp.sh" "$folder/palette.gpl"; fi
    done
done
