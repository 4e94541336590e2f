#!/bin/sh
# swift-test.sh COMMAND...: runs `swift test` and, if tests fail, repeats at the end what failed, which is
# thousands of lines up by then.
set -u
log=$(mktemp)
trap 'rm -f "$log" "$log.status"' EXIT
{ "$@" 2>&1; echo $? > "$log.status"; } | tee "$log"
status=$(cat "$log.status")
if [ "$status" != 0 ]; then
    echo 'Failed:' >&2
    grep -aE '^✘|recorded an issue|error: ' "$log" | grep -av '^✘ Suite' | head -n 100 >&2
fi
exit "$status"
