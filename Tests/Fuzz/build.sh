#!/bin/sh
# build.sh NAME…: the C code and one way into it, under the address and the undefined-behavior sanitizer, as
# .build-fuzz/NAME: a decoder's name, icc, or shims. Run from the repository's root. Needs a clang with libFuzzer, such as
# the Swift toolchain's.
set -eu
clang=${CLANG:-clang}
"$clang" --version > /dev/null 2>&1 || clang=$(dirname "$(command -v swift)")/clang
shims=Sources/CPhotoShims
system=Sources/CLinuxShims
mkdir -p .build-fuzz

for name in "$@"; do
    sanitizers=fuzzer,address,undefined
    case $name in
        icc) harness=Tests/Fuzz/profile.c ;;
        shims) harness="Tests/Fuzz/shims.c -I$system/include $system/CLinuxShims.c" sanitizers=address,undefined ;;
        *) harness=Tests/Fuzz/decoder.c ;;
    esac
    # The toolchain's own linker where there is one: gold warns a hundred times.
    linker=
    [ ! -x "$(dirname "$(command -v "$clang")")/ld.lld" ] || linker=-fuse-ld=lld
    # shellcheck disable=SC2086 # words
    "$clang" -g -O1 -std=gnu17 -fsanitize=$sanitizers -fno-sanitize-recover=undefined $linker \
        -DDECODE="photo_decode_$name" -I"$shims" -I"$shims/include" $harness "$shims"/*.c \
        $(pkg-config --cflags --libs libheif libjpeg lcms2 libpng libwebp) -o ".build-fuzz/$name"
done
