#!/bin/sh
# build.sh NAME…: builds .build-fuzz/NAME, the C code and one entry point with the address and undefined-behavior
# sanitizers. NAME is a decoder, icc or shims; or model, the reader of networks, which is Swift. Run from the repository's
# root. Needs a clang with libFuzzer, such as the Swift toolchain's.
set -eu
clang=${CLANG:-clang}
"$clang" --version > /dev/null 2>&1 || clang=$(dirname "$(command -v swift)")/clang
shims=Sources/C/PhotoShims
system=Sources/C/LinuxShims
mkdir -p .build-fuzz

# XNNPACK is Debian's, without sanitizers; its input is checked.
build_model() {
    swiftc=${SWIFTC:-swiftc}
    folder=.build-fuzz/model-parts
    mkdir -p $folder
    "$clang" -O1 -c -ISources/C/SubjectWeights/include Sources/C/SubjectWeights/subject_weights.c -o $folder/weights.o
    "$clang" -O1 -c -I$system/include $system/yielding.c -o $folder/yielding.o
    loops=$folder/yielding.o
    for module in CRasterLoops CNetworkLoops; do
        for file in Sources/C/${module#C}/*.c; do
            object=$folder/$module-$(basename "$file" .c).o
            "$clang" -g -O1 -fsanitize=address -c -I$system/include -ISources/C/${module#C}/include "$file" -o "$object"
            loops="$loops $object"
        done
        # SwiftPM writes module maps for its own build.
        echo "module $module { header \"$PWD/Sources/C/${module#C}/include/$module.h\" export * }" > $folder/$module.modulemap
    done
    echo "module CSubjectWeights { header \"$PWD/Sources/C/SubjectWeights/include/CSubjectWeights.h\" export * }" \
        > $folder/weights.modulemap
    options="-g -O -swift-version 6 -use-ld=lld -package-name stickerd -parse-as-library -enable-upcoming-feature InternalImportsByDefault"
    # shellcheck disable=SC2086 # words
    "$swiftc" $options -sanitize=address -module-name PhotoRaster -emit-module -emit-module-path $folder/PhotoRaster.swiftmodule \
        -Xcc -fmodule-map-file=$folder/CRasterLoops.modulemap -emit-object -wmo -o $folder/raster.o Sources/PhotoRaster/*.swift
    # shellcheck disable=SC2086 # words
    "$swiftc" $options -sanitize=fuzzer,address -module-name SubjectModel -wmo -emit-executable -I $folder \
        -Xcc -fmodule-map-file=Sources/C/XNNPACK/module.modulemap -Xcc -fmodule-map-file=$folder/weights.modulemap \
        -Xcc -fmodule-map-file=$folder/CRasterLoops.modulemap -Xcc -fmodule-map-file=$folder/CNetworkLoops.modulemap \
        Sources/SubjectModel/*.swift Tests/Fuzz/model.swift $folder/raster.o $folder/weights.o $loops -o .build-fuzz/model
}

for name in "$@"; do
    if [ "$name" = model ]; then
        build_model
        continue
    fi
    sanitizers=fuzzer,address,undefined
    case $name in
        icc) harness=Tests/Fuzz/profile.c ;;
        shims) harness="Tests/Fuzz/shims.c $system/CLinuxShims.c" sanitizers=address,undefined ;;
        *) harness=Tests/Fuzz/decoder.c ;;
    esac
    # Use the toolchain's own linker if there is one: gold prints a hundred warnings.
    linker=
    [ ! -x "$(dirname "$(command -v "$clang")")/ld.lld" ] || linker=-fuse-ld=lld
    # shellcheck disable=SC2086 # words
    "$clang" -g -O1 -std=gnu17 -fsanitize=$sanitizers -fno-sanitize-recover=undefined $linker \
        -DDECODE="photo_decode_$name" -I"$shims" -I"$shims/include" -I"$system/include" $harness "$shims"/*.c $system/yielding.c \
        $(pkg-config --cflags --libs libde265 libheif libjpeg lcms2 libpng libwebp) -o ".build-fuzz/$name"
done
