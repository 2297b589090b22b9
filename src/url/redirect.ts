// Where a redirect leads and what may travel with it. Following it is engines/http.ts.
import { getDomain } from "tldts";

/**
 * Resolves a Location (RFC 9110 section 10.2.2) against the URL it came from: relative references, and the old fragment
 * when the new URL has none. Undefined when it is not a URL. The scheme is not judged here.
 */
export function resolveLocation(location: string, from: URL): URL | undefined {
  const target = URL.parse(location.trim(), from.href);
  if (target === null) return undefined;
  if (target.hash === "" && !location.includes("#") && from.hash !== "") target.hash = from.hash;
  return target;
}

/** How far a redirect goes, which decides what the next request may carry. */
export type RedirectReach = "sameOrigin" | "sameSite" | "crossSite";

/**
 * Same origin; or the same registrable domain without losing TLS; or anything else. The plain upgrade from http to https
 * on one host and the default ports counts as the same origin: the credentials were meant for that host.
 */
export function redirectReach(from: URL, to: URL): RedirectReach {
  if (from.origin === to.origin || isTlsUpgrade(from, to)) return "sameOrigin";
  if (from.protocol === "https:" && to.protocol !== "https:") return "crossSite";
  return isSameSite(from.hostname, to.hostname) ? "sameSite" : "crossSite";
}

const isTlsUpgrade = (from: URL, to: URL): boolean =>
  from.protocol === "http:" &&
  to.protocol === "https:" &&
  from.hostname === to.hostname &&
  from.port === "" &&
  to.port === "";

function isSameSite(one: string, other: string): boolean {
  if (one === other) return true;
  const domain = getDomain(one, { allowPrivateDomains: true });
  return domain !== null && domain === getDomain(other, { allowPrivateDomains: true });
}
