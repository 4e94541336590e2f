#!/bin/sh
# Loads a palette with GIMP 2.10 and compares its colors with the lines of the file.
# gimp.sh PALETTE.gpl
set -eu
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
mkdir -p "$home/palettes"
cp "$1" "$home/palettes/ours.gpl"
name=$(sed -n 's/^Name: //p' "$1" | sed 's/[\\"]/\\&/g')
# One message per entry, on the console.
found=$(GIMP2_DIRECTORY=$home gimp --no-interface --no-fonts \
    --batch "(let* ((colors (gimp-palette-get-colors \"$name\")) (index 0))
        (while (< index (car colors))
            (gimp-message (string-append \"entry \" (unbreakupstr
                (map number->string (car (gimp-palette-entry-get-color \"$name\" index))) \" \")))
            (set! index (+ index 1))))" \
    --batch '(gimp-quit 0)' 2>&1 | grep -o 'entry [0-9 ]*' | sed 's/entry //')
expected=$(sed -n 's/^ *\([0-9]*\) *\([0-9]*\) *\([0-9]*\)\t.*/\1 \2 \3/p' "$1")
if [ "$found" = "$expected" ] && [ -n "$found" ]; then
    echo "gimp: $(echo "$found" | wc -l) colors as written"
else
    printf 'gimp: found\n%s\nexpected\n%s\n' "$found" "$expected" >&2
    exit 1
fi
