#!/bin/sh
# distributions.sh STICKERD [DISTRIBUTION...]: builds and tests the tracked files, as they are here, in roots of other
# distributions, and compares their stickers and masks with those of STICKERD, byte for byte. Needs root.
#
# Roots and builds stay in .build/platforms, for the next run.
set -u
here=$(dirname "$(readlink -f "$0")")
stickerd=$(readlink -f "$1")
shift
[ "$(id -u)" = 0 ] || { echo 'distributions.sh needs root, to mount and change roots.' >&2; exit 1; }
cd "$here/../.." || exit
work=$PWD/.build/platforms
sources=$work/sources
mkdir -p "$work"
failed=

# step NAME COMMAND...: runs it, prints the end of its output if it fails, or its last line.
step() {
    name=$1
    shift
    if "$@" > "$work/$distribution-$name.log" 2>&1; then
        echo "$distribution: $name: $(tail -n 1 "$work/$distribution-$name.log")"
    else
        echo "$distribution: $name FAILED; the end of $work/$distribution-$name.log:"
        tail -n 30 "$work/$distribution-$name.log" | sed 's/^/    /'
        failed=1
        return 1
    fi
}
inside() { "$here/inside.sh" "$root" "$sources" "$build" "$@"; }
copy_sources() { rm -rf "$sources" && mkdir "$sources" && git ls-files -z | tar --null -T - -c | tar -x -C "$sources"; }
# On this machine, where git finds the packages.
resolve() { swift package --package-path "$sources" --scratch-path "$build" resolve; }
compile() { inside make build && inside .build/release/stickerd --version; }
reference() {
    rm -rf "$work/photos" &&
        "$("$here/../python.sh" Platforms)" "$here/pictures.py" "$work/photos" &&
        "$here/produce.sh" "$stickerd" "$work/photos" "$work/expected" &&
        "$stickerd" --version
}
bring_photos() { rm -rf "$build/photos" "$build/stickers" && cp -r "$work/photos" "$work/expected/stickers" "$build"; }
pictures() {
    bring_photos &&
        inside Tests/Platforms/produce.sh "$sources/.build/release/stickerd" "$sources/.build/photos" "$sources/.build/made" &&
        "$("$here/../python.sh" Platforms)" "$here/compare.py" "$work/expected" "$build/made"
}
# Without the tests of real processes, some of which need services and disks that a root lacks.
unit_tests() {
    inside apt-get install -q -y --no-install-recommends unicode-data &&
        inside swift build --build-tests &&
        inside Tests/swift-test.sh swift test --skip-build --no-parallel --skip '^DaemonTests\.'
}
arrival() {
    inside sh -c 'Tests/Platforms/arrival.py .build/release/stickerd .build/photos/halved.jpg .build/stickers/halved-*.png'
}

distribution=here
step pictures reference || exit
copy_sources || exit
for distribution in ${*:-trixie noble}; do
    root=$work/$distribution build=$work/$distribution-build
    mkdir -p "$build"
    step root "$here/root.sh" "$distribution" "$root" && step packages resolve && step setup inside make setup-build &&
        step build compile && {
        step pictures pictures && step daemon arrival
        step tests unit_tests
    }
done
[ -z "$failed" ]
