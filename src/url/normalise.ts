// The key of the cache, and the parts of a URL that make no difference. Which URLs are one page of a crawl: identity.ts.
import { hasUserinfo } from "./userinfo.ts";

const INDEX_FILE = /\/index\.(?:html?|php|shtml|xml)$/i;

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

/** Host without a leading `www.`, for "same site" comparisons; "www.com" stays. */
export function withoutWww(host: string): string {
  const rest = host.startsWith("www.") ? host.slice(4) : host;
  return rest.includes(".") ? rest : host;
}

const isRoute = (hash: string): boolean => hash.includes("/");

/** Drops trailing slashes and index files until nothing changes, so that trimming twice changes nothing. */
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
