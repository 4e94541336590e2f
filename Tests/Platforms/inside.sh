#!/bin/sh
# inside.sh ROOT SOURCES BUILD COMMAND...: runs a command in a root, in the folder SOURCES, with BUILD as its .build and this
# machine's Swift toolchain. SOURCES is there in the place PLACE, by default the same as here. Mounts and processes end with
# the command. Needs root.
set -eu
root=$(readlink -f "$1") sources=$(readlink -f "$2") build=$(readlink -f "$3")
shift 3
toolchain=$(swift -print-target-info | sed -n 's|.*"runtimeResourcePath" *: *"\(.*\)/usr/lib/swift".*|\1|p')
place=${PLACE:-$sources}
export root sources build toolchain place
exec unshare --mount --pid --fork --kill-child sh -euc '
    # A mount of its own, so that the table of mounts has one for /.
    mount --rbind "$root" "$root"
    mkdir -p "$root$toolchain" "$root$place"
    mount --bind "$toolchain" "$root$toolchain"
    mount -o remount,bind,ro "$root$toolchain"
    mount --bind "$sources" "$root$place"
    mkdir -p "$root$place/.build"
    mount --bind "$build" "$root$place/.build"
    mount -t proc proc "$root/proc"
    mount --rbind /sys "$root/sys"
    mount --rbind /dev "$root/dev"
    mount -t tmpfs tmpfs "$root/run"
    # The network as here.
    cat /etc/resolv.conf > "$root/etc/resolv.conf"
    exec env -i HOME=/root LANG=C.UTF-8 PATH="/usr/sbin:/usr/bin:/sbin:/bin:$toolchain/usr/bin" \
        chroot "$root" sh -euc "cd \"\$0\" && exec \"\$@\"" "$place" "$@"
' - "$@"
