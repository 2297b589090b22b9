// What a request needs, and which attempts can serve it, cheapest first.
import type { ScrapeOptions } from "../contract/scrape.ts";
import type { ProxyTier } from "../egress/upstream-proxy.ts";
import { RequestError } from "../errors.ts";

export type Attempt = { readonly engine: "http"; readonly proxy: ProxyTier };

export type Plan = {
  /** Tried in this order; a later one only when the verdict on the one before says it may help. */
  readonly attempts: readonly Attempt[];
  /** What was asked for and cannot be done, in words for the caller. */
  readonly warnings: readonly string[];
};

/** What this server could bring to a request. */
export type Means = {
  readonly enhancedProxy: boolean;
  /** Is there an upstream proxy in this country (lower-case code)? */
  readonly hasCountry: (country: string) => boolean;
};

/**
 * Throws NOT_IMPLEMENTED for what cannot be left out without answering something else than was asked (actions,
 * profiles); what can be left out becomes a warning.
 */
export function planScrape(options: ScrapeOptions, means: Means): Plan {
  if (options.actions.length > 0) throw lacksBrowser("actions");
  if (options.profile !== undefined) throw lacksBrowser("profile");
  const warnings: string[] = [];
  const unserved: string[] = [];
  if (options.waitFor > 0) unserved.push("waitFor");
  if (options.mobile) unserved.push("mobile");
  if (unserved.length > 0) {
    warnings.push(
      `This server has no browser engine, so ${unserved.join(" and ")} had no effect: the page was fetched over plain HTTP.`,
    );
  }
  const country = options.location?.country;
  if (country !== undefined && country !== "us" && !means.hasCountry(country)) {
    warnings.push(
      `No proxy in ${country.toUpperCase()} is configured, so the page was fetched from where this server is.`,
    );
  }
  if (options.proxy === "enhanced" && !means.enhancedProxy) {
    warnings.push(
      "No enhanced proxy is configured (QUARRY_PROXY_ENHANCED), so the page was fetched without one.",
    );
  }
  return { attempts: attempts(options.proxy, means.enhancedProxy), warnings };
}

function attempts(proxy: ScrapeOptions["proxy"], enhancedProxy: boolean): Attempt[] {
  const basic: Attempt = { engine: "http", proxy: "basic" };
  if (!enhancedProxy || proxy === "basic") return [basic];
  const enhanced: Attempt = { engine: "http", proxy: "enhanced" };
  return proxy === "enhanced" ? [enhanced] : [basic, enhanced];
}

function lacksBrowser(field: string): RequestError {
  return new RequestError(
    "NOT_IMPLEMENTED",
    `${field} needs a browser engine, which this server does not have; GET /v2/capabilities says what it can do.`,
  );
}
