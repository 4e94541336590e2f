#!/bin/sh
# run.sh [SECONDS] [NAME…]: fuzzes each NAME, by default all folders of corpus/, for SECONDS each. Failing files are written to .build-fuzz; once the
# error is fixed, add the file to corpus/.
set -eu
cd "$(dirname "$0")/../.."
seconds=${1:-600}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- $(ls Tests/Fuzz/corpus)
build=.build-fuzz
export LSAN_OPTIONS=suppressions=Tests/Fuzz/leaks.txt:print_suppressions=0
# Freed memory stays in quarantine, to detect its use; with the default size, that alone would reach the memory limit.
export ASAN_OPTIONS=quarantine_size_mb=16

for name in "$@"; do
    mkdir -p "$build/found/$name"
    Tests/Fuzz/build.sh "$name"
    echo "Fuzzing $name for $seconds seconds"
    # A file that takes a decoder five seconds or 512 MB is an error.
    "$build/$name" -max_total_time="$seconds" -timeout=5 -rss_limit_mb=512 -max_len=65536 -print_final_stats=1 \
        -artifact_prefix="$build/$name-" "$build/found/$name" "Tests/Fuzz/corpus/$name"
done
