#!/bin/sh
# deb.sh [SYSTEM...]: builds the tracked files, as they are here, as Debian packages, each in a root of its
# distribution, and checks them with that distribution's lintian. The packages are in .build/deb. A SYSTEM is a
# distribution, such as `bookworm`, or `trixie-arm64`: its packages are for arm64, cross-built. Needs root and
# mmdebstrap.
#
# Roots stay in .build/platforms and builds in .build/deb, for the next run.
set -eu
cd "$(dirname "$(readlink -f "$0")")/.."
[ "$(id -u)" = 0 ] || { echo 'deb.sh needs root, to make and change roots.' >&2; exit 1; }
work=$PWD/.build/deb
# Sources have the same place in each root, so that a package does not depend on where its files were.
export PLACE=/usr/src/stickerd
for system in "${@:-bookworm}"; do
    distribution=${system%-arm64} root=$PWD/.build/platforms/$system sources=$work/$system/sources build=$work/$system/build
    rm -rf "$sources"
    mkdir -p "$sources" "$build"
    git ls-files -z | tar --null -T - -c | tar -x -C "$sources"
    swift package --package-path "$sources" --scratch-path "$build" resolve
    case $system in
    *-arm64) architecture=arm64 && Tests/Platforms/cross-arm64.sh "$distribution" "$sources" "$build" stickerd ;;
    *) architecture=amd64 && Tests/Platforms/root.sh "$distribution" "$root" ;;
    esac
    # Debian's packages are for unstable before they are for a release, and lintian knows its own system's names.
    (. "$root/etc/os-release"; Packaging/changelog.py "~$ID$VERSION_ID" "$([ "$ID" = debian ] && echo unstable || echo "$distribution")") \
        > "$sources/debian/changelog"
    rm -f "$root${PLACE%/*}"/stickerd*_*
    inside() { Tests/Platforms/inside.sh "$root" "$sources" "$build" "$@"; }
    inside sh -euc '
        export DEBIAN_FRONTEND=noninteractive
        apt-get update -q
        apt-get install -q -y --no-install-recommends dpkg-dev lintian
        apt-get build-dep -q -y --no-install-recommends --host-architecture="$0" ./
        dpkg-buildpackage -b -us -uc -a "$0"' "$architecture"
    cp "$root${PLACE%/*}"/stickerd*_* "$work"
    inside sh -c 'lintian --allow-root --pedantic --fail-on error,warning,pedantic ../stickerd_*.changes'
done
ls -l "$work"/*.deb
