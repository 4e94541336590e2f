#!/bin/bash
# neighbor.sh PHOTOS: runs neighbor.py beside the service under this machine's own systemd, in a temporary container whose
# inbox and files are on this disk. Needs root, and nginx installed.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
[ "$(id -u)" = 0 ] || { echo 'neighbor.sh needs root, to boot a system.' >&2; exit 1; }
[ -x /usr/sbin/nginx ] || { echo 'neighbor.sh needs nginx (Debian: nginx-light).' >&2; exit 1; }
work=$(mktemp -d -p .build)
trap 'rm -rf "$work"' EXIT
mkdir "$work/service" "$work/files"
Tests/System/with-systemd.sh -H -t 900 -r "$PWD:/repository:ro" -r "$(readlink -f "$1"):/photos:ro" \
    -r "$PWD/$work/service:/var/lib/stickerd" -r "$PWD/$work/files:/var/lib/neighbor" -- bash -euc '
        cd /repository
        make --no-print-directory install-files > /dev/null
        exec python3 Benchmarks/neighbor.py /photos'
