#!/bin/sh
# docc.sh [OUTPUT]: compiles the documentation comments of every module of the debug build, into OUTPUT/MODULE if it is given. A
# warning is an error. Uses the toolchain's own docc, because the plugin would enter every build of the package, and
# swift-symbolgraph-extract, because SwiftPM's command would wait for any other build and extract the tests' modules, too.
set -eu
cd "$(dirname "$0")/.."
output=${1:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Pages are made only if they are asked for: docc makes none if another user owns the toolchain.
pages=--no-transform-for-static-hosting
[ -z "$output" ] || { mkdir -p "$output" && output=$(realpath "$output") pages=; }
toolchain=$(dirname "$(readlink -f "$(command -v "${SWIFT:-swift}")")")
target=$("${SWIFT:-swift}" -print-target-info | awk -F '"' '/"unversionedTriple"/ { print $4 }')
# The C modules that Swift's import.
maps=
for map in .build/debug/*.build/module.modulemap Sources/C/*/module.modulemap \
    .build/checkouts/*/Sources/*/module.modulemap .build/checkouts/*/Sources/*/include/module.modulemap; do
    case $map in *Cipher*) ;; *) maps="$maps -Xcc -fmodule-map-file=$map" ;; esac
done
status=0
for module in Sources/*/; do
    module=$(basename "$module")
    # Only Swift libraries: the shims' C is read beside its callers, and the command line has no interface.
    case $module in C | stickerd) continue ;; esac
    rm -rf "$work/graphs"
    mkdir "$work/graphs"
    (
        "$toolchain/swift-symbolgraph-extract" -module-name "$module" -I .build/debug/Modules $maps -target "$target" \
            -minimum-access-level package -skip-synthesized-members -output-dir "$work/graphs" &&
            rm -f "$work"/graphs/*@* &&
            "$toolchain/docc" convert $pages --additional-symbol-graph-dir "$work/graphs" --fallback-display-name "$module" \
                --fallback-bundle-identifier "stickerd.$module" --output-path "${output:-$work}/$module" --warnings-as-errors
    ) > "$work/log" 2>&1 || {
        echo "docc: $module" >&2
        grep -v '^Error: An error was encountered' "$work/log" >&2
        status=1
    }
done
exit $status
