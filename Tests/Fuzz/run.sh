#!/bin/sh
# Fuzzes every decoder: run.sh [seconds each] [name…]. What is found stays in .build-fuzz; a file that fails goes into
# corpus/ once it is mended.
set -eu
cd "$(dirname "$0")/../.."
seconds=${1:-600}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- jpeg png webp heif icc model
build=.build-fuzz
export LSAN_OPTIONS=suppressions=Tests/Fuzz/leaks.txt:print_suppressions=0
# What was freed is kept for a while to catch its use; with hundreds of thousands of files that alone would meet the limit.
export ASAN_OPTIONS=quarantine_size_mb=16

for name in "$@"; do
    mkdir -p "$build/found/$name"
    Tests/Fuzz/build.sh "$name"
    echo "Fuzzing $name for $seconds seconds"
    # No file may take a decoder five seconds or 512 MB.
    "$build/$name" -max_total_time="$seconds" -timeout=5 -rss_limit_mb=512 -max_len=65536 -print_final_stats=1 \
        -artifact_prefix="$build/$name-" "$build/found/$name" "Tests/Fuzz/corpus/$name"
done
