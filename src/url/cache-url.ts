// Normalizes URLs for the cache key. For page identity in a crawl see identity.ts.
import { hasUserinfo } from "./userinfo.ts";

const INDEX_FILE = /\/index\.(?:html?|php|shtml|xml)$/i;

/**
 * Returns the URL part of the cache key (wire contract 4.8): https, no `www.`, no default port, no
 * trailing slash or index file, query kept, no fragment unless it is a route of a script
 * application (`#/…`, `#!/…`). Returns undefined for a URL with a user name or password, whose
 * content belongs to that user and is not cached.
 */
export function toCacheUrl(url: URL): string | undefined {
  if (hasUserinfo(url)) return undefined;
  const route = isRoute(url.hash) ? url.hash : "";
  return `https://${stripWww(url.host)}${trimPath(url.pathname, INDEX_FILE)}${url.search}${route}`;
}

/** Returns the host without a leading `www.`, for "same site" comparisons; "www.com" stays. */
export function stripWww(host: string): string {
  const rest = host.startsWith("www.") ? host.slice(4) : host;
  return rest.includes(".") ? rest : host;
}

const isRoute = (hash: string): boolean => hash.includes("/");

/** Removes trailing slashes and index files until nothing changes, so it is idempotent. */
export function trimPath(pathname: string, indexFile: RegExp): string {
  let path = pathname;
  for (;;) {
    let end = path.length;
    while (end > 0 && path.charCodeAt(end - 1) === 47) end--;
    const shorter = path.slice(0, end).replace(indexFile, "");
    if (shorter === path) return path;
    path = shorter;
  }
}
