#!/bin/sh
# loops.sh: runs the loops in C on several processors, some of them emulated, and compares the hashes of their results; looks
# for fused operations in all code in C; counts the instructions of a pass of the network on arm64. Its files are in
# .build/loops, and a Debian root for arm64 with headers and libraries.
set -eu
cd "$(dirname "$0")/../.."
here=Tests/Platforms
folder=.build/loops
root=$PWD/$folder/arm64
clang=${CLANG:-clang}
"$clang" --version > /dev/null 2>&1 || clang=$(dirname "$(command -v swift)")/clang
mkdir -p $folder

# Only unpacked: nothing of it runs here.
if [ ! -d "$root" ]; then
    packages=libc6-dev,libde265-dev,libgcc-12-dev,libheif-dev,libjpeg62-turbo-dev,liblcms2-dev,libpng-dev,libwebp-dev
    rm -rf "$root.new"
    mmdebstrap --quiet --variant=extract --architectures=arm64 --skip=check/qemu --include=$packages bookworm "$root.new"
    mv "$root.new" "$root"
fi

options="-O2 -std=gnu17 -Wall -Wextra -Werror -fuse-ld=lld -I$here"
for module in CLinuxShims CNetworkLoops CRasterLoops CPhotoShims; do options="$options -ISources/C/${module#C}/include"; done
options="$options -ISources/C/PhotoShims"
arm64="--target=aarch64-linux-gnu --sysroot=$root -static"
cases=$here/cases.c
loops="$here/loops.c $here/network_loops.c $here/raster_loops.c $here/photo_loops.c"
for name in ycc_colors transfer_curve png_filter block_averager eighths_reducer huffman_table; do
    loops="$loops Sources/C/PhotoShims/$name.c"
done
# shellcheck disable=SC2086 # words
build() { "$clang" $options "$@" $cases Sources/C/NetworkLoops/*.c Sources/C/LinuxShims/yielding.c -lm; }
# shellcheck disable=SC2086 # words
build $loops Sources/C/RasterLoops/*.c -o $folder/loops.x86
# shellcheck disable=SC2086 # words
build $arm64 $loops Sources/C/RasterLoops/*.c -o $folder/loops.arm64
# shellcheck disable=SC2086 # words
build $arm64 $here/pass.c -o $folder/pass.arm64
"$clang" -O2 -Wall -Wextra -Werror -shared -fPIC -fuse-ld=lld $here/count.c -o $folder/count.so

echo 'Fused operations'
for file in Sources/C/*/*.c; do
    # shellcheck disable=SC2086 # words
    "$clang" --target=aarch64-linux-gnu --sysroot="$root" -O2 -std=gnu23 -w -I"$(dirname "$file")/include" -ISources/C/LinuxShims/include \
        -I"$root/usr/include/libpng16" -S -o $folder/code.s "$file"
    if grep -E '^\s+f(n?m(add|sub)|ml[as])\s' $folder/code.s; then
        echo "$file has fused operations, which round once where others round twice" >&2
        exit 1
    fi
done

# NAME KERNELS COMMAND…: compares its hashes with the first one's. KERNELS are those it must find, or nothing.
compare() {
    name=$1 kernels=$2
    shift 2
    "$@" > "$folder/$name.txt"
    echo "$name: $(head -n 1 "$folder/$name.txt"), $(tail -n 1 "$folder/$name.txt")"
    [ -z "$kernels" ] || head -n 1 "$folder/$name.txt" | grep -qx "kernels: $kernels" || {
        echo "it should have the kernels $kernels" >&2
        exit 1
    }
    tail -n +2 "$folder/$name.txt" > $folder/hashes
    [ -f $folder/expected ] || cp $folder/hashes $folder/expected
    diff $folder/expected $folder/hashes || { echo "$name has other results than this processor" >&2; exit 1; }
}
rm -f $folder/expected
compare native '' $folder/loops.x86
compare core2duo 'SSE2 portable' qemu-x86_64 -cpu core2duo $folder/loops.x86
compare x86-64-avx2 'AVX2 SSE2 portable' qemu-x86_64 -cpu max $folder/loops.x86
compare cortex-a72 'NEON portable' qemu-aarch64 -cpu cortex-a72 $folder/loops.arm64
compare cortex-a76 'dotprod NEON portable' qemu-aarch64 -cpu cortex-a76 $folder/loops.arm64
compare arm64-max 'i8mm dotprod NEON portable' qemu-aarch64 -cpu max $folder/loops.arm64

# KERNELS PERMILLE: how many instructions a pass takes, and whether that is more than this share of the portable kernels'.
count() { qemu-aarch64 -cpu max -plugin $folder/count.so $folder/pass.arm64 "$1" "$2" $here/pass.txt 2>&1; }
portable=$(($(count portable 1) - $(count portable 0)))
echo "A pass with the portable kernels: $portable instructions"
share() {
    instructions=$(($(count "$1" 1) - $(count "$1" 0)))
    permille=$((instructions * 1000 / portable))
    echo "A pass with the kernels for $1: $instructions instructions, $permille permille"
    [ $permille -le "$2" ] || { echo "it was $2 permille" >&2; exit 1; }
}
share NEON 428
share dotprod 187
share i8mm 177
