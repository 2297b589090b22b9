// Resolves redirects and decides what they may carry. engines/http.ts follows them.
import { getDomain } from "tldts";

/**
 * Resolves a Location header (RFC 9110 section 10.2.2) against its URL, including relative
 * references and the old fragment if the new URL has none. Returns undefined if it is not a URL.
 * Does not check the scheme.
 */
export function resolveLocation(location: string, from: URL): URL | undefined {
  const target = URL.parse(location.trim(), from.href);
  if (target === null) return undefined;
  if (target.hash === "" && !location.includes("#") && from.hash !== "") target.hash = from.hash;
  return target;
}

/** Reach of a redirect, which decides what the next request may carry. */
export type RedirectReach = "sameOrigin" | "sameSite" | "crossSite";

/**
 * Returns "sameOrigin"; "sameSite" for the same registrable domain without losing TLS; else
 * "crossSite". A plain upgrade from http to https on one host and default ports counts as the same
 * origin, because the credentials were meant for that host.
 */
export function classifyRedirect(from: URL, to: URL): RedirectReach {
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
