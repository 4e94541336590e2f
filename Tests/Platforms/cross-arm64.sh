#!/bin/sh
# cross-arm64.sh PRODUCT…: builds products for arm64 with Debian unstable's Swift compiler, in .build/cross-arm64, and links
# Swift's libraries statically. PACKAGES names the -dev packages that they need. Needs root and mmdebstrap.
#
# Two folders below .build/platforms stay for the next run: `sid`, a system with the compiler, and `arm64`, headers and
# libraries of the same distribution, which nothing runs in.
set -eu
cd "$(dirname "$0")/../.."
[ "$(id -u)" = 0 ] || { echo 'cross-arm64.sh needs root, to change the root.' >&2; exit 1; }
platforms=$PWD/.build/platforms
compiler=$platforms/sid
target=$platforms/arm64
Tests/Platforms/unstable.sh "$compiler" ca-certificates,g++,git,pkg-config,swiftlang --variant=minbase
# Plug-ins decode HEIC and AVIF; kernel and busybox are for test-arm64. The compiler's own programs are not needed twice.
Tests/Platforms/unstable.sh "$target" \
    "busybox-static,g++,libheif-plugin-dav1d,libheif-plugin-libde265,linux-image-arm64,swiftlang,$(echo $PACKAGES | tr ' ' ,)" \
    --variant=extract --architectures=arm64 --skip=check/qemu --dpkgopt='path-exclude=/usr/libexec/swift/bin/*'
# As in an installed system, where linkers look for libraries and for Swift's.
ln -sfn usr/lib "$target/lib"
ln -sfn ../libexec/swift/lib/swift_static "$target/usr/lib/swift_static"

gcc=$(echo "$target"/usr/lib/gcc/aarch64-linux-gnu/*)
cat > "$platforms/arm64.json" <<END
{
    "version": 1, "sdk": "$target", "toolchain-bin-dir": "/usr/libexec/swift/bin",
    "target": "aarch64-unknown-linux-gnu", "dynamic-library-extension": "so",
    "extra-cc-flags": ["-fPIC", "--gcc-install-dir=$gcc"], "extra-cpp-flags": [],
    "extra-swiftc-flags": [
        "-sdk", "$target", "-resource-dir", "$target/usr/libexec/swift/lib/swift_static", "-use-ld=lld",
        "-Xclang-linker", "--gcc-install-dir=$gcc"
    ]
}
END

# If git reads the dependencies from folders of this machine, the compiler's system does, too.
mirrors=$(git config --get-regexp '^url\./.*\.insteadof$' | sed -E 's/^url\.(.*)\.insteadof .*/\1/' | sort -u)
git config --get-regexp '^url\..*\.insteadof$' | while read -r key value; do
    printf '[url "%s"]\n\tinsteadOf = %s\n' "$(echo "$key" | sed -E 's/^url\.(.*)\.insteadof$/\1/')" "$value"
done > "$compiler/etc/gitconfig"

# The mounts end with the last process of this namespace.
export compiler target mirrors
exec unshare --mount sh -eu -c '
    for folder in "$PWD" $mirrors; do
        mkdir -p "$compiler$folder"
        mount --bind "$folder" "$compiler$folder"
    done
    mount -t proc proc "$compiler/proc"
    mount --bind /dev "$compiler/dev"
    touch "$compiler/etc/resolv.conf"
    mount --bind "$(realpath /etc/resolv.conf)" "$compiler/etc/resolv.conf"
    for product; do
        chroot "$compiler" env -i PATH=/usr/bin HOME=/root TMPDIR=/tmp PKG_CONFIG_SYSROOT_DIR="$target" \
            PKG_CONFIG_PATH="$target/usr/lib/aarch64-linux-gnu/pkgconfig:$target/usr/share/pkgconfig" \
            sh -c "cd \"\$1\" && shift && exec nice -n 15 swift build \"\$@\"" - "$PWD" -c release --static-swift-stdlib \
            --scratch-path .build/cross-arm64 --destination .build/platforms/arm64.json --product "$product"
    done' - "$@"
