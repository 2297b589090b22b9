// One URL, several notions of "the same": the key of the cache, the page of a crawl, the page of a tolerant crawl.
import { hasUserinfo } from "./userinfo.ts";

const INDEX_FILE = /\/index\.(?:html?|php|shtml|xml)$/i;
const SIMILAR_INDEX_FILE = /\/index\.(?:html|php)$/i;

/**
 * The URL part of the cache key (wire contract 4.8): https, no `www.`, no default port, no trailing slash or index file,
 * query kept, no fragment unless it is a route of a script application (`#/…`, `#!/…`). Undefined when the URL carries a
 * user name or password: what it shows belongs to that user and is not kept.
 */
export function toCacheUrl(url: URL): string | undefined {
  if (hasUserinfo(url)) return undefined;
  const route = isRoute(url.hash) ? url.hash : "";
  return `https://${withoutWww(url.host)}${trimPath(url.pathname, INDEX_FILE)}${url.search}${route}`;
}

/**
 * The page a URL means within a crawl (wire contract 5.4, 5.5): without fragment, unless it contains "/" (hash routing),
 * and without query when `ignoreQuery`. The result can be fetched.
 */
export function toCrawlUrl(url: URL, options: { ignoreQuery?: boolean } = {}): string {
  const search = options.ignoreQuery ? "" : url.search;
  const hash = isRoute(url.hash) ? url.hash : "";
  return `${url.origin}${url.pathname}${search}${hash}`;
}

/**
 * The key under which two URLs of a crawl count as the same (wire contract 5.5). With `similar`, www or not, http or
 * https, a trailing slash and index.html or index.php make no difference. Not meant to be fetched.
 */
export function toIdentity(
  url: URL,
  options: { ignoreQuery?: boolean; similar?: boolean } = {},
): string {
  if (!options.similar) return toCrawlUrl(url, options);
  const search = options.ignoreQuery ? "" : url.search;
  const hash = isRoute(url.hash) ? url.hash : "";
  return `//${withoutWww(url.host)}${trimPath(url.pathname, SIMILAR_INDEX_FILE)}${search}${hash}`;
}

/** Host without a leading `www.`, for "same site" comparisons; "www.com" stays. */
export function withoutWww(host: string): string {
  const rest = host.startsWith("www.") ? host.slice(4) : host;
  return rest.includes(".") ? rest : host;
}

const isRoute = (hash: string): boolean => hash.includes("/");

/** Drops trailing slashes and index files until nothing changes, so that trimming twice changes nothing. */
function trimPath(pathname: string, indexFile: RegExp): string {
  let path = pathname;
  for (;;) {
    let end = path.length;
    while (end > 0 && path.charCodeAt(end - 1) === 47) end--;
    const shorter = path.slice(0, end).replace(indexFile, "");
    if (shorter === path) return path;
    path = shorter;
  }
}
