import path from "node:path";
import { findConfiguredBrowser, explainMissingBrowser } from "../browser/open-pool.ts";
import { findUnknownSettings, type Config } from "../config.ts";

/** Returns the available and missing parts of this installation, one line each. */
export function listFindings(config: Config): string[] {
  const folder = path.relative(process.cwd(), path.resolve(config.dataDir)) || ".";
  return [
    config.databaseUrl === undefined
      ? `database  embedded, in ${folder}/database`
      : "database  PostgreSQL (DATABASE_URL)",
    `blobs     ${config.blobs ?? `folder ${folder}/blobs`}`,
    `browser   ${describeBrowser(config)}`,
    config.model === undefined && config.modelFast === undefined
      ? "model     none (QUARRY_MODEL): summary, json and similar formats use rules"
      : `model     ${[config.model, config.modelFast && `${config.modelFast} (fast)`].filter(Boolean).join(", ")}`,
    `proxies   ${describeProxies(config)}`,
    config.egressAllow.length === 0
      ? "egress    public addresses only (QUARRY_EGRESS_ALLOW opens private ones)"
      : `egress    public addresses, and ${config.egressAllow.join(", ")}`,
    ...findUnknownSettings().map(
      (name) => `unknown   ${name} is not a setting of the server and has no effect`,
    ),
  ];
}

function describeBrowser(config: Config): string {
  const found = findConfiguredBrowser(config);
  if (found === undefined)
    return `none: screenshots, actions and pages made by scripts need one. ${explainMissingBrowser(config) ?? ""}`;
  const executable = found.executable ?? "bundled with this installation";
  return found.kind === "full"
    ? `${executable} (a chromium-headless-shell does the same in less than half of the time)`
    : executable;
}

function describeProxies({ proxyBasic, proxyEnhanced }: Config): string {
  if (proxyBasic.length + proxyEnhanced.length === 0)
    return "none (QUARRY_PROXY_BASIC, QUARRY_PROXY_ENHANCED)";
  return `${proxyBasic.length} basic, ${proxyEnhanced.length} enhanced`;
}
