#!/bin/sh
# inside.sh ROOT SOURCES BUILD COMMAND...: runs a command in a root, in the folder SOURCES, with BUILD as its .build and this
# machine's Swift toolchain. Mounts and processes end with the command. Needs root.
set -eu
root=$(readlink -f "$1") sources=$(readlink -f "$2") build=$(readlink -f "$3")
shift 3
toolchain=$(swift -print-target-info | sed -n 's|.*"runtimeResourcePath" *: *"\(.*\)/usr/lib/swift".*|\1|p')
export root sources build toolchain
exec unshare --mount --pid --fork --kill-child sh -euc '
    for folder in "$toolchain" "$sources"; do
        mkdir -p "$root$folder"
        mount --bind "$folder" "$root$folder"
    done
    mount -o remount,bind,ro "$root$toolchain"
    mkdir -p "$root$sources/.build"
    mount --bind "$build" "$root$sources/.build"
    mount -t proc proc "$root/proc"
    mount --rbind /sys "$root/sys"
    mount --rbind /dev "$root/dev"
    for folder in run tmp; do mount -t tmpfs -o mode=1777 tmpfs "$root/$folder"; done
    # The network as here.
    cat /etc/resolv.conf > "$root/etc/resolv.conf"
    exec env -i HOME=/root LANG=C.UTF-8 PATH="/usr/sbin:/usr/bin:/sbin:/bin:$toolchain/usr/bin" \
        chroot "$root" sh -euc "cd \"\$0\" && exec \"\$@\"" "$sources" "$@"
' - "$@"
