// Addresses of links for a crawl: absolute, http or https, without fragment unless it is a route.

/** Characters that the URL parser keeps in path and query. */
const PLAIN_PATH = /^[\w\-/.~!$&()*+,;=:@?]*$/;
/**
 * A host that the URL parser keeps: it ends in letters, so it is no IP address, and it is not
 * Punycode.
 */
const PLAIN_ABSOLUTE =
  /^https?:\/\/(?!xn--)[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.(?!xn--)[a-z\d](?:[a-z\d-]*[a-z\d])?)*\.[a-z]{2,}\//;
const SCHEME = /^[a-z][a-z\d+.-]*:/i;

export type LinkResolver = (written: string) => string | undefined;

/**
 * Creates a function that resolves an attribute value. Plain addresses are concatenated, all others
 * go through the URL parser, with the same result. Returns undefined for other schemes and invalid
 * addresses.
 */
export function createLinkResolver(base: string): LinkResolver {
  const url = URL.parse(base);
  const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
  if (url === null || !isWeb) return (written) => parse(written, undefined);
  const directory = `${url.origin}${url.pathname.slice(0, url.pathname.lastIndexOf("/") + 1)}`;
  return (written) => {
    // A dot after a slash may be a step up.
    if (!written.includes("/.") && !written.startsWith(".")) {
      if (PLAIN_ABSOLUTE.test(written)) {
        const path = written.indexOf("/", 8);
        if (PLAIN_PATH.test(written.slice(path))) return trimQuery(written);
      } else if (PLAIN_PATH.test(written)) {
        if (written.startsWith("/")) {
          if (written.charCodeAt(1) !== 47) return trimQuery(url.origin + written);
        } else if (!SCHEME.test(written) && !written.startsWith("?") && written !== "")
          return trimQuery(directory + written);
      }
    }
    return parse(written, url.href);
  };
}

/**
 * Removes the fragment unless it is a route, and trims as the URL parser does. `#/…` and `#!…/…`
 * are always routes. Other fragments with a slash are routes in an application and anchors
 * elsewhere: Sphinx manuals have `#guide:tutorial/x`.
 */
export function stripFragment(written: string, isApplication = false): string {
  const hash = written.indexOf("#");
  const isKept = hash === -1 || isRoute(written, hash, isApplication);
  const kept = isKept ? written : written.slice(0, hash);
  let start = 0;
  let end = kept.length;
  while (start < end && kept.charCodeAt(start) <= 32) start += 1;
  while (end > start && kept.charCodeAt(end - 1) <= 32) end -= 1;
  return kept.slice(start, end);
}

function isRoute(written: string, hash: number, isApplication: boolean): boolean {
  if (!written.includes("/", hash)) return false;
  return isApplication || written.startsWith("/", hash + 1) || written.startsWith("!", hash + 1);
}

function parse(written: string, base: string | undefined): string | undefined {
  const url = URL.parse(written, base);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return undefined;
  const route = url.hash.includes("/") ? url.hash : "";
  return `${url.origin}${url.pathname}${url.search}${route}`;
}

/** A question mark with nothing after it is not a query. */
const trimQuery = (address: string): string =>
  address.endsWith("?") && address.indexOf("?") === address.length - 1
    ? address.slice(0, -1)
    : address;
