// Finds the sitemaps of a site and fetches them like its pages.
import type { RobotsStore } from "../../discovery/robots.ts";
import { listSitemapSources, walkSitemaps, type SitemapWalk } from "../../discovery/sitemaps.ts";
import type { FetchFile } from "../../engines/fetch-text.ts";

export type SitemapQuery = {
  /** Start URL of the crawl or map. */
  readonly start: URL;
  /** The only account that gets the result; undefined when accounts may share it. */
  readonly owner?: string | undefined;
  /** Maximum entries to read. */
  readonly limit: number;
  /** Entries it rejects are left out. */
  readonly accepts?: (url: URL) => boolean;
  readonly headers?: Readonly<Record<string, string>>;
  /** Bypasses the cache. */
  readonly fresh?: boolean;
  readonly signal: AbortSignal;
};

export type ReadSitemaps = (query: SitemapQuery) => Promise<SitemapWalk>;

/** Compressed files are unpacked by their reader, which has its own limits. */
const FETCH = { timeoutMs: 30_000, maxBytes: 52 * 1024 * 1024 };

export function createSitemapReader(parts: {
  readonly robots: RobotsStore;
  readonly fetchFile: FetchFile;
}): ReadSitemaps {
  return async ({ start, limit, accepts, headers, signal }) => {
    const { file } = await parts.robots.load(start);
    return walkSitemaps({
      sources: listSitemapSources(start, file.sitemaps),
      fetch: (url) =>
        parts.fetchFile(url, { ...FETCH, signal, ...(headers === undefined ? {} : { headers }) }),
      ...(accepts === undefined ? {} : { accepts }),
      limit,
      signal,
    });
  };
}
