#!/bin/sh
# Pins the base images of Dockerfile and the images of compose.yaml by digest; a release runs it before it builds.
# Needs skopeo and the registries; running it again takes the newest digest of the same tags.
set -eu
cd "$(dirname "$0")/.."
images=$(sed -n -e 's/^ARG [A-Z]*_IMAGE=//p' Dockerfile; sed -n -e 's/^ *image: //p' compose.yaml | grep -v '^quarry:')
for image in $images; do
  tag=${image%@*}
  digest=$(skopeo inspect --format '{{.Digest}}' "docker://$tag")
  case $digest in sha256:*) ;; *) echo "$tag has no digest: $digest" >&2; exit 1 ;; esac
  sed -i "s|$image\$|$tag@$digest|" Dockerfile compose.yaml
  echo "$tag@$digest"
done
