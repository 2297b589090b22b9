// Counts of pages and their latency, without the database, which the API does not load at its start.

/** Upper limits of the ranges of latency, in milliseconds; one more range is above the last. */
export const LATENCY_LIMITS_MS = [
  50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 20_000, 30_000, 60_000, 120_000,
] as const;

/** Names of the counts, in the API and as columns. */
export const COUNTS = {
  pages: "pages",
  blocked: "blocked",
  thin: "thin",
  failed: "failed",
  cacheHits: "cache_hits",
  httpPages: "http_pages",
  browserPages: "browser_pages",
  documentPages: "document_pages",
  bytes: "bytes",
} as const;

export type PageCounts = { readonly [Name in keyof typeof COUNTS]: number } & {
  /** Pages in each range of latency, one more than LATENCY_LIMITS_MS. */
  readonly latency: readonly number[];
};

export const NO_PAGES: PageCounts = {
  pages: 0,
  blocked: 0,
  thin: 0,
  failed: 0,
  cacheHits: 0,
  httpPages: 0,
  browserPages: 0,
  documentPages: 0,
  bytes: 0,
  latency: Array.from({ length: LATENCY_LIMITS_MS.length + 1 }, () => 0),
};

/**
 * The time in milliseconds below which `share` of the pages are, interpolated within its range; the
 * last limit for pages above it, null without pages.
 */
export function estimateLatency(latency: readonly number[], share: number): number | null {
  const total = latency.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let left = share * total;
  for (const [at, count] of latency.entries()) {
    const from = LATENCY_LIMITS_MS[at - 1] ?? 0;
    const to = LATENCY_LIMITS_MS[at] ?? from;
    if (count > 0 && left <= count) return Math.round(from + ((to - from) * left) / count);
    left -= count;
  }
  return LATENCY_LIMITS_MS.at(-1) ?? null;
}
