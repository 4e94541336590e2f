#!/bin/bash
# Failures of a service: it hangs, it runs out of memory or processes, it is restarted repeatedly, it is stopped while its
# workers do not respond. Run by run.sh as root inside the container, which needs cgroup controllers (-H).
set -Eeuo pipefail
cd "$(dirname "$0")/../.."
. Tests/System/common.sh

part='end to end, failures'
verified() { runuser -u stickerd -- stickerd verify --inbox $inbox --outbox $outbox --state $base 2>&1; }
# done_once COUNT: each of COUNT photos became exactly one sticker.
done_once() {
    within drained "$(($1 + ${failed:-0}))"
    [ "$(state done)" = "$1" ] || fail "$(state done) photos are done, not $1"
    within consistent
    [ "$(stickers)" = "$1" ] || fail "$(stickers) stickers of $1 photos"
    report=$(verified) || fail "verify reports a problem: $report"
}
# settings LINE...: settings for this step only.
settings() { printf '%s\n' "$@" > $dropin/step.conf && systemctl daemon-reload && check systemctl restart stickerd; }
says() { systemctl show -P StatusText stickerd | grep "$1"; }
in_hand() { [ "$(state processing)" -gt 0 ]; }
waits() { [ "$(state 'pending + .photos.processing')" = 1 ]; }
logged() { journalctl --sync && journalctl -u stickerd _PID="$1" | grep "$2"; }
# The kernel has refused the service a process three times; in the second folder where cgroups are hybrid.
refused() {
    awk '/^max/ { exit !($2 >= 3) }' < <(cat /sys/fs/cgroup{,/pids}"$(systemctl show -P ControlGroup stickerd)"/pids.events)
}

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
within has_workers
# Otherwise all photos might be done before the daemon hangs.
kill -STOP $(workers)
drop_many 20 hung
within in_hand
hung=$(main)
kill -STOP "$hung"
within sh -c "[ \$(systemctl show -P MainPID stickerd) != $hung ]"
within systemctl is-active stickerd
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
# The photo would keep it for longer than the test waits.
echo '{"limits": {"secondsPerPhoto": 3600}}' > /etc/stickerd/config.json
settings '[Service]'
within has_workers
stuck=$(main)
kill -STOP $(workers)
drop disc.jpg impatient.jpg impatient
within in_hand
kill -TERM "$stuck"
within logged "$stuck" 'Stopping after the current photos'
check kill -0 "$stuck"
kill -TERM "$stuck"
within sh -c "! kill -0 $stuck"
within sh -c '! systemctl is-active stickerd'
check systemctl start stickerd
done_once 82

step 'a shutdown ends in time, although no worker replies'
echo '{"limits": {"secondsPerPhoto": 4}}' > /etc/stickerd/config.json
settings '[Service]'
within has_workers
kill -STOP $(workers)
drop disc.jpg slow.jpg slow
within in_hand
check systemctl stop stickerd
# Otherwise systemd would have killed it after TimeoutStopSec=.
[ "$(systemctl show -P Result stickerd)" = success ] || fail "not a clean stop: $(systemctl show -P Result stickerd)"
rm /etc/stickerd/config.json
check systemctl start stickerd
done_once 83

step 'no process can be started: photos wait, the status says so, and work resumes by itself'
within has_workers
steady=$(main)
check systemctl set-property --runtime stickerd TasksMax=1
[ "$(systemctl show -P TasksMax stickerd)" = 1 ] || fail 'there is no limit'
kill -KILL $(workers)
drop disc.jpg crowded.jpg crowded
within says 'waiting: a worker cannot be started'
# The daemon may have missed its workers before it found the photo.
within waits
within refused
check systemctl set-property --runtime stickerd TasksMax=infinity
done_once 84
within sh -c '! systemctl show -P StatusText stickerd | grep waiting'
[ "$(main)" = "$steady" ] || fail 'the daemon died'

step 'too little memory for one photo: only that photo fails'
# Without this, the worker's own limits would reject the photo.
echo '{"limits": {"maxMemory": 1000000000}}' > /etc/stickerd/config.json
settings '[Service]' MemoryMax=170M MemorySwapMax=0
within has_workers
steady=$(main)
for i in $(seq 5); do drop disc.jpg "small-$i.jpg" "small $i"; done
drop huge.webp huge.webp
for i in $(seq 6 10); do drop disc.jpg "small-$i.jpg" "small $i"; done
failed=1 done_once 94
[ "$(main)" = "$steady" ] || fail 'the daemon died'
within journal photo-failed 'select(.STICKERD_PHOTO == "huge.webp" and (.STICKERD_REASON | test("ran out of memory")))'

check systemctl stop stickerd
rm /etc/stickerd/config.json
echo 'end to end, failures: passed'
