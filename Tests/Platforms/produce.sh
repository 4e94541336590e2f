#!/bin/sh
# produce.sh STICKERD PHOTOS FOLDER: makes stickers and masks of all photos, also with networks from files, in new folders
# below FOLDER, with what the program prints.
set -eu
models=$(dirname "$(readlink -f "$0")")/..
stickerd=$1 photos=$2 folder=$3
rm -rf "$folder"
produce() {
    kind=$1 command=$2
    shift 2
    mkdir -p "$folder/$kind"
    (cd "$photos" && "$stickerd" "$command" . --output "$folder/$kind" "$@") > "$folder/$kind.printed" 2>&1
    # Where they are is not part of the comparison.
    sed -i "s|$folder/||" "$folder/$kind.printed"
}
produce stickers make
produce masks mask
produce model-pooled mask --model "$models/Fuzz/corpus/model/pooled.safetensors"
produce model-converted mask --model "$models/Unit/SubjectModelTests/Fixtures/converted.safetensors"
