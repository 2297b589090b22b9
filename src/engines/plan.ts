// Determines what a request needs and which attempts can serve it, cheapest first.
import type { ScrapeOptions } from "../contract/page/scrape.ts";
import type { ProxyTier } from "../egress/upstream-proxy.ts";
import { RequestError } from "../errors.ts";
import { renders, type EngineKey } from "./registry.ts";

export type Attempt = { readonly engine: EngineKey; readonly proxy: ProxyTier };

export type Plan = {
  /** Tried in this order; a later one only when the previous outcome suggests it may help. */
  readonly attempts: readonly Attempt[];
  /** True if "enhanced" uses another address. Otherwise it is a browser that hides automation. */
  readonly hasBetterProxy: boolean;
  /** Needs that only a browser meets; plain HTTP then serves files only. */
  readonly needsBrowser: readonly string[];
  /** Requested options that cannot be met, as warnings for the caller. */
  readonly warnings: readonly string[];
};

/** The capabilities of this server. */
export type ServerCapabilities = {
  /** Cheapest first. */
  readonly engines: readonly EngineKey[];
  /** Why no engine renders pages, and what to install; undefined with a browser. */
  readonly withoutBrowser?: string | undefined;
  readonly enhancedProxy: boolean;
  /** True if there is an upstream proxy in this country (lowercase code). */
  readonly hasCountry: (country: string) => boolean;
};

/**
 * Throws NOT_IMPLEMENTED for needs without which the answer would differ from the request (actions,
 * profiles, formats) when there is no browser. Other needs become warnings. `browserFormats` names
 * the requested formats that are made in a browser.
 */
export function planScrape(
  options: ScrapeOptions,
  browserFormats: readonly string[],
  capabilities: ServerCapabilities,
): Plan {
  const required = findRequired(options, browserFormats);
  const needsBrowser = [...required, ...findOptional(options)];
  const warnings: string[] = [];
  if (!canRender(capabilities) && needsBrowser.length > 0) {
    const [first] = required;
    if (first !== undefined) throw lacksBrowser(first, capabilities);
    warnings.push(
      `This server has no browser, so ${needsBrowser.join(" and ")} had no effect: the page was fetched over plain HTTP.`,
    );
  }
  const country = options.location?.country;
  if (country !== undefined && country !== "us" && !capabilities.hasCountry(country)) {
    warnings.push(
      `No proxy in ${country.toUpperCase()} is configured, so the page was fetched from where this server is.`,
    );
  }
  if (options.proxy === "enhanced" && !capabilities.enhancedProxy) {
    warnings.push(
      "No enhanced proxy is configured (QUARRY_PROXY_ENHANCED), so the page was fetched without one.",
    );
  }
  const served = canRender(capabilities) ? needsBrowser : [];
  return {
    attempts: listAttempts(options.proxy, capabilities, served.length > 0),
    hasBetterProxy: capabilities.enhancedProxy,
    needsBrowser: served,
    warnings,
  };
}

const canRender = ({ engines }: ServerCapabilities): boolean => engines.some(renders);

/** Without these the answer would differ from the request. */
const findRequired = (options: ScrapeOptions, browserFormats: readonly string[]): string[] => [
  ...(options.actions.length > 0 ? ["actions"] : []),
  ...(options.profile === undefined ? [] : ["profile"]),
  ...browserFormats.map((name) => `the ${name} format`),
];

const findOptional = ({ waitFor, scroll, mobile }: ScrapeOptions): string[] => [
  ...(waitFor > 0 ? ["waitFor"] : []),
  ...(scroll === undefined ? [] : ["scroll"]),
  ...(mobile ? ["mobile"] : []),
];

/**
 * The cheaper engine first, and both before the enhanced tier; with a need for it, the browser
 * first. Without an enhanced proxy a second plain HTTP attempt is pointless, but an enhanced
 * browser is not.
 */
function listAttempts(
  proxy: ScrapeOptions["proxy"],
  capabilities: ServerCapabilities,
  needsBrowser: boolean,
): Attempt[] {
  const engines = needsBrowser
    ? capabilities.engines.toSorted((one, other) => Number(renders(other)) - Number(renders(one)))
    : capabilities.engines;
  const basic = engines.map((engine): Attempt => ({ engine, proxy: "basic" }));
  const enhanced = engines.map((engine): Attempt => ({ engine, proxy: "enhanced" }));
  if (proxy === "basic") return basic;
  if (proxy === "enhanced")
    return capabilities.enhancedProxy || canRender(capabilities) ? enhanced : basic;
  if (capabilities.enhancedProxy) return [...basic, ...enhanced];
  return [...basic, ...enhanced.filter(({ engine }) => renders(engine))];
}

function lacksBrowser(need: string, { withoutBrowser }: ServerCapabilities): RequestError {
  const reason = withoutBrowser ?? "GET /v2/capabilities says what this server can do.";
  return new RequestError("NOT_IMPLEMENTED", `${need} needs a browser. ${reason}`);
}
