#!/bin/sh
# root.sh DISTRIBUTION FOLDER: installs a small system of that distribution in FOLDER, unless it exists. Needs root and mmdebstrap.
set -eu
distribution=$1 folder=$2
[ ! -d "$folder" ] || exit 0
rm -rf --one-file-system "$folder.draft" "$folder.keys"
install() {
    # Nothing here survives a power cut, so dpkg need not wait for the disk.
    unshare --mount mmdebstrap --variant=minbase --mode=root --dpkgopt=force-unsafe-io --include=ca-certificates,git,make,python3 \
        "$@" "$distribution" "$folder.draft" "$mirror"
}
case $distribution in
noble)
    # Debian 12 has no package with Ubuntu's keys; Debian 13 has one, signed as all of Debian.
    unshare --mount mmdebstrap --variant=extract --mode=root --include=ubuntu-keyring trixie "$folder.keys" http://deb.debian.org/debian
    mirror=http://archive.ubuntu.com/ubuntu
    install --components=main,universe --keyring="$folder.keys/usr/share/keyrings/ubuntu-archive-keyring.gpg"
    ;;
*)
    mirror=http://deb.debian.org/debian
    install
    ;;
esac
rm -rf "$folder.keys"
mv "$folder.draft" "$folder"
