// Egress to a model provider. The operator chose its address, so this one host and port is allowed
// for model calls only. Requests of callers use the general egress policy.
import { isIP } from "node:net";
import type { Config } from "../config.ts";
import { createEgress, type Egress } from "../egress/dispatchers.ts";
import type { Lookup } from "../egress/resolver.ts";
import type { Metrics } from "../metrics.ts";
import { classifyAddress, parseAddress } from "../url/address.ts";
import { isLocalhostName, parseHost } from "../url/host.ts";

export type ProxySettings = Pick<Config, "modelProxy" | "httpsProxy" | "noProxy">;

/** Opens the egress to one base URL. The caller closes it. */
export function openProviderEgress(
  url: URL,
  settings: ProxySettings,
  parts: { readonly metrics: Metrics; readonly lookup?: Lookup },
): Egress {
  const proxy = chooseProxy(url, settings);
  const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
  const lookup = proxy === undefined ? parts.lookup : resolvePlaceholder;
  return createEgress(
    {
      egressAllow: [`${url.hostname}:${port}`],
      egressMetadata: false,
      proxyBasic: proxy === undefined ? [] : [proxy],
      proxyEnhanced: [],
    },
    { metrics: parts.metrics, ...(lookup === undefined ? {} : { lookup }) },
  );
}

/**
 * Behind a proxy, external names may only resolve there and are passed unresolved, so this
 * placeholder is never connected to (RFC 5737, documentation range).
 */
const resolvePlaceholder: Lookup = () => Promise.resolve(["192.0.2.1"]);

/** Returns the proxy for a model at this address. */
export function chooseProxy(
  url: URL,
  { modelProxy, httpsProxy, noProxy }: ProxySettings,
): string | undefined {
  if (modelProxy === "none") return undefined;
  if (modelProxy !== undefined) return leaveNamesToProxy(modelProxy);
  if (httpsProxy === undefined || httpsProxy === "none" || isInside(url)) return undefined;
  return isExcepted(url, noProxy ?? "") ? undefined : leaveNamesToProxy(httpsProxy);
}

/** SOCKS proxies receive the name, like HTTP proxies. */
const leaveNamesToProxy = (proxy: string): string => proxy.replace(/^socks5:/, "socks5h:");

/** True for this machine, a private network, or a name without a dot. */
function isInside({ hostname }: URL): boolean {
  const host = parseHost(hostname);
  if (host === undefined) return false;
  if (host.kind === "name") return isLocalhostName(host.name) || !host.name.includes(".");
  const bytes = parseAddress(hostname.replace(/^\[|\]$/g, ""));
  return bytes !== undefined && classifyAddress(bytes) !== "public";
}

/** Entries are hosts, or domains with or without a leading dot, optionally with a port, or "*". */
function isExcepted({ hostname, port }: URL, noProxy: string): boolean {
  return noProxy
    .split(",")
    .map((entry) => entry.trim().toLowerCase())
    .some((entry) => {
      if (entry === "*") return true;
      const match = /^\*?\.?(.+?)(?::(\d+))?$/.exec(entry);
      const name = match?.[1];
      if (name === undefined || (match?.[2] ?? port) !== port) return false;
      return hostname === name || (isIP(hostname) === 0 && hostname.endsWith(`.${name}`));
    });
}
