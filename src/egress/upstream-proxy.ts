// Upstream proxies are the operator's choice, so their addresses are not checked; their targets
// are.
import { ConfigError } from "../config.ts";
import { TargetError } from "../errors.ts";
import { buildBasicAuthorization } from "../url/userinfo.ts";

export type ProxyTier = "basic" | "enhanced";

export type UpstreamProxy = {
  /** Scheme, host and port without credentials: for logs, messages, and as connection key. */
  readonly label: string;
  readonly protocol: "http:" | "https:" | "socks5:";
  readonly hostname: string;
  readonly port: number;
  /** Lowercase country code from `#country=`, or undefined. */
  readonly country: string | undefined;
  /**
   * SOCKS only: the proxy resolves the name (socks5h) instead of receiving the checked address
   * (socks5).
   */
  readonly remoteNames: boolean;
  readonly credentials: ProxyCredentials | undefined;
};

/** User name and password of a proxy; not printable. */
export class ProxyCredentials {
  readonly #url: URL;
  constructor(url: URL) {
    this.#url = url;
  }
  /** Value of Proxy-Authorization. */
  getAuthorization(): string {
    return buildBasicAuthorization(this.#url) ?? "";
  }
  /** As two byte strings for SOCKS5 (RFC 1929). */
  nameAndPassword(): [Buffer, Buffer] {
    const [, text = ""] = this.getAuthorization().split(" ");
    const pair = Buffer.from(text, "base64");
    const colon = pair.indexOf(58);
    return [pair.subarray(0, colon), pair.subarray(colon + 1)];
  }
}

/**
 * Parses `http://name:password@host:port#country=DE` (also https, socks5, socks5h). Throws
 * ConfigError naming `variable` without the text, which may contain a password.
 */
export function parseUpstreamProxy(text: string, variable: string): UpstreamProxy {
  const url = URL.parse(text.includes("://") ? text : `http://${text}`);
  const scheme = url?.protocol.replace(/^socks(?:5h?)?:$/, "socks5:");
  const known = scheme === "http:" || scheme === "https:" || scheme === "socks5:";
  if (url === null || !known || url.hostname === "")
    throw new ConfigError(
      `${variable}: a proxy must be http://, https://, socks5:// or socks5h://HOST:PORT.`,
    );
  const country = new URLSearchParams(url.hash.slice(1)).get("country");
  const port =
    url.port === "" ? { "http:": 80, "https:": 443, "socks5:": 1080 }[scheme] : Number(url.port);
  return {
    label: `${url.protocol}//${url.hostname}:${port}`,
    protocol: scheme,
    hostname: url.hostname.replace(/^\[|\]$/g, ""),
    port,
    country: country?.toLowerCase(),
    remoteNames: url.protocol === "socks5h:",
    credentials: url.username === "" && url.password === "" ? undefined : new ProxyCredentials(url),
  };
}

/**
 * Rotates matching proxies. A country prefers proxies tagged with it, then untagged ones; without a
 * country a tagged one is a last resort. Undefined when no proxy is configured; throws
 * SCRAPE_PROXY_SELECTION_ERROR when none matches.
 */
export function createProxySelection(proxies: readonly UpstreamProxy[]) {
  let turn = 0;
  return (country: string | undefined): UpstreamProxy | undefined => {
    if (proxies.length === 0) return undefined;
    const wanted = country?.toLowerCase();
    const tagged = proxies.filter((proxy) => proxy.country === wanted);
    const untagged = proxies.filter((proxy) => proxy.country === undefined);
    const fitting =
      wanted !== undefined && tagged.length > 0
        ? tagged
        : untagged.length === 0 && wanted === undefined
          ? proxies
          : untagged;
    if (fitting.length === 0)
      throw new TargetError(
        "SCRAPE_PROXY_SELECTION_ERROR",
        `None of the ${proxies.length} configured upstream proxies is for the country ${country}.`,
      );
    return fitting[turn++ % fitting.length];
  };
}
