#!/bin/bash
# Failures of a service: it hangs, it runs out of memory or processes, it is restarted repeatedly, it is stopped while its
# workers do not respond. Run by run.sh as root inside the container, which needs cgroup controllers (-H).
set -Eeuo pipefail
cd "$(dirname "$0")/../.."
. Tests/System/common.sh

verified() { runuser -u stickerd -- stickerd verify --inbox $inbox --outbox $outbox --state $base; }
# done_once COUNT: each of COUNT photos became exactly one sticker.
done_once() {
    within "${2:-60}" drained "$1"
    [ "$(state done)" = "$1" ] || fail "$(state done) photos are done, not $1"
    [ "$(state failed)" = "${failed:-0}" ] || fail "$(state failed) photos failed"
    within 10 consistent
    [ "$(stickers)" = "$1" ] || fail "$(stickers) stickers of $1 photos"
    verified > /dev/null || { verified || :; fail 'verify reports a problem'; }
}
# settings LINE...: settings for this step only.
settings() { printf '%s\n' "$@" > $dropin/step.conf && systemctl daemon-reload && check systemctl restart stickerd; }
main() { systemctl show -P MainPID stickerd; }
workers() { pgrep -P "$(main)"; }
filters() { awk '/^Seccomp_filters/ { print $2 }' "/proc/$1/status"; }
# All workers are running, and have started: they are confined.
has_workers() {
    [ "$(workers | wc -l)" = "$(nproc)" ] || return 1
    for worker in $(workers); do [ "$(filters "$worker")" -gt "$(filters "$(main)")" ] || return 1; done
}
says() { systemctl show -P StatusText stickerd | grep "$1"; }
in_hand() { [ "$(state processing)" -gt 0 ]; }
milliseconds() { echo $((${EPOCHREALTIME/./} / 1000)); }

step 'install'
check make --no-print-directory install-files
useradd --create-home --groups stickerd alice
mkdir -p $dropin
printf '[Unit]\nStartLimitIntervalSec=0\n[Service]\nRestartSec=200ms\n' > $dropin/test.conf
systemctl daemon-reload
check systemctl start stickerd
drop disc.jpg first.jpg
done_once 1

step 'the watchdog kills a hung process, and nothing is lost'
settings '[Service]' 'WatchdogSec=3s'
for i in $(seq 20); do drop disc.jpg "hung-$i.jpg" "hung $i"; done
within 20 in_hand
hung=$(main)
kill -STOP "$hung"
within 15 sh -c "[ \$(systemctl show -P MainPID stickerd) != $hung ]"
within 20 systemctl is-active stickerd
journalctl --sync
journalctl -u stickerd | grep 'Watchdog timeout' > /dev/null || fail 'it was not the watchdog'
done_once 21

step 'twenty restarts while sixty photos arrive'
settings '[Service]'
{ for i in $(seq 60); do drop disc.jpg "restart-$i.jpg" "restart $i"; sleep 0.1; done; } &
dropping=$!
for i in $(seq 20); do check systemctl restart stickerd; done
wait $dropping
done_once 81

step 'a second SIGTERM is immediate, although a photo is in progress'
within 20 has_workers
stuck=$(main)
kill -STOP $(workers)
drop disc.jpg impatient.jpg impatient
within 10 in_hand
kill -TERM "$stuck"
sleep 0.5
check kill -0 "$stuck"
before=$(milliseconds)
kill -TERM "$stuck"
within 3 sh -c "! kill -0 $stuck"
took=$(($(milliseconds) - before))
[ $took -le 1000 ] || fail "it took $took ms"
within 10 sh -c '! systemctl is-active stickerd'
check systemctl start stickerd
done_once 82
echo "    $took ms"

step 'a shutdown ends in time, although no worker replies'
echo '{"limits": {"secondsPerPhoto": 4}}' > /etc/stickerd/config.json
settings '[Service]'
within 20 has_workers
kill -STOP $(workers)
drop disc.jpg slow.jpg slow
within 10 in_hand
before=$(milliseconds)
check systemctl stop stickerd
took=$(($(milliseconds) - before))
[ "$(systemctl show -P Result stickerd)" = success ] || fail "not a clean stop: $(systemctl show -P Result stickerd)"
[ $took -lt 15000 ] || fail "it took $took ms"
rm /etc/stickerd/config.json
check systemctl start stickerd
done_once 83
echo "    $took ms"

step 'no process can be started: photos wait, the status says so, and work resumes by itself'
within 20 has_workers
steady=$(main)
check systemctl set-property --runtime stickerd TasksMax=1
[ "$(systemctl show -P TasksMax stickerd)" = 1 ] || fail 'there is no limit'
kill -KILL $(workers)
drop disc.jpg crowded.jpg crowded
within 20 says 'waiting: a worker cannot be started'
[ "$(state pending)" = 1 ] || [ "$(state processing)" = 1 ] || fail 'the photo does not wait'
sleep 3
[ "$(main)" = "$steady" ] || fail 'the daemon died'
check systemctl set-property --runtime stickerd TasksMax=infinity
done_once 84 90
! says 'waiting' || fail 'it still says that it waits'
[ "$(main)" = "$steady" ] || fail 'the daemon died'

step 'too little memory for one photo: only that photo fails'
# Without this, the worker's own limits would reject the photo.
echo '{"limits": {"maxMemory": 1000000000}}' > /etc/stickerd/config.json
settings '[Service]' MemoryMax=170M MemorySwapMax=0
rm /etc/stickerd/config.json
within 20 has_workers
steady=$(main)
for i in $(seq 5); do drop disc.jpg "small-$i.jpg" "small $i"; done
drop huge.webp huge.webp
for i in $(seq 6 10); do drop disc.jpg "small-$i.jpg" "small $i"; done
failed=1 done_once 94 120
[ "$(main)" = "$steady" ] || fail 'the daemon died'
journal photo-failed 'select(.STICKERD_PHOTO == "huge.webp" and (.STICKERD_REASON | test("ran out of memory")))' > /dev/null || fail 'another photo failed'

check systemctl stop stickerd
echo 'end to end, failures: passed'
