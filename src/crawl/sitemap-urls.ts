// The sitemaps of a site, wherever they are named, fetched as its pages are.
import type { RobotsStore } from "../discovery/robots.ts";
import { sitemapSources, walkSitemaps, type SitemapWalk } from "../discovery/sitemaps.ts";
import type { FetchFile } from "../engines/fetch-text.ts";

export type SitemapQuery = {
  /** Where a crawl or map starts. */
  readonly start: URL;
  /** The account that alone is answered with what is read; undefined where accounts share it. */
  readonly owner?: string | undefined;
  /** Entries read at most. */
  readonly limit: number;
  /** Entries it refuses are left out. */
  readonly accepts?: (url: URL) => boolean;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whatever is still known from a moment ago does not count. */
  readonly fresh?: boolean;
  readonly signal: AbortSignal;
};

export type ReadSitemaps = (query: SitemapQuery) => Promise<SitemapWalk>;

/** Packed files are unpacked by their reader, which has bounds of its own. */
const FETCH = { timeoutMs: 30_000, maxBytes: 52 * 1024 * 1024 };

export function createSitemapReader(parts: {
  readonly robots: RobotsStore;
  readonly fetchFile: FetchFile;
}): ReadSitemaps {
  return async ({ start, limit, accepts, headers, signal }) => {
    const { file } = await parts.robots.load(start);
    return walkSitemaps({
      sources: sitemapSources(start, file.sitemaps),
      fetch: (url) =>
        parts.fetchFile(url, { ...FETCH, signal, ...(headers === undefined ? {} : { headers }) }),
      ...(accepts === undefined ? {} : { accepts }),
      limit,
      signal,
    });
  };
}
