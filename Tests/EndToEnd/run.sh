#!/bin/bash
# The installed service under this machine's own systemd, in a throw-away container: installed, started, fed, reloaded,
# killed, restarted, stopped, uninstalled.
set -euo pipefail
cd "$(dirname "$0")/../.."
here=Tests/EndToEnd

missing=
[ "$(id -u)" = 0 ] || missing="it needs root"
for tool in unshare setpriv systemctl systemd-analyze runuser; do
    command -v $tool > /dev/null || missing="it needs $tool"
done
[ -x /lib/systemd/systemd ] || missing="it needs systemd"
[ -n "$missing" ] || unshare --mount --pid --fork true 2> /dev/null || missing="this machine lets nobody make namespaces"
if [ -n "$missing" ]; then
    printf '\n%s\n%s\n%s\n\n' '************************************************************************' \
        "*** END-TO-END TEST UNDER SYSTEMD NOT RUN: $missing" \
        '************************************************************************' >&2
    exit 0
fi

make --no-print-directory install-build
photos=$(mktemp -d)
trap 'rm -rf "$photos"' EXIT
$here/draw.sh 1600 1200 disc > "$photos/disc.jpg"
$here/draw.sh 800 600 flat > "$photos/flat.jpg"
chmod -R a+rX "$photos"
$here/with-systemd.sh -t 300 -r "$PWD:/repository:ro" -r "$photos:/photos:ro" -- /repository/$here/steps.sh
