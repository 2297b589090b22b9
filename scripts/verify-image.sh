#!/bin/sh
# Builds the image without a container daemon and without root, runs it as compose.yaml does, and checks it: size, start time,
# Chromium's sandbox, the published client, a crawl. Bases come from Debian's packages and from the Node given, not from a registry.
# Needs mmdebstrap, buildah, crun, uidmap and jq, run by an ordinary user with a range in /etc/subuid.
#   scripts/verify-image.sh [FOLDER] [SUITE] [MIRROR]
#   NODE=/path/to/node (24)  NPM=/path/to/npm (a folder)  TARGETS="full slim"  MAX_START_MS=3000  PORT=34872
#   STORAGE_DRIVER=overlay (vfs where the kernel has no overlay without root; slow). Needs client/dist: npm run build in client/
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
folder=${1:-/tmp/quarry-image} suite=${2:-bookworm} mirror=${3:-http://deb.debian.org/debian}
node=${NODE:-$(command -v node)} npm=${NPM:-$(npm root -g)/npm}
if [ "${QUARRY_IN_NAMESPACE:-}" = "" ]; then
  mkdir -p "$folder"
  # Without documentation and translations, as the slim image of Debian.
  [ -f "$folder/debian.tar" ] || mmdebstrap --quiet --variant=minbase --mode=unshare \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-include=/usr/share/doc/*/copyright' \
    --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/info/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' "$suite" "$folder/debian.tar" "$mirror"
  export QUARRY_IN_NAMESPACE=1 NODE="$node" NPM="$npm"
  exec buildah --storage-driver "${STORAGE_DRIVER:-overlay}" --root "$folder/storage" --runroot "$folder/run" unshare sh "$0" "$folder" "$suite" "$mirror"
fi

# crun refuses machines with both versions of cgroups, and none is needed here: limits are those of the machine.
[ ! -d /sys/fs/cgroup/unified ] || mount -t tmpfs tmpfs /sys/fs/cgroup

tool() { buildah --storage-driver "${STORAGE_DRIVER:-overlay}" --root "$folder/storage" --runroot "$folder/run" "$@"; }
commit() { tool commit --quiet --rm "$1" "$2" > /dev/null; }

# The two bases that the Dockerfile names, made here.
container=$(tool from scratch)
tool add --quiet "$container" "$folder/debian.tar" / > /dev/null
tool config --cmd /bin/sh "$container"
commit "$container" localhost/debian
container=$(tool from localhost/debian)
tool copy --quiet "$container" "$node" /usr/local/bin/node > /dev/null
tool copy --quiet "$container" "$npm" /usr/local/lib/node_modules/npm > /dev/null
for name in npm npx; do
  tool run --isolation chroot "$container" -- ln -s "../lib/node_modules/npm/bin/$name-cli.js" "/usr/local/bin/$name"
done
# The certificates of this machine, for registries behind a proxy with its own. They stay in the base that only builds.
if [ -f /etc/ssl/certs/ca-certificates.crt ]; then
  tool copy --quiet "$container" /etc/ssl/certs/ca-certificates.crt /etc/ca.crt > /dev/null
  tool config --env NODE_EXTRA_CA_CERTS=/etc/ca.crt "$container"
fi
commit "$container" localhost/node

status=0
for target in ${TARGETS:-full slim}; do
  echo "== $target"
  tool bud --quiet --isolation chroot --format docker --layers --target "$target" --tag "localhost/quarry:$target" \
    --build-arg NODE_IMAGE=localhost/node --build-arg DEBIAN_IMAGE=localhost/debian \
    --build-arg REVISION="$(git -C "$root" rev-parse HEAD 2> /dev/null || echo unknown)" \
    --build-arg CREATED="$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$root" > "$folder/build-$target.log" 2>&1 \
    || { tail -40 "$folder/build-$target.log"; exit 1; }
  tool inspect --type image "localhost/quarry:$target" | jq .Docker.config > "$folder/config-$target.json"
  container=$(tool from "localhost/quarry:$target")
  mounted=$(tool mount "$container")
  "$node" "$root/scripts/verify-image.mjs" "$mounted" "$folder" "$target" || status=1
  tool rm "$container" > /dev/null
done
exit $status
