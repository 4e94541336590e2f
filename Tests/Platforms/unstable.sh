#!/bin/sh
# unstable.sh FOLDER PACKAGE,… OPTION…: installs packages of Debian unstable in FOLDER, unless it exists, with options of
# mmdebstrap. Delete the folder to get newer packages. Needs root and mmdebstrap.
set -eu
folder=$1 packages=$2
shift 2
[ ! -d "$folder" ] || exit 0
[ "$(id -u)" = 0 ] || { echo 'unstable.sh needs root, to make a root file system.' >&2; exit 1; }
mkdir -p "$(dirname "$folder")"
rm -rf --one-file-system "$folder.draft"
# A mirror's copy may be older than the week for which unstable's index is valid; it is signed all the same. Nothing here
# survives a power cut, so dpkg need not wait for the disk.
unshare --mount nice -n 15 mmdebstrap --mode=root --aptopt='Acquire::Check-Valid-Until "false"' --dpkgopt=force-unsafe-io \
    --include="$packages" "$@" sid "$folder.draft" http://deb.debian.org/debian
mv "$folder.draft" "$folder"
