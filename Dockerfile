# The service in one image; the same image is the API, a worker, or both (QUARRY_ROLE).
FROM node:24-bookworm-slim
# Debian's own headless Chromium, which gets its security updates, and fonts for most of the world's scripts.
RUN apt-get update \
  && apt-get install -y --no-install-recommends \
  chromium-headless-shell fonts-noto-core fonts-wqy-zenhei fonts-noto-color-emoji fonts-dejavu-core \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The image has Node, Chromium and fonts, so those that npm brings for bare systems are taken out again. What reads PDFs and
# office files stays: it is optional for npm only because it is not there for every platform.
RUN npm install --omit=dev --no-save && npm cache clean --force \
  && rm -rf node_modules/node-linux-* node_modules/node-win-* node_modules/@sparticuz \
  node_modules/@fontsource node_modules/@fontsource-variable node_modules/@librescore node_modules/twemoji-colr-font node_modules/woff2-encoder
COPY bin bin
COPY src src
COPY client client
COPY docs docs
ENV QUARRY_HOST=0.0.0.0 QUARRY_DATA_DIR=/data
RUN mkdir /data && chown node:node /data
VOLUME /data
USER node
EXPOSE 3002
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:'+(process.env.QUARRY_PORT||3002)+'/v0/health/readiness').then((answer)=>process.exit(answer.ok?0:1),()=>process.exit(1))"]
ENTRYPOINT ["node", "bin/quarry.mjs"]
CMD ["serve"]
