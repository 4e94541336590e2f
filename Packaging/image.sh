#!/bin/sh
# image.sh PACKAGE.deb...: makes an OCI image layout (https://github.com/opencontainers/image-spec) in .build/image, with one image
# for each package's architecture, under the one name `stickerd`. No container engine is needed. Needs root, mmdebstrap and umoci.
#
# An image is the package and the libraries that it needs, without a shell or a package manager: nothing else could run there.
set -eu
cd "$(dirname "$(readlink -f "$0")")/.."
[ "$(id -u)" = 0 ] || { echo 'image.sh needs root, to make a root file system.' >&2; exit 1; }
work=$PWD/.build/image
rm -rf "$work"
mkdir -p "$work"
umoci init --layout "$work/layout"
for package; do
    architecture=$(dpkg-deb -f "$package" Architecture) version=$(dpkg-deb -f "$package" Version) root=$work/root
    codename=$(case $version in *debian12) echo bookworm ;; *debian13) echo trixie ;; *) echo "$package: not for Debian" >&2; exit 1 ;; esac)
    # What sets up users and folders of a service has nothing to do here.
    libraries=$(dpkg-deb -f "$package" Depends | tr ',' '\n' | sed 's/[ (|].*//; s/^ *//' | grep -v systemd | paste -sd,)
    unshare --mount mmdebstrap --mode=root --variant=extract --architectures="$architecture" --include="$libraries" \
        --skip=check/qemu --dpkgopt='path-exclude=/usr/share/*' "$codename" "$root" http://deb.debian.org/debian
    dpkg-deb --fsys-tarfile "$package" | tar -x -C "$root" ./usr/bin ./usr/share/doc/stickerd/copyright
    # Nothing here runs, but debconf's and Perl's files come with a library's dependencies.
    mkdir -m 1777 -p "$root/inbox" "$root/outbox" "$root/state" "$root/tmp"
    find "$root" -print0 | xargs -0 touch --no-dereference --date="@${SOURCE_DATE_EPOCH:-0}"
    umoci new --image "$work/layout:$architecture"
    umoci insert --image "$work/layout:$architecture" --history.created_by "$(basename "$package")" "$root" /
    umoci config --image "$work/layout:$architecture" --architecture "$architecture" --os linux \
        --config.user 1000:1000 --config.workingdir / --config.entrypoint /usr/bin/stickerd --config.cmd run \
        --config.volume /inbox --config.volume /outbox --config.volume /state --config.stopsignal SIGTERM \
        --config.env STICKERD_INBOX=/inbox --config.env STICKERD_OUTBOX=/outbox --config.env STICKERD_STATE=/state \
        --config.env LIBDISPATCH_LOG=NO --config.label org.opencontainers.image.version="$version"
    rm -rf "$root"
done
