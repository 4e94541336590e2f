#!/bin/sh
# docc.sh [OUTPUT]: compiles the documentation comments of every module, into OUTPUT/MODULE if it is given. A warning is an
# error. Uses the toolchain's own docc, because the plugin would enter every build of the package.
set -eu
cd "$(dirname "$0")/.."
swift=${SWIFT:-swift}
output=${1:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ -z "$output" ] || mkdir -p "$output"
# The symbol graphs include the tests' modules, which only a build of the tests makes.
{
    $swift build --build-tests &&
        $swift package dump-symbol-graph --minimum-access-level package --skip-synthesized-members
} > "$work/log" 2>&1 || {
    cat "$work/log" >&2
    grep -a 'error:' "$work/log" >&2 || :
    exit 1
}
graphs=$($swift build --show-bin-path)/../symbolgraph
status=0
for module in Sources/*/; do
    module=$(basename "$module")
    # Only Swift libraries: the shims' C is read beside its callers, and the command line has no interface.
    case $module in C[A-Z]* | stickerd) continue ;; esac
    rm -rf "$work/graphs"
    mkdir "$work/graphs"
    cp "$graphs/$module.symbols.json" "$work/graphs"
    docc convert --additional-symbol-graph-dir "$work/graphs" --fallback-display-name "$module" \
        --fallback-bundle-identifier "stickerd.$module" --output-path "${output:-$work}/$module" --warnings-as-errors \
        > "$work/log" 2>&1 || {
        echo "docc: $module" >&2
        grep -v '^Error: An error was encountered' "$work/log" >&2
        status=1
    }
done
exit $status
