# Shared by the steps of the end-to-end tests, which source it in the repository's root. The first failure ends the test with
# the service's journal, or what else `show` has.
part='end to end'
base=/var/lib/stickerd
inbox=$base/inbox outbox=$base/outbox
dropin=/etc/systemd/system/stickerd.service.d

fail() { printf 'FAILED: %s\n' "$*"; show || :; exit 1; }
trap 'fail "line $LINENO: $BASH_COMMAND"' ERR
step() { printf '%s: %s\n' "$part" "$*"; }
check() { "$@" > /dev/null || fail "$*"; }
# within COMMAND...: the command succeeds in time, also on a busy machine.
within() {
    local end=$((SECONDS + 120))
    until "$@" > /dev/null 2>&1; do
        [ $SECONDS -lt $end ] || fail "not in time: $*"
        sleep 0.05
    done
}

show() {
    journalctl --sync || :
    systemctl status --no-pager stickerd || :
    journalctl --no-pager -o short-monotonic -n 60 -u stickerd || :
    ls -lA $base $inbox $outbox || :
}
# drop PHOTO NAME: as a member of the group; a number after the name makes it another photo of the same image.
drop() {
    { cat "/photos/$1"; printf '%s' "${3:-}"; } | runuser -u alice -- sh -c 'umask 022; cat > "$1"' - "$inbox/$2"
}
# drop_many COUNT NAME: the same for numbered photos, so fast that few are done before the last is there.
drop_many() {
    runuser -u alice -- sh -c 'umask 022
        for i in $(seq "$1"); do { cat /photos/disc.jpg; printf "%s %s" "$2" "$i"; } > "$3/$2-$i.jpg"; done' - "$1" "$2" $inbox
}
# journal EVENT [JQ]: the service's entries of one event since its first start, as JSON.
journal() { journalctl --sync && journalctl -u stickerd -o json "STICKERD_EVENT=$1" | jq -ce "${2:-.}"; }
status() { stickerd status --json --state $base | jq -e "$1"; }
state() { status ".photos.$1"; }
# drained COUNT: so many photos are done or have failed, and none waits.
drained() { status "[.scanning, (.photos | .pending, .processing, .done + .failed)] == [false, 0, 0, $1]"; }
main() { systemctl show -P MainPID stickerd; }
workers() { pgrep -P "$(main)"; }
filters() { awk '/^Seccomp_filters/ { print $2 }' "/proc/$1/status"; }
# All workers are running, and have started: each has one filter more than the unit sets for the daemon.
has_workers() {
    [ "$(workers | wc -l)" = "$(nproc)" ] || return 1
    for worker in $(workers); do [ "$(filters "$worker")" -gt "$(filters "$(main)")" ] || return 1; done
}
# Stops a worker that has taken a photo, and sets `busy`.
stop_busy() {
    for busy in $(workers); do
        kill -STOP "$busy"
        ! ls -l "/proc/$busy/fd" | grep -F "$inbox/" || return 0
        kill -CONT "$busy"
    done
    return 1
}
stickers() { find $outbox -maxdepth 1 -name '*.png' | wc -l; }
longer_side() { od -An -tu4 --endian=big -j16 -N8 "$1" | awk '{ print ($1 > $2 ? $1 : $2) }'; }
consistent() {
    [ "$(jq '.stickers | length' $outbox/pack.json)" = "$(stickers)" ] &&
        [ "$(jq '[.stickers[].id] | unique | length' $outbox/pack.json)" = "$(stickers)" ] &&
        [ -z "$(find $outbox \( -name '.*' -o -name '*.tmp' \) ! -name .stickerd)" ]
}
# The page links to a ZIP of all stickers.
zipped() { grep "\"archive\":{[^}]*\"stickers\":$(stickers)}" $outbox/index.html; }
snapshot() { find $outbox -type f ! -name .stickerd -printf '%P %s %T@ %i\n' | sort; }
other_stickers() { grep '\.png ' | grep -v "^${sticker##*/} "; }
