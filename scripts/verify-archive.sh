#!/bin/sh
# Checks a relocatable archive of scripts/build-archive.ts: its checksum, and that it runs from a folder with a space in its
# name, through a link, with no other Node on the PATH.
#   scripts/verify-archive.sh FOLDER        the folder with the archive and SHA256SUMS
#   MAX_START_MS=1500
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
results=$(cd "${1:?the folder of the archive}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$results" && sha256sum --check SHA256SUMS)
mkdir -p "$work/some where" "$work/bin" "$work/home"
tar -xzf "$results"/quarry-*.tar.gz -C "$work/some where"
folder=$(ls "$work/some where")
mv "$work/some where/$folder" "$work/some where/moved"
ln -s "$work/some where/moved/quarry" "$work/bin/quarry"
# All that the starter uses. A system's own folders may have a Node.
for tool in dirname readlink; do ln -s "$(command -v "$tool")" "$work/bin/$tool"; done
env -i HOME="$work/home" PATH="$work/bin" \
  "$work/some where/moved/bin/node" "$root/scripts/verify-install.mjs" --max-start-ms "${MAX_START_MS:-1500}"
