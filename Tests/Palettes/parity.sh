#!/bin/sh
# Compares the gallery's script with the daemon's colors: a Swift test writes the daemon's results, node runs the script.
set -eu
here=$(dirname "$(readlink -f "$0")")
answers=$(mktemp)
trap 'rm -f "$answers"' EXIT
(cd "$here/../.." && STICKERD_COLOR_ANSWERS=$answers "${SWIFT:-swift}" test --filter ScriptParityTests)
cd "$here/../../Sources/CGalleryAssets"
node "$here/parity.js" "$answers" names.js oklab.js gradient.js colors.js palettes.js
