#!/bin/sh
# run.sh STICKERD: has a daemon export a drawn pack for every messenger and server, and reads the files with other programs.
set -eu
stickerd=$(realpath "${1:?which stickerd?}")
here=$(dirname "$(readlink -f "$0")")
export PYTHONDONTWRITEBYTECODE=1
converter=$("$here/../python.sh" Exports/converter)
signal=$("$here/../python.sh" Exports/signal)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# Settings of the user who runs it have no effect.
export HOME="$folder"
unset $(env | sed -n "s/=.*//; /^STICKERD_/p; /^XDG_/p")
PYTHONPATH="$here/../Harness" python3 "$here/pack.py" "$stickerd" "$folder"
exports=$folder/outbox/exports
"$converter" "$here/pictures.py" "$exports"
python3 "$here/archives.py" "$exports"
"$converter" "$here/telegram_requests.py" "$exports/telegram"
"$signal" "$here/signal_pack.py" "$exports/signal"

# The command writes what the daemon writes, with the daemon's folders and settings.
for name in $(ls "$exports"); do
    [ -d "$exports/$name" ] || continue
    STICKERD_IMESSAGE_SIZE=large "$stickerd" export "$folder/outbox" --for "$name" --output "$folder/once/$name" \
        --inbox "$folder/inbox" --outbox "$folder/outbox" --state "$folder/state" > "$folder/said"
    diff -r -x names.json -x files.txt -x export.txt "$exports/$name" "$folder/once/$name"
done
echo 'exports: all readers agree'
