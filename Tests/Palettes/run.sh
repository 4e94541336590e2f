#!/bin/sh
# run.sh STICKERD [PHOTO...]: has the palettes that stickerd prints read by programs that are not ours; of pictures drawn
# for it where no photos are named. GIMP is asked, too, where it is installed.
set -eu
stickerd=$(realpath "${1:?which stickerd?}")
shift
here=$(dirname "$(readlink -f "$0")")
python=$("$here/../python.sh" Palettes)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
if [ $# = 0 ]; then
    "$python" "$here/draw.py" "$folder"
    set -- "$folder"/*.png
fi
mkdir "$folder/found"
for photo; do
    for side in '' --subject; do
        # Not every picture has a subject; drawn ones say so in their names.
        case $side$(basename "$photo") in --subject*subject*) ;; --subject*) continue ;; esac
        for count in 3 5 10; do
            for format in json css gpl ase svg text; do
                "$stickerd" palette "$photo" $side --colors "$count" --format "$format" > "$folder/found/palette.$format"
            done
            "$python" "$here/check.py" "$folder/found" "$count"
        done
        # It starts slowly: the longest palette only.
        if command -v gimp > /dev/null; then "$here/gimp.sh" "$folder/found/palette.gpl"; fi
    done
done
command -v gimp > /dev/null || echo 'gimp: not installed; its palettes were read by Pillow alone (make torture installs it)'
