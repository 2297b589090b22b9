// Distance between two hosts for a crawl (wire contract 5.4).
import { getDomain } from "tldts";
import { stripWww } from "./cache-url.ts";

/** The same host apart from `www.`; a host of the same registrable domain; any other. */
export type Reach = "site" | "subdomain" | "external";

/** Sites that every page links to and no crawl targets. */
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

/** Returns the reach of `url` from `origin`. Another port is another site. */
export function computeReach(url: URL, origin: URL): Reach {
  if (stripWww(url.host) === stripWww(origin.host)) return "site";
  const domain = readDomain(url);
  return domain !== undefined && domain === readDomain(origin) ? "subdomain" : "external";
}

/** Returns the site's name if it is never followed. */
export function findSocialSite(url: URL): string | undefined {
  const domain = readDomain(url);
  return domain !== undefined && SOCIAL_SITES.has(domain) ? domain : undefined;
}

/**
 * Returns the registrable domain by the public suffix list, such as `a.github.io` and
 * `example.co.uk`.
 */
export function readDomain(url: URL): string | undefined {
  return getDomain(url.hostname, { allowPrivateDomains: true }) ?? undefined;
}
