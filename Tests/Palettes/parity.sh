#!/bin/sh
# Compares the gallery's script with the daemon's colors: a Swift test writes the daemon's results, node runs the script.
set -eu
here=$(dirname "$(readlink -f "$0")")
answers=$(mktemp)
trap 'rm -f "$answers"' EXIT
(cd "$here/../.." && STICKERD_COLOR_ANSWERS=$answers "${SWIFT:-swift}" test --filter ScriptParityTests)
node "$here/parity.js" "$here/../../Sources/CGalleryAssets/colors.js" "$answers"
