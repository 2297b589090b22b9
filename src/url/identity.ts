// Decides which URLs of a crawl are one page (wire contract 5.4, 5.5).
import { hash } from "node:crypto";
import { trimPath, stripWww } from "./cache-url.ts";

export type IdentityRules = {
  /** Ignores query strings and removes them before fetching. */
  readonly ignoreQueryParameters?: boolean;
  /** Ignores www, http or https, a trailing slash, index.html and index.php. */
  readonly deduplicateSimilarURLs?: boolean;
};

const INDEX_FILE = /\/index\.(?:html|php)$/i;

/**
 * Returns the URL to fetch in a crawl: without user name, without query if ignored, and without
 * fragment unless that contains "/" (the route of a script application).
 */
export function toCrawlUrl(url: URL, rules: IdentityRules = {}): string {
  const search = rules.ignoreQueryParameters === true ? "" : url.search;
  return `${url.origin}${url.pathname}${search}${readRoute(url)}`;
}

/**
 * Returns the key under which URLs of a crawl count as the same page. Not meant to be fetched.
 * Percent-encodings that are equivalent by RFC 3986 section 6.2.2 are equal under any rules:
 * `%7Euser` and `~user`, `%c3` and `%C3`.
 */
export function toIdentity(url: URL, rules: IdentityRules = {}): string {
  const search = rules.ignoreQueryParameters === true ? "" : url.search;
  const similar = rules.deduplicateSimilarURLs === true;
  const site = similar ? `//${stripWww(url.host)}` : url.origin;
  const path = foldEscapes(url.pathname);
  return `${site}${similar ? trimPath(path, INDEX_FILE) : path}${foldEscapes(search)}${foldEscapes(readRoute(url))}`;
}

/**
 * Returns the identity as a signed 64-bit number for a database key: the first eight bytes of its
 * SHA-256. Among ten million identities the odds of a collision are 1 to 370,000 (n²/2⁶⁵).
 */
export function hashIdentity(identity: string): bigint {
  return hash("sha256", identity, "buffer").readBigInt64BE(0);
}

const readRoute = (url: URL): string => (url.hash.includes("/") ? url.hash : "");

/** Normalizes escapes: upper case, and none for unreserved characters (RFC 3986 section 2.3). */
function foldEscapes(text: string): string {
  return text.includes("%") ? text.replace(/%[\da-f]{2}/gi, foldEscape) : text;
}

function foldEscape(escape: string): string {
  const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
  return /[\w.~-]/.test(character) ? character : escape.toUpperCase();
}
