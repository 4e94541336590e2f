#!/bin/bash
# run.sh [DISTRIBUTION...]: installs the Debian packages of .build/deb in minimal systems of their distributions, booted with
# their own systemd: installed, upgraded, removed and purged. Needs root, mmdebstrap, and the distributions' archive.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
[ "$(id -u)" = 0 ] || { echo 'run.sh needs root, to boot a system.' >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/photos"
Tests/Harness/photos.py 4000 3000 disc > "$work/photos/disc.jpg"
chmod -R a+rX "$work"

for distribution in "${@:-bookworm}"; do
    root=$PWD/.build/platforms/$distribution-booted packages=$work/$distribution
    Tests/Platforms/root.sh "$distribution" "$root" systemd-sysv,dbus,jq,sqlite3,jq
    suffix=$(. "$root/etc/os-release" && echo "~$ID$VERSION_ID")
    new=$(echo .build/deb/stickerd_*"${suffix}_$(dpkg --print-architecture)".deb)
    # A lower version of the same files, until there is an earlier release.
    mkdir -p "$packages"
    cp "$new" "$packages/new.deb"
    dpkg-deb -R "$new" "$packages/files"
    sed -i "s/^Version: .*/Version: 0.9$suffix/" "$packages/files/DEBIAN/control"
    dpkg-deb --root-owner-group -Zgzip -b "$packages/files" "$packages/old.deb" > "$packages/log"
    rm -rf "$packages/files"
    chmod -R a+rX "$packages"
    Tests/System/with-systemd.sh -H -N -t 900 -R "$root" -r "$PWD:/repository:ro" -r "$work/photos:/photos:ro" \
        -r "$packages:/packages:ro" -- /repository/Tests/Package/steps.sh "$distribution"
done
