#!/bin/sh
# image.sh PACKAGE.deb...: makes an OCI image layout (https://github.com/opencontainers/image-spec) in .build/image, with an image for
# each package's architecture under one name, the version. No container engine is needed. Needs root, jq, mmdebstrap and umoci.
#
# An image has the program and the libraries that it needs, and nothing else that could run.
set -eu
cd "$(dirname "$(readlink -f "$0")")/.."
[ "$(id -u)" = 0 ] || { echo 'image.sh needs root, to make a root file system.' >&2; exit 1; }
layout=$PWD/.build/image root=$PWD/.build/image-root
rm -rf --one-file-system "$layout" "$root"
umoci init --layout "$layout"
# The package's date, so that each build gives the same bytes.
date=$(sed -n 's/^## [^,]*, //p' CHANGELOG.md | head -n 1)T12:00:00Z
for package; do
    architecture=$(dpkg-deb -f "$package" Architecture) version=$(dpkg-deb -f "$package" Version)
    case $version in
    *debian12) codename=bookworm ;;
    *debian13) codename=trixie ;;
    *) echo "$package: images are made of Debian's packages" >&2 && exit 1 ;;
    esac
    # What sets up users and folders of a service has nothing to do here.
    libraries=$(dpkg-deb -f "$package" Depends | tr ',' '\n' | sed 's/^ *//; s/[ (|].*//' | grep -vE '^(systemd|init-system-helpers)' | paste -sd,)
    unshare --mount mmdebstrap --quiet --mode=root --variant=extract --architectures="$architecture" --include="$libraries" \
        --skip=check/qemu --dpkgopt='path-exclude=/usr/share/*' --dpkgopt='path-include=/usr/share/doc/*/copyright' \
        "$codename" "$root" http://deb.debian.org/debian
    # Libraries depend on Perl, through debconf, and on other programs that do not run here.
    find "$root" ! -type d ! -path '*/lib*/*.so*' ! -name copyright -delete
    rm -rf "$root"/usr/lib/*/perl* "$root"/usr/lib/*/gconv "$root"/usr/lib/*/audit
    find "$root" -mindepth 1 -type d -empty -delete
    for folder in lib lib64; do [ -e "$root/$folder" ] || [ ! -e "$root/usr/$folder" ] || ln -s "usr/$folder" "$root/$folder"; done
    dpkg-deb --fsys-tarfile "$package" | tar -x -C "$root" ./usr/bin/stickerd ./usr/share/doc/stickerd/copyright ./usr/share/doc/stickerd/NOTICE
    # Any user may own what is mounted there.
    mkdir -p "$root/inbox" "$root/outbox" "$root/state" "$root/tmp" "$root/proc" "$root/dev" "$root/sys"
    chmod 1777 "$root/inbox" "$root/outbox" "$root/state" "$root/tmp"
    find "$root" -print0 | xargs -0 touch --no-dereference --date="$date"
    image=$layout:$architecture
    umoci new --image "$image"
    umoci insert --image "$image" --history.created "$date" --history.created_by "${package##*/}" "$root" /
    umoci config --image "$image" --created "$date" --no-history --architecture "$architecture" --os linux \
        --config.user 1000:1000 --config.entrypoint /usr/bin/stickerd --config.cmd run --config.stopsignal SIGTERM \
        --config.volume /inbox --config.volume /outbox --config.volume /state \
        --config.env STICKERD_INBOX=/inbox --config.env STICKERD_OUTBOX=/outbox --config.env STICKERD_STATE=/state \
        --config.env PATH=/usr/bin --config.env LIBDISPATCH_LOG=NO --config.label "org.opencontainers.image.version=$version"
    rm -rf --one-file-system "$root"
done
umoci gc --layout "$layout"
# One name for all: an index of the images, which the layout's own index names.
index=$(mktemp)
jq '{schemaVersion: 2, mediaType: "application/vnd.oci.image.index.v1+json", manifests: [.manifests[]
    | {mediaType, digest, size, platform: {os: "linux", architecture: .annotations["org.opencontainers.image.ref.name"]}}]}' \
    "$layout/index.json" > "$index"
digest=$(sha256sum < "$index" | cut -d ' ' -f 1)
jq -n --arg digest "sha256:$digest" --argjson size "$(stat -c %s "$index")" --arg name "${version%%~*}" '{schemaVersion: 2, manifests: [
    {mediaType: "application/vnd.oci.image.index.v1+json", $digest, $size, annotations: {"org.opencontainers.image.ref.name": $name}}]}' \
    > "$layout/index.json"
mv "$index" "$layout/blobs/sha256/$digest"
# umoci's files are root's alone, but engines are not always run by root.
chmod -R a+rX "$layout"
echo "$layout:${version%%~*} ($(du -sh "$layout" | cut -f 1))"
