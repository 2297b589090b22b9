// Caches the sitemaps of a site for some minutes: mapping a site with several searches reads them
// once. Only for requests without headers, which could show one caller another's data.
import type {
  FoundPage,
  SitemapBatch,
  SitemapReport,
  SitemapWalk,
} from "../../discovery/sitemaps.ts";
import type { ReadSitemaps, SitemapQuery } from "./sitemap-urls.ts";

export type SitemapCacheOptions = {
  readonly now: () => number;
  readonly lifeMs?: number;
  /** Maximum entries over all sites, about 150 bytes each. */
  readonly maxEntries?: number;
};

const TTL_MS = 10 * 60 * 1000;
const MAX_ENTRIES = 200_000;
/** Entries per batch served from the cache. */
const BATCH_ENTRIES = 1_000;

type CachedSitemap = {
  readonly pages: readonly FoundPage[];
  /** Requested number of pages; a shorter list is complete. */
  readonly limit: number;
  readonly report: SitemapReport;
  readonly at: number;
};

/** Reads as `read` does and caches complete, successful results for some minutes. */
export function createSitemapCache(read: ReadSitemaps, options: SitemapCacheOptions): ReadSitemaps {
  const { now, lifeMs = TTL_MS, maxEntries = MAX_ENTRIES } = options;
  const known = new Map<string, CachedSitemap>();
  let entries = 0;

  function forget(key: string): void {
    entries -= known.get(key)?.pages.length ?? 0;
    known.delete(key);
  }

  function find(key: string, limit: number): CachedSitemap | undefined {
    const kept = known.get(key);
    if (kept === undefined) return undefined;
    if (now() - kept.at >= lifeMs) {
      forget(key);
      return undefined;
    }
    return kept.limit >= limit || kept.pages.length < kept.limit ? kept : undefined;
  }

  function keep(key: string, kept: CachedSitemap): void {
    forget(key);
    if (kept.pages.length > maxEntries) return;
    known.set(key, kept);
    entries += kept.pages.length;
    // Oldest first. Each site counts at least one entry, so that sites without a sitemap count too.
    for (const oldest of known.keys()) {
      if (entries + known.size <= maxEntries) return;
      forget(oldest);
    }
  }

  async function* keepWalk(
    { start, owner, limit, signal }: SitemapQuery,
    { batches, report }: SitemapWalk,
  ): AsyncGenerator<SitemapBatch> {
    let pages: FoundPage[] | undefined = [];
    for await (const batch of batches) {
      if (pages !== undefined && pages.length + batch.pages.length <= maxEntries)
        pages.push(...batch.pages);
      else pages = undefined;
      yield batch;
    }
    const isWhole = report.files.every(({ outcome }) => outcome !== "failed");
    if (pages !== undefined && isWhole && !signal.aborted)
      keep(buildKey(start, owner), { pages, limit, report, at: now() });
  }

  return async (query) => {
    const { start, owner, limit, headers, fresh = false } = query;
    if (headers !== undefined) return await read(query);
    const kept = fresh ? undefined : find(buildKey(start, owner), limit);
    if (kept !== undefined) return { batches: replayCached(kept, limit), report: kept.report };
    const walk = await read(query);
    return { batches: keepWalk(query, walk), report: walk.report };
  };
}

const buildKey = (start: URL, owner = ""): string => `${owner} ${start.href}`;

async function* replayCached(
  { pages }: CachedSitemap,
  limit: number,
): AsyncGenerator<SitemapBatch> {
  for (let from = 0; from < Math.min(pages.length, limit); from += BATCH_ENTRIES)
    yield { from: "cache", pages: pages.slice(from, Math.min(from + BATCH_ENTRIES, limit)) };
}
