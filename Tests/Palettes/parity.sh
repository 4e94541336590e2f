#!/bin/sh
# Compares the gallery's script with the daemon's colors: a Swift test of the debug build writes the daemon's results, node runs
# the script.
set -eu
here=$(dirname "$(readlink -f "$0")")
answers=$(mktemp)
trap 'rm -f "$answers"' EXIT
STICKERD_COLOR_ANSWERS=$answers "$here/../../.build/debug/stickerdPackageTests.xctest" --testing-library swift-testing \
    --filter ScriptParityTests
cd "$here/../../Sources/C/GalleryAssets"
node "$here/parity.js" "$answers" names.js oklab.js naming.js difference.js clusters.js gradient.js colors.js palettes.js
