#!/bin/bash
# image.sh: unpacks the image of this processor from .build/image, and runs it as a container engine would: a root that is
# read-only, no capabilities, no network, a user that has no name, and volumes of that user. Needs root and umoci.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
if [ -z "${IN_NAMESPACE:-}" ]; then
    [ "$(id -u)" = 0 ] || { echo 'image.sh needs root, to unpack an image.' >&2; exit 1; }
    exec env IN_NAMESPACE=1 unshare --mount --propagation private -- "$0"
fi
work=$(mktemp -d)
container=
show() { cat "$work"/log* >&2; }
fail() { echo "image: FAILED: $*"; show; exit 1; }
step() { echo "image: $*"; }
trap '[ -z "$container" ] || kill -KILL "$container" 2> /dev/null || :; umount -l "$work/bundle/rootfs" 2> /dev/null || :; rm -rf --one-file-system "$work"' EXIT
within() {
    local end=$((SECONDS + 60))
    until "$@" > /dev/null 2>&1; do [ $SECONDS -lt $end ] || fail "not in time: $*"; sleep 0.1; done
}

# umoci does not read an index of images: the one of this processor gets a name of its own.
cp -r .build/image "$work/layout"
architecture=$(dpkg --print-architecture)
index=$(jq -r '.manifests[0].digest | sub(":"; "/")' "$work/layout/index.json")
jq --arg architecture "$architecture" '{schemaVersion: 2, manifests: [.manifests[] | select(.platform.architecture == $architecture)
    | . + {annotations: {"org.opencontainers.image.ref.name": "this"}}]}' "$work/layout/blobs/$index" > "$work/layout/index.json"
umoci unpack --image "$work/layout:this" "$work/bundle" > "$work/log" 2>&1 || fail 'umoci cannot unpack it'
root=$work/bundle/rootfs config=$work/bundle/config.json

step 'it has one program, and no shell'
[ "$(find "$root" -type f -perm /111 ! -name '*.so*')" = "$root/usr/bin/stickerd" ] || fail "$(find "$root" -type f -perm /111 ! -name '*.so*')"

step 'as any user, with a root that is read-only'
mount --bind "$root" "$root"
for folder in inbox outbox state; do
    mkdir "$work/$folder"
    chown 12345:23456 "$work/$folder"
    mount --bind "$work/$folder" "$root/$folder"
done
mount -o remount,bind,ro "$root"
chmod 755 "$work"
mapfile -t environment < <(jq -r '.process.env[]' "$config")
mapfile -t arguments < <(jq -r '.process.args[]' "$config")
[ "$(jq '.process.user.uid' "$config")" != 0 ] || fail 'it runs as root'
# contained MOUNT ARGUMENT...: runs the image's program in namespaces of its own, with the image's variables, after the command MOUNT.
contained() {
    exec env -i "${environment[@]}" unshare --pid --fork --kill-child --mount --ipc --uts --net sh -euc "
        $1"'
        root=$1
        shift 2
        exec setpriv --no-new-privs /usr/sbin/chroot --userspec=12345:23456 --groups= "$root" /usr/bin/stickerd "$@"' - "$root" "$@"
}
devices="mount --bind /dev $root/dev"
proc="$devices; mount -t proc proc $root/proc"
[ "${arguments[*]}" = '/usr/bin/stickerd run' ] || fail "it runs ${arguments[*]}"
contained "$proc" run > "$work/log-run" 2>&1 &
container=$!
Tests/Harness/photos.py 1600 1200 disc > "$work/inbox/.cat.part"
chown 12345:23456 "$work/inbox/.cat.part"
mv "$work/inbox/.cat.part" "$work/inbox/cat.jpg"
within test -f "$work/outbox/pack.json"
within sh -c "ls $work/outbox/cat-*.png"
[ "$(stat -c %u:%g "$work"/outbox/cat-*.png)" = 12345:23456 ] || fail 'the sticker has another owner'

step 'its health check passes, and it stops as an engine stops it'
within nsenter --target "$(pgrep -P "$container")" --pid --mount --ipc --uts --net env -i "${environment[@]}" \
    /usr/sbin/chroot --userspec=12345:23456 --groups= "$root" /usr/bin/stickerd status
# The first process of the container, to which an engine sends it.
kill -TERM "$(pgrep -P "$container")"
wait "$container" || fail 'it does not end with 0 on SIGTERM'
container=

step 'its log has plain lines, and all layers of the confinement'
! grep -vE '^[0-9-]{10}T[0-9:]{8}Z [a-z]+ ' "$work/log-run" || fail 'a line without a time'
! grep -P '[^\x20-\x7e]' "$work/log-run" || fail 'a line with control characters'
! grep 'not fully confined' "$work/log-run" || fail 'a layer is missing'

step 'without /proc it says what is missing'
! (contained "$devices" run) > "$work/log-bare" 2>&1 || fail 'it runs'
grep -xF 'stickerd needs /proc, which is not mounted here (mount -t proc proc /proc)' "$work/log-bare" > /dev/null || fail 'another text'
step passed
