# Two images of one build, as the API, a worker, or both (QUARRY_ROLE):
#   docker build --target full -t quarry .         with Chromium and fonts
#   docker build --target slim -t quarry:slim .    without a browser
# Run either with deploy/seccomp.json, which lets Chromium start its own sandbox: compose.yaml shows every option.
# scripts/pin-bases.sh writes the newest digests of both tags; a release runs it first.
ARG NODE_IMAGE=node:24-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d
ARG DEBIAN_IMAGE=debian:bookworm-slim@sha256:abd67ffcfa541b485a3dff59865ab629aa048a6c613e639d36e7456b0b229241

# The package that npm would install, with the readers for PDF and office files.
FROM ${NODE_IMAGE} AS package
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
# Debian's Chromium, fonts and this Node replace those that npm brings for bare systems. Of the development tools only the
# bundler is installed.
RUN npm pkg set "dependencies.rolldown=$(npm pkg get devDependencies.rolldown | tr -d '"')" \
  && npm pkg delete devDependencies.rolldown \
  && npm install --omit=dev --no-save --ignore-scripts \
  && rm -rf node_modules/node-linux-* node_modules/node-win-*
COPY . .
ARG REVISION=unknown
RUN REVISION="$REVISION" npm pack --silent --pack-destination /tmp \
  && npm install --global --prefix /opt/quarry /tmp/quarry-server-*.tgz \
  && cd /opt/quarry/lib/node_modules/@quarry/server/node_modules \
  && rm -rf @sparticuz @fontsource @fontsource-variable @librescore twemoji-colr-font woff2-encoder \
  && find . \( -name '*.map' -o -name '*.d.ts' \) -delete

FROM ${DEBIAN_IMAGE} AS slim
ARG VERSION=0.1.0
ARG REVISION=unknown
ARG CREATED=1970-01-01T00:00:00Z
ARG MAX_SLIM_MB=420
LABEL org.opencontainers.image.title="Quarry" \
  org.opencontainers.image.description="Turns web pages, sites and files into clean Markdown and structured data." \
  org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}" \
  org.opencontainers.image.created="${CREATED}"
RUN apt-get update \
  && apt-get install -y --no-install-recommends tini \
  && rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/log/*
COPY --from=package /usr/local/bin/node /usr/local/bin/node
COPY --from=package /opt/quarry /usr/local
COPY LICENSE /usr/share/doc/quarry/LICENSE
RUN useradd --uid 1000 --user-group --home-dir /tmp --shell /usr/sbin/nologin quarry \
  && mkdir /data && chown quarry:quarry /data \
  && size=$(du -smx / | cut -f1) && echo "slim: ${size} MB of ${MAX_SLIM_MB}" && [ "$size" -le "$MAX_SLIM_MB" ]
# Only /data and /tmp are written, so the root can be read-only.
ENV NODE_ENV=production HOME=/tmp XDG_CACHE_HOME=/tmp/.cache \
  QUARRY_HOST=0.0.0.0 QUARRY_DATA_DIR=/data QUARRY_BROWSER=none
WORKDIR /data
VOLUME /data
USER 1000:1000
EXPOSE 3002
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:'+(process.env.QUARRY_PORT||3002)+'/v0/health/readiness').then((answer)=>process.exit(answer.ok?0:1),()=>process.exit(1))"]
ENTRYPOINT ["/usr/bin/tini", "--", "quarry"]
CMD ["serve"]

# Last, so that it is what `docker build` makes.
FROM slim AS full
ARG MAX_FULL_MB=1000
USER root
# Debian's own headless Chromium, which gets its security updates, and fonts for most of the world's scripts.
RUN apt-get update \
  && apt-get install -y --no-install-recommends \
  chromium-headless-shell fonts-noto-core fonts-wqy-zenhei fonts-noto-color-emoji fonts-dejavu-core \
  && rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/log/* \
  && size=$(du -smx / | cut -f1) && echo "full: ${size} MB of ${MAX_FULL_MB}" && [ "$size" -le "$MAX_FULL_MB" ]
ENV QUARRY_BROWSER=/usr/bin/chromium-headless-shell
USER 1000:1000
