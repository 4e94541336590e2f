#!/bin/sh
# cross-arm64.sh DISTRIBUTION SOURCES BUILD PRODUCT…: builds products of SOURCES for arm64 in BUILD, for a
# distribution's libraries, with Debian unstable's Swift compiler. Swift's libraries are linked statically. The
# dependencies must be in BUILD. Needs root and mmdebstrap. SOURCES is at PLACE (inside.sh) for the compiler.
#
# Two roots below .build/platforms stay for the next run: `sid`, with the compiler, and DISTRIBUTION-arm64, an amd64
# system that also has what debian/control names, for arm64, and qemu-user, which runs arm64 programs.
set -eu
here=$(dirname "$(readlink -f "$0")")
distribution=$1 sources=$(readlink -f "$2") build=$(readlink -f "$3")
shift 3
[ "$(id -u)" = 0 ] || { echo 'cross-arm64.sh needs root, to make and change roots.' >&2; exit 1; }
platforms=$here/../../.build/platforms
mkdir -p "$platforms"
compiler=$(readlink -f "$platforms/sid") system=$(readlink -f "$platforms/$distribution-arm64")
"$here/unstable.sh" "$compiler" ca-certificates,g++,git,pkg-config,swiftlang --variant=minbase
"$here/root.sh" "$distribution" "$system" dpkg-dev
"$here/inside.sh" "$system" "$sources" "$build" sh -euc '
    export DEBIAN_FRONTEND=noninteractive
    dpkg --add-architecture arm64
    apt-get update -q
    apt-get install -q -y --no-install-recommends g++-aarch64-linux-gnu qemu-user
    apt-get build-dep -q -y --no-install-recommends --host-architecture=arm64 ./'

# Swift's libraries for arm64 are in the package of its compiler for arm64, which nothing here runs.
swift=/usr/libexec/swift-arm64
[ -d "$compiler$swift" ] || "$here/inside.sh" "$compiler" "$sources" "$build" sh -euc '
    dpkg --add-architecture arm64
    apt-get update -q -o Acquire::Check-Valid-Until=false
    cd "$(mktemp -d)"
    apt-get download -q swiftlang:arm64
    mkdir "$0.draft"
    dpkg-deb --fsys-tarfile swiftlang_*.deb | tar -x -C "$0.draft" --strip-components=5 \
        ./usr/libexec/swift/lib/swift_static ./usr/libexec/swift/lib/clang
    rm -r "$PWD"
    mv "$0.draft" "$0"' "$swift"

# Where the driver looks for them, below the SDK.
ln -sfn "$swift/swift_static" "$system/usr/lib/swift_static"

# Debian 12 has glibc 2.36.
[ "$distribution" != bookworm ] || {
    "$here/inside.sh" "$system" "$sources" "$build" \
        aarch64-linux-gnu-gcc -O2 -fPIC -c Tests/Platforms/glibc_2_38.c -o .build/glibc_2_38.o
    more=', "-Xlinker", ".build/glibc_2_38.o"'
}

gcc=$(cd "$system" && echo usr/lib/gcc-cross/aarch64-linux-gnu/*)
cat > "$build/arm64.json" <<END
{
    "version": 1, "sdk": "/mnt", "toolchain-bin-dir": "/usr/libexec/swift/bin",
    "target": "aarch64-unknown-linux-gnu", "dynamic-library-extension": "so",
    "extra-cc-flags": ["-fPIC", "--gcc-install-dir=/mnt/$gcc"], "extra-cpp-flags": [],
    "extra-swiftc-flags": [
        "-sdk", "/mnt", "-resource-dir", "$swift/swift_static", "-use-ld=lld",
        "-Xclang-linker", "--gcc-install-dir=/mnt/$gcc"${more-}
    ]
}
END
# Debian 12 has absolute links to libraries. The mounts end with the last process of this namespace.
libraries=usr/lib/aarch64-linux-gnu
mkdir -p "$compiler/$libraries"
export here sources build compiler system libraries
exec unshare --mount sh -euc '
    mount --bind "$system" "$compiler/mnt"
    mount --bind "$system/$libraries" "$compiler/$libraries"
    for product; do
        "$here/inside.sh" "$compiler" "$sources" "$build" nice -n 15 env PKG_CONFIG_SYSROOT_DIR=/mnt \
            PKG_CONFIG_PATH=/mnt/usr/lib/aarch64-linux-gnu/pkgconfig:/mnt/usr/share/pkgconfig \
            swift build -c release --static-swift-stdlib --destination .build/arm64.json --product "$product"
    done' - "$@"
