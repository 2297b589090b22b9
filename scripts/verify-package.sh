#!/bin/sh
# Installs the packed tarball globally on a Debian that has nothing but Node and npm, and runs scripts/verify-install.mjs there:
# start time, size, scrape, crawl, browser and documents. Twice: whole, and with --omit=optional.
# Needs root, debootstrap, a Debian mirror and the npm registry; makes and removes FOLDER.
#   sudo scripts/verify-package.sh [TARBALL] [FOLDER] [SUITE] [MIRROR]
#   NODE=/path/to/node  NPM=/path/to/npm (a folder)  MAX_START_MS=1500  VARIANTS="full slim"
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
tarball=${1:-} folder=${2:-/tmp/quarry-package} suite=${3:-bookworm} mirror=${4:-http://deb.debian.org/debian}
if [ -z "$tarball" ]; then
  (cd "$root" && npm pack --silent > /dev/null)
  tarball=$(ls -t "$root"/quarry-server-*.tgz | head -1)
fi
node=${NODE:-$(command -v node)} npm=${NPM:-$(npm root -g)/npm}
debootstrap --variant=minbase "$suite" "$folder" "$mirror" > /dev/null
trap 'rm -rf --one-file-system "$folder"' EXIT
mkdir -p "$folder/usr/local/lib/node_modules" "$folder/verify"
cp "$node" "$folder/usr/local/bin/node"
cp -r "$npm" "$folder/usr/local/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$folder/usr/local/bin/npm"
cp "$tarball" "$folder/verify/quarry.tgz"
cp "$root/scripts/verify-install.mjs" "$folder/verify"
cp /etc/resolv.conf /etc/hosts "$folder/etc/" 2> /dev/null || true
# The certificates of this machine, for registries behind a proxy with its own.
[ ! -f /etc/ssl/certs/ca-certificates.crt ] || cp /etc/ssl/certs/ca-certificates.crt "$folder/verify/ca.crt"
cat > "$folder/verify/run.sh" << 'END'
set -eu
export HOME=/root PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin
[ ! -f /verify/ca.crt ] || export NODE_EXTRA_CA_CERTS=/verify/ca.crt
echo "Node $(node --version), npm $(npm --version)"
status=0
useradd --create-home quarry
for variant in $VARIANTS; do
  omit= limit=350 options=
  [ "$variant" = full ] || { omit=--omit=optional limit=120 options=--without-optional; }
  npm install -g $omit --no-fund --no-audit --loglevel=error /verify/quarry.tgz > /dev/null
  size=$(du -sm "$(npm root -g)/@quarry" | cut -f1)
  [ "$size" -le "$limit" ] && verdict=ok || { verdict=FAIL; status=1; }
  echo "$verdict   $variant takes $size MB of $limit"
  # As an ordinary user: the package belongs to root.
  su quarry -c "PATH=$PATH node /verify/verify-install.mjs $options --max-start-ms $MAX_START_MS" || status=1
  npm uninstall -g @quarry/server > /dev/null
done
exit $status
END
# The mounts go with the shell that made them.
VARIANTS=${VARIANTS:-full slim} MAX_START_MS=${MAX_START_MS:-1500} unshare -m sh -eu -c '
  mount -t proc proc "$1/proc"
  mount --bind /dev "$1/dev"
  chroot "$1" /bin/sh /verify/run.sh
' sh "$folder"
