// Which URLs of a crawl are one page (wire contract 5.4, 5.5).
import { hash } from "node:crypto";
import { trimPath, withoutWww } from "./normalise.ts";

export type IdentityRules = {
  /** Query strings make no difference and are not fetched. */
  readonly ignoreQueryParameters?: boolean;
  /** www or not, http or https, a trailing slash, index.html and index.php make no difference. */
  readonly deduplicateSimilarURLs?: boolean;
};

const INDEX_FILE = /\/index\.(?:html|php)$/i;

/**
 * The page a URL means within a crawl, as it is fetched: without user name, without query when it is ignored, and without
 * fragment unless that contains "/" (the route of a script application).
 */
export function toCrawlUrl(url: URL, rules: IdentityRules = {}): string {
  const search = rules.ignoreQueryParameters === true ? "" : url.search;
  return `${url.origin}${url.pathname}${search}${routeOf(url)}`;
}

/**
 * The key under which two URLs of a crawl count as the same. Not meant to be fetched. Percent-encodings that RFC 3986
 * section 6.2.2 calls equivalent are the same under any rules: `%7Euser` and `~user`, `%c3` and `%C3`.
 */
export function toIdentity(url: URL, rules: IdentityRules = {}): string {
  const search = rules.ignoreQueryParameters === true ? "" : url.search;
  const similar = rules.deduplicateSimilarURLs === true;
  const site = similar ? `//${withoutWww(url.host)}` : url.origin;
  const path = foldEscapes(url.pathname);
  return `${site}${similar ? trimPath(path, INDEX_FILE) : path}${foldEscapes(search)}${foldEscapes(routeOf(url))}`;
}

/**
 * The identity as a signed 64-bit number, for a database key: the first eight bytes of its SHA-256. Among ten million
 * identities the odds that any two share a number are 1 to 370,000 (n²/2⁶⁵).
 */
export function hashIdentity(identity: string): bigint {
  return hash("sha256", identity, "buffer").readBigInt64BE(0);
}

const routeOf = (url: URL): string => (url.hash.includes("/") ? url.hash : "");

/** Escapes in upper case, and none for characters that need none (RFC 3986 section 2.3). */
function foldEscapes(text: string): string {
  return text.includes("%") ? text.replace(/%[\da-f]{2}/gi, foldEscape) : text;
}

function foldEscape(escape: string): string {
  const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
  return /[\w.~-]/.test(character) ? character : escape.toUpperCase();
}
