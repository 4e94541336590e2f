#!/bin/sh
# root.sh DISTRIBUTION FOLDER [PACKAGE,…]: installs a small system of that distribution in FOLDER, unless it exists, with packages
# for building and testing, or those given. Needs root and mmdebstrap.
set -eu
distribution=$1 folder=$2 packages=${3:-git,make,python3}
[ ! -d "$folder" ] || exit 0
mkdir -p "${folder%/*}"
rm -rf --one-file-system "$folder.draft" "$folder.keys"
install() {
    # Nothing here survives a power cut, so dpkg need not wait for the disk.
    unshare --mount mmdebstrap --variant=minbase --mode=root --dpkgopt=force-unsafe-io --include="apt,ca-certificates,$packages" \
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
