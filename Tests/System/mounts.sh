#!/bin/bash
# mounts.sh: inbox or outbox is a disk that is unmounted and mounted again, in several ways; and the kernel has no watches
# left. Nothing may be lost, duplicated or withdrawn. Everything is mounted in a separate namespace. Exits with 77 if this
# machine cannot.
set -euo pipefail
cd "$(dirname "$0")/../.."
. Tests/System/common.sh
part=mounts
stickerd=${STICKERD:-$PWD/.build/release/stickerd}
if [ -z "${IN_NAMESPACE:-}" ]; then
    missing=
    [ "$(id -u)" = 0 ] && unshare --mount true 2> /dev/null || missing='it needs root and namespaces'
    for tool in mkfs.ext4 losetup perl; do command -v $tool > /dev/null || missing="it needs $tool"; done
    [ -z "$missing" ] || { echo "mounts: SKIPPED: $missing"; exit 77; }
    # Settings of the user who runs it have no effect.
    exec env -i IN_NAMESPACE=1 PATH="$PATH" STICKERD="$stickerd" unshare --mount --propagation private -- "$0"
fi

work=$(mktemp -d)
# Root in a user namespace may not enter other users' folders, where the program may be.
cp "$stickerd" "$work/stickerd"
stickerd=$work/stickerd
inbox=$work/inbox outbox=$work/outbox
daemon=
cleanup() {
    [ -z "$daemon" ] || kill -KILL $daemon 2> /dev/null || :
    [ -z "${listener:-}" ] || kill $listener 2> /dev/null || :
    for folder in "$inbox"/{Card,stickers,old,own,self,"a part",up/part,down/part} "$inbox" "$inbox" "$outbox/Trip" "$outbox" "$work/usb" "$work/full" "$work"/disk-?; do umount -l "$folder" 2> /dev/null || :; done
    rm -rf "$work"
}
trap cleanup EXIT
show() { tail -n 40 "$work/log" "$work/status"; }
folders=(--inbox "$inbox" --outbox "$outbox" --state "$work/state")
export STICKERD_WHEN_PHOTO_REMOVED=withdraw STICKERD_WATCH_SETTLE_SECONDS=0.2 STICKERD_WORKERS=1 STICKERD_STICKER_SIZE=96
export STICKERD_STICKER_OUTLINE_WIDTH=4 STICKERD_STICKER_PADDING=2 STICKERD_LOG_LEVEL=debug HOME=$work
# `said` and `says` are about what comes from here on.
from_here() { : > "$work/log"; : > "$work/status"; }
start() { from_here; NOTIFY_SOCKET=$work/notify "$stickerd" run "${folders[@]}" 2>> "$work/log" & daemon=$!; }
stop() { kill -TERM $daemon; wait $daemon || fail "exit status $?"; daemon=; }
status() { "$stickerd" status --json --state "$work/state" | jq -e "$1"; }
files() { status ".photos.$1 == $2"; }
stickers() { (cd "$outbox" && find . -name '*.png' -exec sha256sum {} + | sort -k 2); }
index() { jq -S '[.stickers[].file]' "$outbox/pack.json"; }
listed() { jq -e ".stickers | length == $1" "$outbox/pack.json"; }
says() { tail -n 1 "$work/status" | grep "$1"; }
works() { [ -s "$work/status" ] && ! says waiting; }
said() { grep "$1" "$work/log"; }
# The inbox has been read once more. Before the log says so, the Library has what was found.
reread() { said 'Read the inbox'; }
photo() { { cat "$work/disc.jpg"; printf '%s' "$1"; }; }
# examined LINE: stickerd doctor prints a line that begins so; the rest of the arguments are flags.
examined() { { "$stickerd" doctor --state "$work/state" "${@:2}" || :; } > "$work/doctor" && grep -E "^$1" "$work/doctor"; }
drop() { photo "$2" > "$inbox/.dropping" && mv "$inbox/.dropping" "$inbox/$1"; }

# What systemd would show as the service's status, line by line; Perl is part of every Debian.
perl -MIO::Socket::UNIX -e '
    my $socket = IO::Socket::UNIX->new(Type => SOCK_DGRAM, Local => shift) or die;
    $| = 1;
    while (defined $socket->recv(my $message, 4096)) { print "$1\n" if $message =~ /^STATUS=(.*)$/m }
' "$work/notify" >> "$work/status" &
listener=$!
within test -S "$work/notify"
Tests/Harness/photos.py 160 120 disc > "$work/disc.jpg"
mkdir "$inbox"
# Three disks: file systems in files, which keep their ID while their device number changes.
for disk in a b; do
    mkdir "$work/disk-$disk"
    truncate -s 32M "$work/$disk.img"
    mkfs.ext4 -q "$work/$disk.img"
done
mount_disk() { mount -o loop "$work/$1.img" "$2"; }

step 'photos on a disk become stickers'
mount_disk a "$inbox"
start
within said 'Watching for photos'
for i in 1 2 3; do drop "p$i.jpg" "$i"; done
within files done 3
within listed 3
before=$(stickers) order=$(index)

# unchanged NAME: nothing was withdrawn, duplicated, remade or recorded as new.
unchanged() {
    [ "$(stickers)" = "$before" ] || fail "$1: other stickers than before"
    [ "$(index)" = "$order" ] || fail "$1: another pack.json than before"
    [ "$(status .photos.done)" = "$(echo "$before" | wc -l)" ] || fail "$1: other photos are done"
    [ "$(status .photos.duplicate)" = 0 ] || fail "$1: a photo is its own duplicate"
}

step 'it is unmounted while stickerd runs: work pauses, and the status says why'
umount "$inbox"
within says 'waiting: .*is empty and not the previous inbox'
within said 'Inbox unavailable'
unchanged 'unmounted'

step 'it comes back, under another device number'
mount_disk b "$work/disk-b"
losetup -f > /dev/null
truncate -s 1M "$work/spare.img"; spare=$(losetup -f --show "$work/spare.img")
from_here
mount_disk a "$inbox"
within works
within reread
within said 'Inbox available again'
unchanged 'mounted again'
losetup -d "$spare"
drop p4.jpg 4
within files done 4
within listed 4
before=$(stickers) order=$(index)

step 'a lazy unmount, of which inotify reports nothing'
umount -l "$inbox"
within says waiting:
unchanged 'unmounted lazily'
mount_disk a "$inbox"
within works

step 'something is mounted over it'
mount -t tmpfs none "$inbox"
within says waiting:
from_here
umount "$inbox"
within works
within reread
unchanged 'mounted over'

step 'it is unmounted while photos wait: each becomes a sticker once it is back'
kill -STOP $daemon
for i in 5 6 7 8; do drop "p$i.jpg" "$i"; done
umount -l "$inbox"
kill -CONT $daemon
within says waiting:
mount_disk a "$inbox"
within files done 8
within listed 8
[ "$(stickers | wc -l)" = 8 ] || fail 'not a sticker for each photo'
before=$(stickers) order=$(index)

step 'stickerd starts before its disk'
stop
umount "$inbox"
start
within says 'waiting: .*is empty'
unchanged 'started without'
rmdir "$inbox"
within says 'waiting: .*moved, removed or unmounted'
stop
start
within says 'waiting: .*moved, removed or unmounted'
[ ! -e "$inbox" ] || fail 'a folder was made where the disk belongs'
mkdir "$inbox"
from_here
mount_disk a "$inbox"
within works
within reread
unchanged 'started before its disk'

step 'a card below the inbox is unmounted and mounted again'
stop
export STICKERD_WATCH_RESCAN_SECONDS=5
start
mkdir "$inbox/Card"
umount "$work/disk-b"
mount_disk b "$inbox/Card"
photo 9 > "$inbox/Card/p9.jpg"
within files done 9
umount "$inbox/Card"
stop
start
within reread
check files done 9
mount_disk b "$inbox/Card"
stop
start
within reread
check files done 9

step 'a photo deleted on the right disk counts as deleted'
rm "$inbox/p1.jpg"
within files done 8
within listed 7
stop
umount "$inbox/Card" "$inbox"

step 'the outbox is unavailable at a start: no sticker counts as missing, and work resumes when it is back'
rm -rf "$inbox" "$outbox" "$work/state"; mkdir "$inbox" "$outbox"
: > "$work/log"
export STICKERD_WHEN_PHOTO_REMOVED=keep STICKERD_ORIGINALS_MODE=delete STICKERD_LIMITS_MIN_FREE_BYTES=1048576
mkfs.ext4 -qF "$work/a.img"
mount_disk a "$outbox"
start
within said 'Watching for photos'
for i in 1 2 3; do drop "p$i.jpg" "$i"; done
within listed 3
within sh -c "[ -z \"\$(ls '$inbox')\" ]"
stop
before=$(stickers) order=$(index)
umount "$outbox"
start
within says 'waiting: .*outbox: not the disk the outbox was on'
drop p4.jpg 4
within files pending 1
[ -z "$(ls -A "$outbox")" ] || fail 'something was written below the mount point'
[ -e "$inbox/p4.jpg" ] || fail 'a photo was deleted without its sticker'
"$stickerd" verify "${folders[@]}" > "$work/verified" && fail 'verify reports no problem without the outbox'
[ "$(grep -c 'not the disk the outbox was on' "$work/verified")" = 1 ] || fail 'verify does not report the unavailable outbox'
! grep -q 'is missing' "$work/verified" || fail 'verify reports stickers as missing'
"$stickerd" verify --repair "${folders[@]}" > /dev/null 2>&1 && fail 'verify repairs without the outbox'
[ "$(grep -c 'error .*Outbox unavailable' "$work/log")" = 1 ] || fail 'the log does not report it exactly once'
mount_disk a "$outbox"
within listed 4
within said 'Outbox available again'
[ "$(index | jq -c '.[:3]')" = "$(echo "$order" | jq -c .)" ] || fail 'another pack.json than before'
[ "$(stickers | grep -v /p4-)" = "$before" ] || fail 'other stickers than before'

step 'something is mounted over an inbox whose photos were all deleted: work pauses, too'
within sh -c "[ -z \"\$(ls '$inbox')\" ]"
mount -t tmpfs none "$inbox"
within says 'waiting: .*is empty and not the previous inbox'
umount "$inbox"
within works

step 'it is unmounted while photos are processed and deleted: none is lost'
kill -STOP $daemon
for i in 5 6 7 8; do drop "p$i.jpg" "$i"; done
umount -l "$outbox"
kill -CONT $daemon
within says 'waiting: .*outbox: not the disk the outbox was on'
# A deleted photo is done.
everywhere() { [ $(($(ls "$inbox" | wc -l) + $(status .photos.done))) = 8 ]; }
within everywhere
[ -z "$(find "$outbox" -type f)" ] || fail 'something was written below the mount point'
mount_disk a "$outbox"
within listed 8
within sh -c "[ -z \"\$(ls '$inbox')\" ]"
"$stickerd" verify "${folders[@]}" || fail 'verify reports a problem'

step 'its mount point is missing: none is created, and stickerd starts'
stop
order=$(index)
umount "$outbox"
rmdir "$outbox"
start
within says 'waiting: .*outbox: the outbox is missing'
[ ! -e "$outbox" ] || fail 'a folder was made where the disk belongs'
stop

step 'the outbox moves to another disk with its files, and is recognized'
mkdir "$outbox" "$work/disk-c"
mkfs.ext4 -qF "$work/b.img"
mount_disk b "$outbox"
mount_disk a "$work/disk-c"
cp -a "$work/disk-c/." "$outbox/"
umount "$work/disk-c"
start
drop p9.jpg 9
within listed 9
[ "$(index | jq -c '.[:8]')" = "$(echo "$order" | jq -c .)" ] || fail 'another pack.json than before'
stop

step 'it is mounted read-only: photos wait, and resume once it is writable'
mount -o remount,ro "$outbox"
start
drop p10.jpg 10
within says 'waiting: .*Read-only file system'
[ -e "$inbox/p10.jpg" ] || fail 'a photo was deleted without its sticker'
mount -o remount,rw "$outbox"
within listed 10
stop
umount "$outbox"

step 'it is a folder of the file system that its mount point is on: that it is missing is noticed'
mkdir "$work/elsewhere"
mount_disk b "$work/disk-c"
cp -a "$work/disk-c/." "$work/elsewhere/"
umount "$work/disk-c"
mount --bind "$work/elsewhere" "$outbox"
start
drop p11.jpg 11
within listed 11
stop
umount "$outbox"
start
within says 'waiting: .*outbox: not the disk the outbox was on'
drop p12.jpg 12
within files pending 1
[ -z "$(ls -A "$outbox")" ] || fail 'something was written below the mount point'
"$stickerd" verify "${folders[@]}" > "$work/verified" && fail 'verify reports no problem without the outbox'

step 'the command that the message names accepts an empty disk in its place'
eval "$(sed -n 's/.*; if it is lost, run: //p' "$work/verified")"
within listed 1
stop
export STICKERD_WHEN_PHOTO_REMOVED=withdraw STICKERD_ORIGINALS_MODE=keep

step 'mounts show outbox, archive, state, the inbox itself and folders inside these in the inbox: nothing in them is read'
rm -rf "$outbox" "$work/state" "$inbox"
mkdir -p "$inbox"/{stickers,old,own,self,"a part",up/part} "$outbox/x/y" "$work/state" "$work/archive"
photo y > "$outbox/x/y/y.jpg"
export STICKERD_ORIGINALS_MODE=archive STICKERD_ORIGINALS_ARCHIVE=$work/archive STICKERD_ORIGINALS_FAILED=$work/failed
mount --bind "$outbox" "$inbox/stickers"
mount --bind "$work/archive" "$inbox/old"
mount --bind "$work/state" "$inbox/own"
mount --bind "$inbox" "$inbox/self"
mount --bind "$outbox/x" "$inbox/a part"
mount --bind "$outbox/x" "$inbox/up/part"
start
within said 'Watching for photos'
drop p1.jpg 1
within listed 1
within sh -c "[ -n \"\$(find '$work/archive' -name p1.jpg)\" ]"
from_here
within reread
check files done 1
check listed 1
[ "$(find "$outbox" -maxdepth 1 -name '*.png' | wc -l)" = 1 ] || fail 'stickers became photos'
"$stickerd" verify "${folders[@]}" || fail 'verify reports a problem'
from_here
mv "$inbox/up" "$inbox/down"
drop p2.jpg 2
within listed 2
within reread
check files done 2
stop
umount "$inbox"/{stickers,old,own,self,"a part",down/part}
mount --bind "$inbox" "$outbox"
"$stickerd" run "${folders[@]}" 2> "$work/log" && fail 'one folder as inbox and outbox is accepted'
check said 'is the same folder as inbox'
umount "$outbox"

step 'the disk of the archive is missing at a start: photos wait, and nothing lands below its mount point'
rm -rf "$outbox" "$work/state" "$inbox"; mkdir "$inbox" "$work/usb"
mkfs.ext4 -qF "$work/a.img"
mount_disk a "$work/usb"
export STICKERD_ORIGINALS_ARCHIVE=$work/usb/archive STICKERD_ORIGINALS_FAILED=$work/usb/failed
start
within said 'Watching for photos'
drop p1.jpg 1
within sh -c "[ -z \"\$(ls '$inbox')\" ]"
stop
umount "$work/usb"
start
drop p2.jpg 2
within says 'waiting: .*mount that disk or restore the folder'
[ -z "$(ls -A "$work/usb")" ] || fail 'something was written below the mount point'
mount_disk a "$work/usb"
within sh -c "[ -z \"\$(ls '$inbox')\" ]"
[ "$(find "$work/usb/archive" -type f | wc -l)" = 2 ] || fail 'not each photo is in the archive once'
stop
umount "$work/usb"
export STICKERD_ORIGINALS_MODE=keep

if command -v bindfs > /dev/null && [ -c /dev/fuse ]; then
    step 'a FUSE file system: files written underneath it are found'
    rm -rf "$outbox" "$work/state"; mkdir "$work/behind"
    : > "$work/log"
    bindfs "$work/behind" "$inbox"
    start
    within said 'FUSE does not report changes made elsewhere'
    photo behind > "$work/behind/behind.jpg"
    photo 'behind too' > "$work/behind/too.jpg"
    within files done 2
    check examined 'ok +inbox .* fuse, .*, changes are found by polling'
    check examined 'fault +inbox .* is on FUSE, which reports no changes' --set watch.mode=inotify
    rm "$work/behind/too.jpg"
    within files done 1
    # As a server that is gone.
    fuse=$(pgrep -f "^bindfs $work/behind")
    kill -STOP "$fuse"
    "$stickerd" doctor --state "$work/state" > "$work/doctor" 2> "$work/doctor-waits" & doctor=$!
    within grep 'still waiting, probably for a disk or server that hangs' "$work/doctor-waits"
    kill -CONT "$fuse"
    wait $doctor || fail "doctor: exit status $?"
    stop
    umount "$inbox"
fi

if command -v mkfs.xfs > /dev/null && command -v xfs_io > /dev/null && grep -qw xfs /proc/filesystems; then
    step 'XFS gives up its disk, and refuses even stat(2): stickerd starts, waits, and works when it is mounted again'
    rm -rf "$outbox" "$work/state"
    truncate -s 300M "$work/x.img"
    mkfs.xfs -q "$work/x.img"
    mount_disk x "$inbox"
    start
    drop p1.jpg 1
    within listed 1
    stop
    xfs_io -x -c shutdown "$inbox"
    start
    within says 'waiting: .*the inbox cannot be opened (Input/output error); see what sudo dmesg says'
    check examined 'fault +inbox .* cannot be used: Input/output error'
    umount "$inbox"
    mount_disk x "$inbox"
    drop p2.jpg 2
    within listed 2
    stop
    umount "$inbox"
fi

step 'no watches left: polled, with the name of the limit; and watched again when there are some'
rm -rf "$inbox" "$outbox" "$work/state"; mkdir "$inbox"
: > "$work/log"
cat > "$work/limited.sh" <<'SCRIPT'
echo 0 > /proc/sys/user/max_inotify_watches
"$@" & daemon=$!
while read -r limit; do
    [ "$limit" = doctor ] || { echo "$limit" > /proc/sys/user/max_inotify_watches; continue; }
    "$1" doctor "${@:3}" > "$HOME/doctor"
done
kill -TERM $daemon; wait $daemon
SCRIPT
mkfifo "$work/limits"
unshare --user --map-root-user bash "$work/limited.sh" "$stickerd" run "${folders[@]}" \
    2>> "$work/log" < "$work/limits" & daemon=$!
exec 8> "$work/limits"
within said 'fs.inotify.max_user_watches'
within said 'Polling the inbox'
rm -f "$work/doctor"
echo doctor >&8
within grep -E '^fault +watches +0 folders are watched; 0 of 0 ' "$work/doctor"
# For the inbox and the outbox, not for the folders in the outbox.
echo 2 >&8
within said 'polling stopped'
drop polled.jpg polled
within files done 1
within said 'Cannot watch the outbox'
echo 1000 >&8
within said 'The whole outbox is watched again'
thumbnail=$(echo "$outbox"/thumbnails/*)
rm "$thumbnail"
within test -s "$thumbnail"
drop watched.jpg watched
within files done 2
exec 8>&-
wait $daemon || fail "exit status $?"
daemon=

step 'the disk of a pack can be unmounted while stickerd is idle'
rm -rf "$inbox" "$outbox" "$work/state"; mkdir -p "$inbox/Trip" "$outbox/Trip"
mount -t tmpfs none "$outbox/Trip"
start
within said 'Watching for photos'
drop Trip/trip.jpg trip
within files done 1
within test -s "$outbox/Trip/pack.json"
within umount "$outbox/Trip"
stop

step 'the disk of the state folder is full: stickerd status lists what the daemon waits for, and not afterwards'
mkdir "$work/full"
mount -t tmpfs -o size=8M none "$work/full"
mkdir "$work/full/inbox"
"$stickerd" run --inbox "$work/full/inbox" --outbox "$work/outbox-full" --state "$work/full/state" \
    2>> "$work/log" & daemon=$!
waits() { "$stickerd" status --json --state "$work/full/state" | jq -e ".daemon.running and (.daemon.waiting | $1)"; }
within waits 'length == 0'
# Filled before the photo arrives: room for the Library's writes, less than limits.minFreeBytes.
fallocate -l $(($(df --output=avail -B 1 "$work/full" | tail -n 1) - STICKERD_LIMITS_MIN_FREE_BYTES / 2)) "$work/full/fill"
photo full > "$work/full/inbox/full.jpg"
within waits 'any(.message | startswith("The disk is nearly full"))'
check examined 'fault +waiting +The disk is nearly full' --state "$work/full/state"
check examined 'fault +state +.* free; limits.minFreeBytes requires ' --state "$work/full/state"
mount -o remount,size=1G "$work/full"
within waits 'length == 0'
kill -TERM $daemon
wait $daemon || fail "exit status $?"
daemon=
echo 'mounts: passed'
