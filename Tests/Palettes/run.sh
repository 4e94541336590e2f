#!/bin/sh
# run.sh STICKERD [PHOTO...]: reads the palettes that stickerd prints with other programs, also with GIMP if it is
# installed. Without photos, draws pictures.
set -eu
stickerd=$(realpath "${1:?which stickerd?}")
shift
here=$(dirname "$(readlink -f "$0")")
python=$("$here/../python.sh" Palettes)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# Settings of the user who runs it have no effect.
export HOME="$folder"
unset $(env | sed -n "s/=.*//; /^STICKERD_/p; /^XDG_/p")
if [ $# = 0 ]; then
    "$python" "$here/draw.py" "$folder"
    set -- "$folder"/*.png
fi
found=$folder/found
for photo; do
    for side in '' --subject; do
        # Not every picture has a subject; drawn ones with one have "subject" in their names.
        case $side$(basename "$photo") in --subject*subject*) ;; --subject*) continue ;; esac
        for count in 3 5 10; do
            palettes="$found/$count $(basename "$photo")$side"
            mkdir -p "$palettes"
            for format in json css gpl ase svg text; do
                "$stickerd" palette "$photo" $side --colors "$count" --format "$format" > "$palettes/palette.$format"
            done
        done
    done
done
"$python" "$here/check.py" "$found"/*
if command -v gimp > /dev/null; then
    # GIMP starts slowly, so it reads only the longest palettes.
    for palettes in "$found"/10*; do "$here/gimp.sh" "$palettes/palette.gpl"; done
else
    echo 'gimp: not installed; its palettes were read by Pillow alone (make torture installs it)'
fi
