#!/bin/sh
# Renders deploy/helm/quarry with three sets of values and checks every object against the schemas of Kubernetes.
# With helm and kubeconform on the PATH it uses both. Without them it renders with what Helm itself uses, Go's text/template and sprig
# (Debian: golang-go, golang-github-masterminds-sprig-dev, golang-gopkg-yaml.v3-dev), and checks with the npm package
# kubernetes-models. That does not cover Helm's own objects (.Capabilities, .Files, lookup), which the chart does not use.
#   scripts/verify-chart.sh [FOLDER]
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
folder=${1:-/tmp/quarry-chart}
chart=$root/deploy/helm/quarry
mkdir -p "$folder/go"
cat > "$folder/plain.yaml" << 'END'
existingSecret: quarry
END
cat > "$folder/everything.yaml" << 'END'
existingSecret: quarry
image: { digest: "sha256:0000000000000000000000000000000000000000000000000000000000000000" }
worker: { autoscaling: { enabled: true } }
settings: { QUARRY_CRAWL_CONCURRENCY: 8 }
networkPolicy:
  dataEgress:
    - to: [{ ipBlock: { cidr: 10.0.3.4/32 } }]
      ports: [{ port: 5432 }]
podAnnotations: { example.com/team: pages }
nodeSelector: { disk: ssd }
tolerations: [{ key: pages, operator: Exists }]
END
cat > "$folder/least.yaml" << 'END'
existingSecret: quarry
podDisruptionBudget: { enabled: false }
networkPolicy: { enabled: false }
seccompProfile: { type: RuntimeDefault }
browserSandbox: auto
END

if command -v helm > /dev/null; then
  render() { helm template shop "$chart" --namespace pages --values "$1"; }
  helm lint "$chart" --values "$folder/plain.yaml"
else
  (cd "$folder/go" && cp "$root/scripts/render-chart.go" main.go \
    && GO111MODULE=off GOPATH="$folder/gopath:/usr/share/gocode" go build -o ../render main.go)
  render() { "$folder/render" "$chart" "$1"; }
fi
for values in plain everything least; do
  render "$folder/$values.yaml" > "$folder/$values.out.yaml"
done
echo '{}' > "$folder/none.yaml"
if render "$folder/none.yaml" > /dev/null 2>&1; then
  echo "FAIL the chart renders without existingSecret"
  exit 1
fi

if command -v kubeconform > /dev/null; then
  kubeconform -strict -summary "$folder"/*.out.yaml
else
  npm install --prefix "$folder" --silent kubernetes-models@5.1.0 yaml@2.9.1
  cat > "$folder/check.mjs" << 'END'
import { readFileSync } from "node:fs";
import { parseAllDocuments } from "yaml";
let count = 0;
for (const file of process.argv.slice(2))
  for (const document of parseAllDocuments(readFileSync(file, "utf8"))) {
    const object = document.toJS();
    if (object === null) continue;
    const { apiVersion, kind } = object;
    const module = new URL(`node_modules/kubernetes-models/${apiVersion}/${kind}.js`, import.meta.url);
    const { [kind]: Kind } = await import(module).then((found) => found.default ?? found);
    try {
      new Kind(object).validate();
      count++;
    } catch (error) {
      console.log(`FAIL ${file}: ${kind}: ${error.message}`);
      process.exitCode = 1;
    }
  }
console.log(`${count} objects are valid.`);
END
  node "$folder/check.mjs" "$folder"/*.out.yaml
fi
