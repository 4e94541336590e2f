#!/bin/bash
# The steps of the package's test, run by run.sh as root inside a minimal system that has only apt, dbus, systemd, and jq and sqlite3 for the test.
set -Eeuo pipefail
cd "$(dirname "$0")/../.."
. Tests/System/common.sh
part="package: $1"
export DEBIAN_FRONTEND=noninteractive
apt() { apt-get -q -y "$@" > /tmp/apt 2>&1 || { tail -n 30 /tmp/apt; fail "apt-get $*"; }; }
made() { [ "$(stickers)" = "$1" ]; }
seconds() { awk -v from="$1" -v to="$(date +%s.%N)" 'BEGIN { printf "%.1f s", to - from }'; }
starts() { journalctl --sync; journalctl -u stickerd -o cat STICKERD_EVENT=ready | wc -l; }

apt update
useradd --create-home alice
step "$(awk '/^Installed-Size/ { printf "%.1f MB installed", $2 / 1024 }' <(dpkg-deb -f /packages/new.deb)), $(stat -c %s /packages/new.deb | awk '{ printf "%.1f MB to download", $1 / 1e6 }')"
# Drops a photo as soon as there is an inbox.
first_sticker() {
    local start
    start=$(date +%s.%N)
    apt install "$1"
    cp /photos/disc.jpg $inbox/first.jpg
    within made 1
    step "$(seconds "$start") from apt-get install to the first sticker, $2"
}
step 'install the lower version: it runs at once'
first_sticker /packages/old.deb "with $(apt-get install -s /packages/old.deb | grep -c ^Inst) packages to download"
check systemctl is-active stickerd
check systemctl is-enabled stickerd
check grep -F 'adduser USER stickerd' /tmp/apt
dpkg-query -W -f '${Conffiles}' stickerd | grep -F /etc/stickerd/config.json > /dev/null || fail 'the settings are no conffile'
[ "$(systemctl --global is-enabled stickerd)" = disabled ] || fail 'the unit of users is enabled for all'
[ "$(stat -c '%a %U %G' $inbox)" = '2770 stickerd stickerd' ] || fail 'the inbox is not the group'\''s'
check journalctl --list-catalog a787c6894491457ab1770e012e8359e2
check stickerd check-config /etc/stickerd/config.json
check test -f /usr/share/stickerd/config.schema.json
check stickerd --version
check gpasswd -a alice stickerd

step 'upgrade with photos in progress: one restart, nothing lost'
drop_many 23 many
[ "$(starts)" = 1 ] || fail 'more than one start'
apt install /packages/new.deb
within drained 24
[ "$(starts)" = 2 ] || fail "$(starts) starts"
[ "$(stickers)" = 24 ] || fail "$(stickers) stickers of 24 photos"
[ "$(state failed)" = 0 ] || fail 'a photo failed'
check stickerd verify --state $base

step 'a changed settings file is kept by an upgrade'
echo '{"sticker": {"size": 256}}' > /etc/stickerd/config.json
apt install --allow-downgrades /packages/old.deb
apt install /packages/new.deb
check grep -F 256 /etc/stickerd/config.json
check systemctl reload stickerd

step 'a Library of a newer release is refused with a sentence, and not changed'
systemctl stop stickerd
library=$base/library/library.sqlite
version=$(sqlite3 $library 'PRAGMA user_version; PRAGMA user_version = 9999')
rows=$(sqlite3 $library .dump | sha256sum)
systemctl start stickerd 2> /dev/null || :
within sh -c "journalctl -u stickerd -o cat | grep -F '$base/library: this Library was written by a newer stickerd; install that release again'"
systemctl stop stickerd
[ "$(sqlite3 $library .dump | sha256sum)" = "$rows" ] || fail 'the newer Library was changed'
sqlite3 $library "PRAGMA user_version = $version"
chown stickerd: $library*

step 'remove: photos, stickers, settings and Library stay'
before=$(find $base -type f ! -name '*.sqlite*' -printf '%P %s\n' | sort)
apt remove stickerd
! systemctl is-active stickerd > /dev/null || fail 'it runs after its removal'
[ ! -e /usr/bin/stickerd ] || fail 'the program is still there'
[ "$(find $base -type f ! -name '*.sqlite*' -printf '%P %s\n' | sort)" = "$before" ] || fail 'files differ'
check test -f $library
check grep -F 256 /etc/stickerd/config.json

step 'install again: nothing is made twice'
first=$(stat -c '%i %y' $outbox/first-*.png)
start=$(date +%s.%N)
apt install /packages/new.deb
within drained 24
step "$(seconds "$start") from apt-get install to a Library that is up to date, with nothing to download"
[ "$(stat -c '%i %y' $outbox/first-*.png)" = "$first" ] || fail 'a sticker was made again'

step 'purge: state and settings go, photos and stickers stay'
photos=$(cd $inbox && sha256sum -- * | sort) pictures=$(cd $outbox && sha256sum -- *.png | sort)
apt purge stickerd
check grep -F "photos and stickers stay in $base" /tmp/apt
[ ! -e $base/library ] && [ ! -e /etc/stickerd ] || fail 'state or settings stay'
[ "$(cd $inbox && sha256sum -- * | sort)" = "$photos" ] || fail 'photos differ'
[ "$(cd $outbox && sha256sum -- *.png | sort)" = "$pictures" ] || fail 'stickers differ'

step 'purge of an installation that made nothing leaves nothing'
rm -rf $base
first_sticker /packages/new.deb 'with nothing to download'
systemctl stop stickerd
find $inbox $outbox -mindepth 1 -delete
apt purge stickerd
[ ! -e $base ] || fail "$(find $base)"

step 'the unit of make install, which hides the one of the package, is named'
apt install /packages/new.deb
mkdir -p /usr/local/lib/systemd/system
cp /lib/systemd/system/stickerd.service /usr/local/lib/systemd/system
apt install --reinstall /packages/new.deb
check grep -F 'hides this package' /tmp/apt
stickerd doctor > /tmp/doctor || :
check grep '^fault  unit .*/usr/local/lib/systemd/system/stickerd.service' /tmp/doctor
rm /usr/local/lib/systemd/system/stickerd.service

step 'doctor says that the unit is masked'
systemctl mask --now stickerd 2> /dev/null
stickerd doctor > /tmp/doctor || :
check grep 'systemctl unmask stickerd' /tmp/doctor
systemctl unmask stickerd 2> /dev/null
apt purge stickerd

step 'the administrator'\''s policy decides whether it starts'
printf '#!/bin/sh\nexit 101\n' > /usr/sbin/policy-rc.d
chmod +x /usr/sbin/policy-rc.d
apt install /packages/new.deb
! systemctl is-active stickerd > /dev/null || fail 'it runs against the policy'
check systemctl is-enabled stickerd
step passed
