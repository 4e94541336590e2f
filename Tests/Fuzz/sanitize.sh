#!/bin/sh
# sanitize.sh [FOLDER…]: runs the C code with the address and undefined-behavior sanitizers, within three minutes: encoders
# and system calls (shims.c), and each decoder on its corpus, the bombs of Tests/Torture, the files of the folders, and
# 20,000 files that libFuzzer derives from the corpus, the same ones each time.
set -eu
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export LSAN_OPTIONS=suppressions=Tests/Fuzz/leaks.txt:print_suppressions=0
export ASAN_OPTIONS=quarantine_size_mb=16
export UBSAN_OPTIONS=print_stacktrace=1

# The reader of networks is Swift.
names=$(ls Tests/Fuzz/corpus | grep -v '^model$')
# shellcheck disable=SC2086 # words
Tests/Fuzz/build.sh shims $names
.build-fuzz/shims
PYTHONPATH=Tests/Harness:Tests/Torture PYTHONDONTWRITEBYTECODE=1 python3 -c '
import sys, bombs
for name, (_, pieces) in bombs.all_bombs().items():
    # libFuzzer holds files in memory, sanitized, so hostile.py tests the large ones.
    if name not in bombs.SLOW_SANITIZED and sum(piece if isinstance(piece, int) else len(piece) for piece in pieces) < 8 << 20:
        bombs.write(f"{sys.argv[1]}/{name}", pieces)
' "$folder"
for name in $names; do
    echo "Sanitizing $name"
    log=$folder/log
    # libFuzzer writes new interesting files into the first folder.
    made=$(mktemp -d)
    # Each decoder gets all files, whatever their format.
    find Tests/Fuzz/corpus/$name "$folder" "$@" -type f ! -name log -print0 |
        xargs -0 ".build-fuzz/$name" -timeout=30 -rss_limit_mb=2048 -artifact_prefix=.build-fuzz/$name- > "$log" 2>&1 &&
        ".build-fuzz/$name" -seed=1 -runs=20000 -timeout=10 -rss_limit_mb=1024 -max_len=16384 -verbosity=0 \
            -artifact_prefix=.build-fuzz/$name- "$made" "Tests/Fuzz/corpus/$name" > "$log" 2>&1 || { tail -n 60 "$log"; exit 1; }
    rm -rf "$made"
done
echo 'sanitizers: nothing found'
