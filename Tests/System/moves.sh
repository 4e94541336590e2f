#!/bin/bash
# moves.sh: photos are archived and deleted on every kind of file system that this machine can mount. Each must end in one
# place, once. Everything is mounted in a separate namespace. Exits with 77 if this machine cannot.
set -euo pipefail
cd "$(dirname "$0")/../.."
. Tests/System/common.sh
part=moves
stickerd=${STICKERD:-$PWD/.build/release/stickerd}
if [ -z "${IN_NAMESPACE:-}" ]; then
    missing=
    [ "$(id -u)" = 0 ] && unshare --mount true 2> /dev/null || missing='it needs root and namespaces'
    for tool in mkfs.ext4 losetup jq; do command -v $tool > /dev/null || missing="it needs $tool"; done
    [ -z "$missing" ] || { echo "moves: SKIPPED: $missing"; exit 77; }
    # Settings of the user who runs it have no effect.
    exec env -i IN_NAMESPACE=1 PATH="$PATH" STICKERD="$stickerd" unshare --mount --propagation private -- "$0"
fi

work=$(mktemp -d)
daemon= listener= loop=
cleanup() {
    [ -z "$daemon" ] || kill -KILL $daemon 2> /dev/null || :
    umount -l "$work"/disk/* "$work"/lower/* 2> /dev/null || :
    [ -z "$listener" ] || kill $listener 2> /dev/null || :
    [ -z "$loop" ] || losetup -d "$loop" || :
    rm -rf "$work"
}
trap cleanup EXIT
show() { tail -n 40 "$work/log"; find "$disk" -type f; }
export STICKERD_WATCH_SETTLE_SECONDS=0.2 STICKERD_WORKERS=1 STICKERD_STICKER_SIZE=96 STICKERD_LOG_LEVEL=debug HOME=$work
export STICKERD_STICKER_OUTLINE_WIDTH=4 STICKERD_STICKER_PADDING=2
start() {
    "$stickerd" run --inbox "$disk/inbox" --outbox "$state/outbox" --state "$state" 2>> "$work/log" & daemon=$!
    within grep -q 'Watching for photos' "$work/log"
}
stop() { kill -TERM $daemon; wait $daemon || fail "exit status $?"; daemon=; : > "$work/log"; }
files() { (cd "$1" && find . -type f -printf '%P\n' | sort | tr '\n' ' '); }
has_files() { [ "$(files "$disk/$1")" = "$2" ]; }
# One file, and why it failed.
has_failed() { [ "$(find "$disk/failed" -type f | wc -l)" = 2 ]; }
is_empty() { [ -z "$(files "$disk/inbox")" ]; }

# make KIND: mounts it at $disk; fails if this machine cannot.
image() { truncate -s 120M "$work/$1.img"; }
make() {
    case $1 in
    ext4) image ext4 && mkfs.ext4 -q "$work/ext4.img" && mount -o loop "$work/ext4.img" "$disk" ;;
    btrfs) image btrfs && mkfs.btrfs -q "$work/btrfs.img" && mount -o loop "$work/btrfs.img" "$disk" &&
        for folder in inbox archive failed; do btrfs subvolume create "$disk/$folder" || return 1; done ;;
    overlay) mkdir "$work"/lower/{top,one,two} && mount -t tmpfs none "$work/lower/top" &&
        mount -t tmpfs none "$work/lower/one" && mkdir "$work"/lower/top/{upper,work} &&
        mount -t overlay -o "lowerdir=$work/lower/one,upperdir=$work/lower/top/upper,workdir=$work/lower/top/work" o "$disk" ;;
    bindfs) mkdir "$work/lower/bindfs" && bindfs "$work/lower/bindfs" "$disk" ;;
    mergerfs) mkdir "$work/lower/merger" && mergerfs -o minfreespace=1M "$work/lower/merger" "$disk" ;;
    unionfs-fuse) mkdir "$work/lower/union" && unionfs-fuse -o cow "$work/lower/union=RW" "$disk" ;;
    sshfs) [ -x /usr/lib/openssh/sftp-server ] && mkdir "$work/lower/sftp" && perl -MIO::Socket::INET -e '
            my $server = IO::Socket::INET->new(Listen => 1, LocalAddr => "127.0.0.1") or exit 1;
            open(my $port, ">", shift); print $port $server->sockport, "\n"; close $port;
            my $client = $server->accept;
            open(STDIN, "<&", $client); open(STDOUT, ">&", $client); exec "/usr/lib/openssh/sftp-server"' "$work/port" & listener=$!
        within test -s "$work/port" && sshfs -o "directport=$(cat "$work/port")" "127.0.0.1:$work/lower/sftp" "$disk" ;;
    exfat) image exfat && mkfs.exfat "$work/exfat.img" && loop=$(losetup -f --show "$work/exfat.img") &&
        mount.exfat-fuse "$loop" "$disk" ;;
    ntfs-3g) image ntfs && mkfs.ntfs -q -F "$work/ntfs.img" && ntfs-3g "$work/ntfs.img" "$disk" ;;
    vfat) image vfat && mkfs.vfat "$work/vfat.img" && mount -o loop "$work/vfat.img" "$disk" ;;
    esac
}

mkdir "$work/disk" "$work/lower"
Tests/Harness/photos.py 160 120 disc > "$work/disc.jpg"
today=$(date -u +%Y/%m/%d) tried= untried=
for kind in ext4 btrfs overlay bindfs mergerfs unionfs-fuse sshfs exfat ntfs-3g vfat; do
    disk=$work/disk/$kind state=$work/$kind
    mkdir "$disk" "$state"
    make $kind > "$work/made" 2>&1 || { untried+=" $kind"; continue; }
    tried+=" $kind"
    step "each photo is archived once on $kind"
    mkdir -p "$disk"/{inbox/Cats,archive,failed} "$disk/archive/$today"
    : > "$work/log"
    echo another > "$disk/archive/$today/a.jpg"
    export STICKERD_ORIGINALS_MODE=archive STICKERD_ORIGINALS_ARCHIVE=$disk/archive STICKERD_ORIGINALS_FAILED=$disk/failed
    start
    for name in a Cats/b; do
        cp "$work/disc.jpg" "$disk/inbox/$name.part"
        printf '%s' "$name" >> "$disk/inbox/$name.part"
        mv "$disk/inbox/$name.part" "$disk/inbox/$name.jpg"
    done
    printf 'GIF89a, no photo' > "$disk/inbox/c.gif"
    within is_empty
    within has_files archive "$today/Cats/b.jpg $today/a-2.jpg $today/a.jpg "
    within has_files failed 'c.gif c.gif.reason.txt '
    stop
    check has_files archive "$today/Cats/b.jpg $today/a-2.jpg $today/a.jpg "
    check has_files failed 'c.gif c.gif.reason.txt '
    [ "$(tail -c 1 "$disk/archive/$today/a-2.jpg")" = a ] && [ "$(cat "$disk/archive/$today/a.jpg")" = another ] ||
        fail 'a file was replaced'
    step "each photo is deleted once on $kind, and one that failed is put back by retry"
    export STICKERD_ORIGINALS_MODE=delete
    start
    "$stickerd" retry c.gif --inbox "$disk/inbox" --outbox "$state/outbox" --state "$state" > /dev/null || fail retry
    cp "$work/disc.jpg" "$disk/inbox/d.part" && mv "$disk/inbox/d.part" "$disk/inbox/d.jpg"
    within is_empty
    within has_failed
    stop
    # It may be numbered, if it failed again before retry had removed the former reason.
    [ "$(find "$disk/failed" -name 'c*.gif' | wc -l)" = 1 ] || fail "failed: $(files "$disk/failed")"
    [ "$(find "$disk" -type f | wc -l)" = 5 ] || fail "files are left: $(files "$disk")"
    umount "$disk"
done
[ -z "$untried" ] || echo "moves: this machine cannot mount:$untried"
echo "moves: passed on:$tried"
