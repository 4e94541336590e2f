#!/bin/bash
# kills.sh [ROUNDS] [MODE]: kills the daemon at random moments while photos arrive, then lets it finish: every photo
# must be one sticker, with the same bytes as in an undisturbed run, and no unfinished file may be left. MODE is
# originals.mode (keep, archive, delete): each original must be in exactly one place.
set -euo pipefail
cd "$(dirname "$0")/../.."
rounds=${1:-30}
mode=${2:-keep}
stickerd=${STICKERD:-$PWD/.build/release/stickerd}
work=$(mktemp -d)
trap 'kill -KILL $(jobs -p) 2> /dev/null || :; rm -rf "$work"' EXIT
fail() { echo "FAILED: $*" >&2; tail -n 30 "$work/log" >&2; exit 1; }
state() { "$stickerd" status --json --state "$work/state" | jq -e ".photos.$1"; }
export STICKERD_ORIGINALS_MODE=$mode
folders=(--inbox "$work/inbox" --outbox "$work/outbox" --state "$work/state")
start() { "$stickerd" run "${folders[@]}" 2>> "$work/log" & daemon=$!; }
photos() { (cd "$1" && find . -type f -printf '%f\n' | sort); }
stickers() { (cd "$1" && sha256sum -- *.png | sort -k 2); }

mkdir "$work/inbox" "$work/photos"
Tests/draw.sh 1600 1200 disc > "$work/disc.jpg"
for round in $(seq "$rounds"); do
    start
    # New photos in every round, so that some are always in progress when the daemon is killed.
    for i in 1 2 3; do
        { cat "$work/disc.jpg"; echo "$round $i"; } > "$work/photos/p$round-$i.jpg"
        cp "$work/photos/p$round-$i.jpg" "$work/inbox/"
    done
    sleep "0.$((RANDOM % 10))$((RANDOM % 10))"
    kill -KILL $daemon
    wait $daemon 2> /dev/null || :
done

start
for i in $(seq 600); do
    [ "$(state done)" = $((rounds * 3)) ] && break
    kill -0 $daemon 2> /dev/null || fail 'the daemon ended by itself'
    # A photo that was the only one in progress at three kills in a row fails, as intended, until it is retried.
    [ "$(state failed)" = 0 ] || "$stickerd" retry --failed "${folders[@]}" >> "$work/log"
    sleep 0.1
done
sleep 1.5
kill -TERM $daemon
wait $daemon || fail "exit status $? after SIGTERM"
"$stickerd" status --state "$work/state"
[ "$(state done)" = $((rounds * 3)) ] || fail 'not every photo is done'
[ "$(jq '[.stickers[].id] | unique | length' "$work/outbox/pack.json")" = $((rounds * 3)) ] || fail 'pack.json differs'
[ -z "$(find "$work/outbox" -name '.*' -o -name '*.tmp')" ] || fail 'an unfinished file is left'
"$stickerd" make "$work"/photos/*.jpg --output "$work/undisturbed" >> "$work/log" 2>&1
case $mode in
    keep) diff <(photos "$work/photos") <(photos "$work/inbox") || fail 'an original is not in the inbox' ;;
    archive) diff <(photos "$work/photos") <(photos "$work/archive") || fail 'an original is not in the archive' ;;
esac
[ "$mode" = keep ] || [ -z "$(photos "$work/inbox")" ] || fail 'originals are left in the inbox'
[ "$mode" = keep ] || [ -z "$(photos "$work/failed")" ] || fail 'something failed'
"$stickerd" verify "${folders[@]}" || fail 'verify reports a problem'
diff <(stickers "$work/outbox") <(stickers "$work/undisturbed") || fail 'other stickers than an undisturbed run makes'
echo "torture ($mode): $rounds kills, $((rounds * 3)) stickers, passed"
