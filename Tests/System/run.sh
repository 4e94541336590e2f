#!/bin/bash
# The installed service under this machine's own systemd, in temporary containers: installed, started, given photos,
# reloaded, killed, restarted, stopped, uninstalled; then made to fail (failures.sh). Exits with 77 if this machine cannot.
set -euo pipefail
cd "$(dirname "$0")/../.."
here=Tests/System

missing=
for tool in unshare setpriv setfacl systemctl systemd-analyze runuser; do
    command -v $tool > /dev/null || missing="it needs $tool"
done
[ -x /lib/systemd/systemd ] || missing='it needs systemd'
[ "$(id -u)" = 0 ] || missing='it needs root'
[ -n "$missing" ] || unshare --mount --pid --fork true 2> /dev/null || missing='this machine forbids namespaces'
[ -n "$missing" ] || $here/with-systemd.sh -H -t 60 -- true > /dev/null 2>&1 || missing='systemd does not start in a container here'
# The package's only program that is needed; installed, it would start its server, too.
promtool=.build/promtool
[ -n "$missing" ] || [ -x $promtool/usr/bin/promtool ] || {
    rm -rf $promtool && mkdir -p $promtool && (cd $promtool && apt-get download -q prometheus && dpkg-deb -x prometheus_*.deb . && rm prometheus_*.deb)
} > /dev/null 2>&1 || missing='the package prometheus cannot be downloaded'
[ -z "$missing" ] || { echo "end to end: SKIPPED: $missing"; exit 77; }

status=0
photos=$(mktemp -d)
trap 'rm -rf "$photos"' EXIT
Tests/Harness/photos.py 1600 1200 disc > "$photos/disc.jpg"
Tests/Harness/photos.py 800 600 flat > "$photos/flat.jpg"
# A photo that needs 200 MB: a lossless WebP is in memory as a whole.
cat "$photos/disc.jpg" > "$photos/large.jpg"
for scale in 2/1 2/1 10/8; do
    djpeg -scale $scale -pnm "$photos/large.jpg" | cjpeg > "$photos/larger.jpg"
    mv "$photos/larger.jpg" "$photos/large.jpg"
done
djpeg -pnm "$photos/large.jpg" | cwebp -quiet -lossless -z 0 -o "$photos/huge.webp" -- -
rm "$photos/large.jpg"
chmod -R a+rX "$photos"
for steps in steps failures; do
    $here/with-systemd.sh -H -t 900 -r "$PWD:/repository:ro" -r "$photos:/photos:ro" -r "$PWD/$promtool/usr/bin:/promtool:ro" \
        -- /repository/$here/$steps.sh > "$photos/$steps.log" 2>&1 &
done
# Both mostly wait.
for container in $(jobs -p); do wait "$container" || status=$?; done
cat "$photos"/*.log
exit $status
