#!/bin/bash
# The steps of the end-to-end test, run by run.sh as root inside the container.
set -Eeuo pipefail
cd "$(dirname "$0")/../.."
. Tests/System/common.sh

step 'install'
check make --no-print-directory install-files
for file in bin/stickerd lib/systemd/{system,user}/stickerd.service share/stickerd/{config,pack}.schema.json share/man/man1/stickerd.1 \
    share/bash-completion/completions/stickerd share/zsh/site-functions/_stickerd share/fish/vendor_completions.d/stickerd.fish; do
    check test -f /usr/local/$file
done
check getent passwd stickerd
[ "$(stat -c '%a %U %G' $inbox)" = '2770 stickerd stickerd' ] || fail 'the inbox is not the group'\''s'
check journalctl --list-catalog a787c6894491457ab1770e012e8359e2
useradd --create-home --groups stickerd alice

step 'units are correct and hardened'
check systemd-analyze verify --recursive-errors=no /usr/local/lib/systemd/system/stickerd.service
check env XDG_RUNTIME_DIR=/run systemd-analyze verify --user --recursive-errors=no /usr/local/lib/systemd/user/stickerd.service
check sh -c 'MANPAGER=cat systemctl help stickerd | grep -q "photos dropped into a folder"'
check systemd-analyze security --offline=yes --threshold=6 /usr/local/lib/systemd/system/stickerd.service

step 'start'
mkdir -p $dropin
printf '[Service]\nRestartSec=200ms\n' > $dropin/test.conf
systemctl daemon-reload
check systemctl start stickerd
check systemctl is-active stickerd
within journal ready
within jq -e '.schemaVersion == 3' $outbox/pack.json

step 'stickerd doctor finds nothing wrong, and what a user cannot see is no fault'
# examined RC SUBJECT LEVEL TEXT COMMAND...: the exit status, and the level and text of the first line about a subject.
examined() {
    local rc=0
    "${@:5}" > /tmp/doctor 2>&1 || rc=$?
    [ $rc = "$1" ] && awk -v level="$3" '$2 == "'"$2"'" { print; exit $1 != level }' /tmp/doctor | grep -F -- "$4" > /dev/null ||
        fail "exit status $rc, not $1, or no $3 about $2: $4: $(cat /tmp/doctor)"
}
doctor() { stickerd doctor; }
within has_workers
examined 0 daemon ok "(process $(main)) as stickerd, started by stickerd.service" doctor
examined 0 confined ok "the daemon's own namespaces: ipc, mnt, net, user, uts" doctor
examined 0 watches ok ' folders are watched; ' doctor
examined 0 memory ok ' together; ' doctor
examined 0 outbox ok 'stickerd may write it' doctor
examined 0 library note 'Permission denied' runuser -u alice -- stickerd doctor
examined 0 group ok 'alice may drop photos' runuser -u alice -- stickerd doctor
(umask 077 && echo '{}' > /etc/stickerd/config.json)
examined 0 settings note 'Permission denied; the defaults are shown' runuser -u alice -- stickerd doctor
rm /etc/stickerd/config.json

step 'stickerd doctor tells a user who is not in the group, or whose session began before the membership'
useradd --create-home bob
examined 1 group fault 'bob is not in the group stickerd' runuser -u bob -- stickerd doctor
usermod --append --groups stickerd bob
examined 1 group fault 'this session is older' setpriv --reuid bob --regid bob --clear-groups env HOME=/home/bob stickerd doctor
examined 0 group ok 'bob may drop photos' env SUDO_UID="$(id -u bob)" stickerd doctor
chmod 700 $base
examined 1 group fault 'alice may not drop photos' runuser -u alice -- stickerd doctor
chmod 755 $base

step 'a photo becomes a sticker'
drop disc.jpg cat.jpg
within drained 1
sticker=$(echo $outbox/cat-????????.png)
check test -f "$sticker"
[ "$(longer_side "$sticker")" = 512 ] || fail 'the longer side is not 512'
check runuser -u nobody -- cat "$sticker"
within jq -e '.stickers | length == 1' $outbox/pack.json
! runuser -u nobody -- ls $inbox 2> /dev/null || fail 'any user can read the inbox'

step 'the Library belongs to the service alone, and group members are told so'
[ "$(stat -c '%a %U' $base/library)" = '700 stickerd' ] || fail 'others can enter the folder of the Library'
! runuser -u alice -- stickerd status > /tmp/status 2>&1 || fail 'a group member can read the Library'
check grep -x "$base: Permission denied; use sudo" /tmp/status

step 'the workers are confined, and report no missing layer'
within has_workers
journalctl --sync
! journalctl -u stickerd | grep 'not fully confined' || fail 'a layer of the confinement is missing'

step 'the journal has it, with fields and explanation'
within journal sticker-made 'select(.STICKERD_PHOTO == "cat.jpg" and .STICKERD_STATE == "done" and (.STICKERD_STICKER | startswith("cat-"))
    and .MESSAGE_ID == "5a132025af3d44c8ac7cf64bae0f4ff5" and .PRIORITY == "6"
    and (.STICKERD_DURATION_USEC | tonumber) > 0)'
journalctl -u stickerd -x | grep 'A sticker was made from cat.jpg' > /dev/null || fail 'no catalog text'
within sh -c 'systemctl show -p StatusText stickerd | grep "1 sticker"'

step 'the same photo again is a duplicate'
drop disc.jpg again.jpg
within state 'duplicate == 1'
within journal duplicate 'select(.STICKERD_PHOTO == "again.jpg")'
[ "$(stickers)" = 1 ] || fail 'a second sticker'

step 'no subject, not a photo, and a name that would forge a log line'
drop flat.jpg flat.jpg
printf 'GIF89a no photo at all' | runuser -u alice -- sh -c 'cat > "$1"' - $inbox/$'evil\n<0>forged.jpg'
within state 'noSubject == 1'
within state 'failed == 1'
within journal photo-failed 'select(.STICKERD_PHOTO == "evil\\x0a<0>forged.jpg" and (.STICKERD_REASON | length) > 0)'
! journalctl -u stickerd -o cat | grep '^<0>forged' || fail 'a forged line'

step 'reload: valid settings apply to new photos, invalid ones change nothing'
echo '{"sticker": {"size": 256}}' > /etc/stickerd/config.json
systemctl reload stickerd
within journal settings-reloaded
drop disc.jpg small.jpg 1
within drained 3
[ "$(longer_side $outbox/small-????????.png)" = 256 ] || fail 'the longer side is not 256'
echo '{"sticker": {"sise": 128}}' > /etc/stickerd/config.json
systemctl reload stickerd
within journal settings-refused 'select(.STICKERD_REASON | test("sticker.size"))'
within sh -c 'systemctl show -P StatusText stickerd | grep "invalid settings: .*sticker.size"'
drop disc.jpg still.jpg 2
within drained 4
[ "$(longer_side $outbox/still-????????.png)" = 256 ] || fail 'invalid settings were applied'
echo '{}' > /etc/stickerd/config.json
systemctl reload stickerd
within sh -c '! systemctl show -P StatusText stickerd | grep invalid'
within sh -c "[ \$(journalctl -u stickerd -o cat STICKERD_EVENT=settings-reloaded | wc -l) = 2 ]"

step 'a worker is killed: at most its photos fail'
drop_many 40 many
main=$(main)
# The end of one that has no photo costs none.
within stop_busy
kill -KILL "$busy"
within drained 44
[ "$(main)" = "$main" ] || fail 'the daemon died with its worker'
failed=$(state failed)
[ "$failed" -le 2 ] || fail 'more than one photo failed'
within journal worker-died
within consistent

step 'the daemon is killed while it works: nothing lost, nothing twice'
drop_many 40 more
within state "done > 47 - $failed"
kill -KILL "$main"
within sh -c "[ \$(systemctl show -P MainPID stickerd) != $main ] && systemctl is-active stickerd"
within drained 84
[ "$(state failed)" = "$failed" ] || fail 'not every photo is done'
within consistent
[ "$(stickers)" = "$(state done)" ] || fail 'stickers and done photos differ'

step 'restart: only a deleted sticker is remade'
# A stop does not wait for the ZIP, which the next start would then write.
within zipped
check systemctl stop stickerd
before=$(snapshot) sum=$(sha256sum < "$sticker")
check systemctl start stickerd
within drained 84
# It ends after it has checked the outbox.
check systemctl stop stickerd
[ "$(snapshot)" = "$before" ] || fail "a restart changed the outbox: $(diff <(echo "$before") <(snapshot))"
rm "$sticker"
check systemctl start stickerd
within test -f "$sticker"
[ "$(sha256sum < "$sticker")" = "$sum" ] || fail 'another sticker than before'
within drained 84
within consistent
[ "$(snapshot | other_stickers)" = "$(other_stickers <<< "$before")" ] || fail 'other stickers were remade'

step 'stop'
check systemctl stop stickerd
[ "$(systemctl show -P Result stickerd)" = success ] || fail 'not a clean stop'
journal stopping > /dev/null || fail 'no such entry'
check consistent
check drained 84
past=$(journalctl -o cat _SYSTEMD_UNIT=stickerd.service _TRANSPORT=stdout)
[ -z "$past" ] || fail "something wrote past the journal handler: $past"

step 'root repairs what is missing, and every user may still read it'
rm $outbox/pack.json
(umask 077 && check stickerd verify --repair)
[ "$(stat -c '%a %U' $outbox/pack.json)" = '644 stickerd' ] || fail 'the index is not for everyone'

step 'photos can be moved out of a folder that a member made, and only the group can read them then'
mkdir -p $base/failed/old && echo photo > $base/failed/old/photo.jpg
chmod 755 $base/failed $base/failed/old && chown -R stickerd:stickerd $base/failed
echo '{"originals": {"mode": "archive"}}' > /etc/stickerd/config.json
check systemctl start stickerd
runuser -u alice -- sh -c 'umask 022; mkdir "$1"' - $inbox/Trip
[ "$(stat -c '%a %U %G' $inbox/Trip)" = '2770 alice stickerd' ] || fail 'the folder is not the group'\''s to write'
drop disc.jpg Trip/one.jpg trip
printf 'GIF89a no photo' | runuser -u alice -- sh -c 'umask 022; cat > "$1"' - $inbox/Trip/none.jpg
within sh -c "ls $base/archive/*/*/*/Trip/one.jpg && ls $base/failed/Trip/none.jpg.reason.txt && [ -z \"\$(ls $inbox/Trip)\" ]"
within sh -c "[ -z \"\$(find $base/archive $base/failed -maxdepth 0 -perm /007)\" ]"
within sh -c "[ -z \"\$(find $base/archive -perm /007)\" ]"
check systemctl stop stickerd
systemd-tmpfiles --create /usr/local/lib/tmpfiles.d/stickerd.conf
[ -z "$(find $base/archive $base/failed -perm /007)" ] || fail 'others could read what an older release left'
[ -z "$(find $base/archive $base/failed -type d ! -perm 2750)" ] || fail 'a folder of photos is not 2750'
rm /etc/stickerd/config.json

# manual HEADING LANGUAGE [DOCUMENT]: prints the first block of a document in this language after a heading.
manual() { awk -v heading="## $1" -v start='```'"$2" '$0 == heading { found = 1 }
    block && /^```$/ { exit } block { print } found && $0 == start { block = 1 }' Docs/"${3:-Service.md}"; }

step 'what is moved into the inbox is found once its permissions are changed as the manual says'
check systemctl start stickerd
runuser -u alice -- sh -c 'umask 077; mkdir -p ~/Trip/Day && cat /photos/disc.jpg > ~/Trip/Day/moved.jpg && mv ~/Trip "$1"' - $inbox/Moved
within sh -c 'journalctl --sync; journalctl -u stickerd -o cat | grep "Cannot read a folder.*folder=Moved "'
lines=$(manual Permissions sh)
runuser -u alice -- sh -ec "cd $inbox; ${lines//Trip/Moved}"
within sh -c "ls $outbox/Moved/moved-????????.png"
check systemctl stop stickerd

step 'folders in /srv as the manual says are all used, and the service starts without those listed with -'
{ manual 'Other folders' sh | sed 's/sudo //'; } > /tmp/folders.sh
[ "$(grep -c setfacl /tmp/folders.sh)" = 1 ] || fail 'the manual has other lines'
sh -ec ". /tmp/folders.sh"
chown alice /srv/photos
manual 'Other folders' ini > $dropin/folders.conf
manual 'Other folders' json > /etc/stickerd/config.json
systemctl daemon-reload
check systemctl start stickerd
runuser -u alice -- sh -c 'umask 077; cat /photos/disc.jpg > /srv/photos/one.jpg; mkdir /srv/photos/Trip
    { cat /photos/disc.jpg; echo two; } > /srv/photos/Trip/two.jpg; printf "GIF89a no photo" > /srv/photos/none.jpg'
within sh -c 'ls /srv/stickers/one-????????.png /srv/stickers/Trip/two-????????.png'
within sh -c 'ls /srv/archive/*/*/*/one.jpg /srv/archive/*/*/*/Trip/two.jpg /srv/failed/none.jpg'
check runuser -u nobody -- sh -c 'cat /srv/stickers/one-????????.png'
stickerd status 2> /tmp/found > /dev/null || fail 'status finds no data'
grep -q 'running daemon with its data in /var/lib/stickerd/srv' /tmp/found || fail "status uses other data: $(cat /tmp/found)"
runuser -u alice -- sh -c 'umask 077; { cat /photos/disc.jpg; echo three; } > ~/three.jpg; mv ~/three.jpg /srv/photos'
sh -ec "$(grep setfacl /tmp/folders.sh)"
within sh -c 'ls /srv/stickers/three-????????.png && [ -z "$(ls /srv/photos/three.jpg 2> /dev/null)" ]'
check systemctl stop stickerd
sed -i 's/archive/keep/' /etc/stickerd/config.json
rm -r /srv/archive /srv/failed
check systemctl start stickerd
check systemctl stop stickerd
rm $dropin/folders.conf /etc/stickerd/config.json

step 'metrics as the manual says: without the line for the unit one warning, with it a file that promtool accepts'
metrics=/var/lib/prometheus/node-exporter
mkdir -p $metrics
chown root:root $metrics && chmod 755 $metrics
check sh -ec "$(manual 'Metrics for Prometheus' sh Monitoring.md | sed 's/sudo //')"
manual 'Metrics for Prometheus' json Monitoring.md > /etc/stickerd/config.json
check systemctl start stickerd
check systemctl stop stickerd
journalctl --sync
[ "$(journalctl -o cat | grep -c 'Cannot write the metrics file.*Read-only')" = 1 ] || fail 'not one warning'
manual 'Metrics for Prometheus' ini Monitoring.md > $dropin/metrics.conf
systemctl daemon-reload
# What another user planted is not written to.
ln -s /etc/stickerd/config.json $metrics/stickerd.prom
check systemctl start stickerd
within grep -F 'stickerd_photos{state="done"} 8' $metrics/stickerd.prom
check systemctl stop stickerd
[ "$(ls -A $metrics)" = stickerd.prom ] || fail 'it left other files'
check jq -e .metrics /etc/stickerd/config.json
runuser -u nobody -- /promtool/promtool check metrics < $metrics/stickerd.prom > /tmp/promtool 2>&1 || fail "promtool: $(cat /tmp/promtool)"
[ ! -s /tmp/promtool ] || fail "promtool: $(cat /tmp/promtool)"
jq '{groups: [{name: "all", rules: [.panels[].targets[].expr | gsub("\\$__rate_interval"; "5m") | {record: "a:b", expr: .}]}]}' \
    Docs/grafana.json > /tmp/rules
check /promtool/promtool check rules --lint=none /tmp/rules
rm $dropin/metrics.conf /etc/stickerd/config.json

step 'one program runs when a pack changes, and another reads an event, as the manual says'
printf '#!/bin/sh\nid -un >> /tmp/changes\n' > /usr/local/bin/sticker-news
chmod 755 /usr/local/bin/sticker-news
check systemctl start stickerd
USER=alice check sh -ec "$(manual 'When a pack changes' sh Monitoring.md | sed 's/sudo //')"
manual 'When something happens' sh Monitoring.md > /tmp/follow.sh
timeout 120 sh /tmp/follow.sh > /tmp/events &
drop disc.jpg news.jpg news
within grep -x alice /tmp/changes
within grep '^news.jpg became news-........\.png$' /tmp/events
check systemctl stop sticker-news.path stickerd

step 'a folder in a home, by a drop-in'
mkdir /home/alice/Photos && chown stickerd:stickerd /home/alice/Photos && chmod 2775 /home/alice/Photos
mkdir /srv/more && chown stickerd:stickerd /srv/more
{
    echo '[Service]'
    echo 'Environment=STICKERD_INBOX=/home/alice/Photos STICKERD_OUTBOX=/srv/more STICKERD_STATE=/var/lib/stickerd/other'
    echo 'BindPaths=/home/alice/Photos'
    echo 'ReadWritePaths=/srv/more'
} > $dropin/folders.conf
systemctl daemon-reload
check systemctl start stickerd
cp /photos/disc.jpg /home/alice/Photos/home.jpg
within sh -c 'ls /srv/more/home-????????.png'
examined 0 inbox ok '/home/alice/Photos: ' doctor
examined 1 inbox fault '/home/alice is hidden from the service' stickerd doctor --inbox /home/alice
examined 1 outbox fault '/srv is not writable for the service' stickerd doctor --outbox /srv
check systemctl stop stickerd

step 'a hidden or protected folder is named, with the line for the unit'
# refused FOLDER LINE: the service does not start with this inbox and outbox, and says which line allows it.
refused() {
    printf '[Service]\nEnvironment=STICKERD_INBOX=%s/in STICKERD_OUTBOX=%s/out\n' "$1" "$1" > $dropin/folders.conf
    systemctl daemon-reload
    ! systemctl start stickerd 2> /dev/null || fail "it started with $1"
    [ "$(systemctl show -P ExecMainStatus stickerd)" = 78 ] || fail 'the exit status is not 78'
    # Not -u: journald may look up the unit of a process when that has ended.
    within sh -c "journalctl --sync && journalctl -o cat --output-fields=STICKERD_REASON STICKERD_EVENT=settings-refused | grep '$2\$'"
    examined 1 daemon fault 'not running: Cannot start with these settings' doctor
    check grep -- "→ .*${2%%=*}=" /tmp/doctor
}
refused /home/alice BindPaths=/home/alice/in
refused /home/alice BindPaths=/home/alice/out
refused /srv/other ReadWritePaths=/srv/other/in
rm $dropin/folders.conf
systemctl daemon-reload

step 'stickerd doctor finds what the next start would fail at: a bad setting of the unit, and a file for root alone'
printf '[Service]\nExecStart=/usr/local/bin/stickerd run\n' > $dropin/more.conf
systemctl daemon-reload
examined 1 daemon fault 'not running: its unit has a bad setting' doctor
rm $dropin/more.conf
systemctl daemon-reload
echo '{}' > /etc/stickerd/config.json
chmod 600 /etc/stickerd/config.json
examined 1 settings fault 'the user stickerd may not read it' doctor
rm /etc/stickerd/config.json

step 'invalid settings at the start: exit status 78, and no restart'
echo '{"sticker": {"sise": 128}}' > /etc/stickerd/config.json
! systemctl start stickerd 2> /dev/null || fail 'it started with invalid settings'
[ "$(systemctl show -P ExecMainStatus stickerd)" = 78 ] || fail 'the exit status is not 78'
[ "$(systemctl show -P ActiveState stickerd)" = failed ] || fail 'it waits for a restart'
rm /etc/stickerd/config.json

step 'after a run as root, the service names whose the files are, and the command that changes that'
rm -r $base/library
stickerd run --inbox $inbox --outbox $outbox --state $base 2> /tmp/as-root &
within grep 'Watching for photos' /tmp/as-root
kill $!
wait $!
! systemctl start stickerd 2> /dev/null || fail 'it started with files that belong to root'
check systemctl stop stickerd
journalctl --sync
# Not by unit: journald looks it up in /proc, and the process may have ended.
check eval "journalctl -o cat | grep '/library belongs to root, and stickerd runs as stickerd'"
cure=$(journalctl -o cat | grep -om1 'sudo chown .*/var/lib/stickerd')
check sh -ec "${cure#sudo }"
check systemctl start stickerd
check systemctl stop stickerd

step 'as a user'\''s own service'
alice=$(id -u alice)
as_alice() { runuser -u alice -- env XDG_RUNTIME_DIR=/run/user/$alice "$@"; }
# The container has no logind, so the test creates the user's runtime folder.
install -d -m 700 -o alice /run/user/$alice
for unit in user@ user-runtime-dir@; do mkdir -p /etc/systemd/system/$unit.service.d; done
printf '[Service]\nPAMName=\nEnvironment=XDG_RUNTIME_DIR=/run/user/%%i\n' > /etc/systemd/system/user@.service.d/test.conf
printf '[Service]\nExecStart=\nExecStart=/bin/true\nExecStop=\n' > /etc/systemd/system/user-runtime-dir@.service.d/test.conf
systemctl daemon-reload
check systemctl start user@$alice
check as_alice systemctl --user start stickerd
runuser -u alice -- cp /photos/disc.jpg /home/alice/.local/share/stickerd/inbox/own.jpg
within sh -c 'ls /home/alice/.local/share/stickerd/outbox/own-????????.png'
examined 0 daemon ok ' as alice' as_alice env HOME=/home/alice stickerd doctor
examined 0 inbox ok '/home/alice/.local/share/stickerd/inbox: ' as_alice env HOME=/home/alice stickerd doctor
check as_alice systemctl --user stop stickerd

step 'uninstall: the program is removed, the stickers stay'
check make --no-print-directory uninstall
[ -z "$(find /usr/local -name '*stickerd*')" ] || fail "left: $(find /usr/local -name '*stickerd*')"
check test -f "$sticker"
echo 'end to end: passed'
