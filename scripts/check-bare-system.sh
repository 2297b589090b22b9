#!/bin/sh
# Runs the bundled browser in a Debian that has nothing: no libraries beside libc, no fonts. Needs root, debootstrap and a
# mirror; makes and removes FOLDER.
#   sudo scripts/check-bare-system.sh [FOLDER] [SUITE] [MIRROR]
set -eu
folder=${1:-/tmp/quarry-bare} suite=${2:-bookworm} mirror=${3:-http://deb.debian.org/debian}
root=$(cd "$(dirname "$0")/.." && pwd)
debootstrap --variant=minbase "$suite" "$folder" "$mirror" > /dev/null
trap 'rm -rf --one-file-system "$folder"' EXIT
mkdir -p "$folder/quarry"
# The mounts go with the shell that made them.
unshare -m sh -eu -c '
  mount --bind "$1" "$2/quarry"
  mount -t proc proc "$2/proc"
  mount --bind /dev "$2/dev"
  chroot "$2" /bin/sh -c "cd /quarry && PATH=/quarry/node_modules/.bin:\$PATH QUARRY_DATA_DIR=/root/data bin/quarry.mjs doctor"
' sh "$root" "$folder" | tee "$folder/doctor.txt"
grep -q "started   Chromium" "$folder/doctor.txt"
