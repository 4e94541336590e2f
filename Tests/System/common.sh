# Shared by the steps of the end-to-end tests, which source it in the repository's root. Every wait has a timeout, and the
# first failure ends the test with the service's journal.
base=/var/lib/stickerd
inbox=$base/inbox outbox=$base/outbox
dropin=/etc/systemd/system/stickerd.service.d

fail() {
    printf 'FAILED: %s\n' "$*"
    journalctl --sync || :
    systemctl status --no-pager stickerd || :
    journalctl --no-pager -o short-monotonic -n 60 -u stickerd || :
    ls -lA $base $inbox $outbox || :
    exit 1
}
trap 'fail "line $LINENO: $BASH_COMMAND"' ERR
step() { printf 'end to end: %s\n' "$*"; }
check() { "$@" > /dev/null || fail "$*"; }
# within SECONDS COMMAND...: the command succeeds within this time.
within() {
    local end=$((${EPOCHREALTIME/./} + $1 * 1000000)); shift
    until "$@" > /dev/null 2>&1; do
        [ ${EPOCHREALTIME/./} -lt $end ] || fail "not in time: $*"
        sleep 0.05
    done
}
# drop PHOTO NAME: as a member of the group; a number after the name makes it another photo of the same image.
drop() {
    { cat "/photos/$1"; printf '%s' "${3:-}"; } | runuser -u alice -- sh -c 'umask 022; cat > "$1"' - "$inbox/$2"
}
# journal EVENT [JQ]: the service's entries of one event since its first start, as JSON.
journal() { journalctl --sync && journalctl -u stickerd -o json "STICKERD_EVENT=$1" | jq -ce "${2:-.}"; }
state() { stickerd status --json --state $base | jq -e ".photos.$1"; }
drained() { [ "$(state pending)" = 0 ] && [ "$(state processing)" = 0 ] && [ "$(state done)" -ge "${1:-0}" ]; }
stickers() { find $outbox -maxdepth 1 -name '*.png' | wc -l; }
longer_side() { od -An -tu4 --endian=big -j16 -N8 "$1" | awk '{ print ($1 > $2 ? $1 : $2) }'; }
consistent() {
    [ "$(jq '.stickers | length' $outbox/pack.json)" = "$(stickers)" ] &&
        [ "$(jq '[.stickers[].id] | unique | length' $outbox/pack.json)" = "$(stickers)" ] &&
        [ -z "$(find $outbox -name '.*' -o -name '*.tmp')" ]
}
snapshot() { find $outbox -type f -printf '%P %s %T@ %i\n' | sort; }
