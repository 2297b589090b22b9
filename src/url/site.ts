// How far one host is from another, in the eyes of a crawl (wire contract 5.4).
import { getDomain } from "tldts";
import { withoutWww } from "./normalise.ts";

/** The same host but for `www.`; a host of the same registrable domain; any other. */
export type Reach = "site" | "subdomain" | "external";

/** Sites that every page links to and no crawl is about. */
const SOCIAL_SITES = new Set([
  "facebook.com",
  "twitter.com",
  "x.com",
  "linkedin.com",
  "instagram.com",
  "pinterest.com",
  "github.com",
  "calendly.com",
  "discord.com",
  "discord.gg",
]);

/** Tells the reach of `url` from `origin`. Ports count: another port is another site. */
export function reachOf(url: URL, origin: URL): Reach {
  if (withoutWww(url.host) === withoutWww(origin.host)) return "site";
  const domain = domainOf(url);
  return domain !== undefined && domain === domainOf(origin) ? "subdomain" : "external";
}

/** The site's name when it is one of the never followed. */
export function socialSite(url: URL): string | undefined {
  const domain = domainOf(url);
  return domain !== undefined && SOCIAL_SITES.has(domain) ? domain : undefined;
}

/** The registrable domain by the public suffix list: `a.github.io` is one, so is `example.co.uk`. */
export function domainOf(url: URL): string | undefined {
  return getDomain(url.hostname, { allowPrivateDomains: true }) ?? undefined;
}
