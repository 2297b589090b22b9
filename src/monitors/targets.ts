// The pages of a target, each with the way to fetch it. A web page is scraped again to confirm a
// change. The URLs of a site and the results of a search count as one page each, with one URL per
// line.
import { mapRequestSchema, type MapOptions } from "../contract/page/map.ts";
import type { PageOptions } from "../contract/page/scrape.ts";
import { searchRequestSchema, type SearchOptions } from "../contract/page/search.ts";
import { computeSearchPrice } from "../contract/account/prices.ts";
import type { CrawlOptions } from "../contract/jobs/crawl.ts";
import { QuarryError } from "../errors.ts";
import type { MapSite } from "../crawl/job.ts";
import { computeHighestPrice } from "../formats/page-price.ts";
import type { Scrape } from "../scrape/scrape.ts";
import type { Search } from "../search/search.ts";
import type { Observation } from "./check-page.ts";
import {
  observePage,
  toReading,
  type CheckCaller,
  type FetchResult,
  type PageReading,
  type ReadPicture,
} from "./observe.ts";
import type { Target } from "./settings.ts";

/** Facts about a page before it is fetched. */
export type KnownPage = {
  /** The text of the last version. */
  readonly text: string | undefined;
  /** A page with this fingerprint need not be converted. */
  readonly fingerprint?: string | undefined;
};

export type TargetPage = {
  readonly url: string;
  readonly reading: Pick<PageReading, "fieldsOnly" | "picture">;
  fetch(known: KnownPage): Promise<FetchResult>;
};

export type TargetParts = {
  readonly scrape: Scrape;
  readonly mapSite: MapSite;
  readonly search: Search;
  readonly now: () => number;
  readonly readPicture: ReadPicture;
};

const WINDOWS: Readonly<Record<string, string>> = {
  "5m": "qdr:n5",
  "15m": "qdr:n15",
  "1h": "qdr:h",
  "6h": "qdr:h6",
  "24h": "qdr:d",
  "7d": "qdr:w",
};
/** Maximum stored search results. */
const MAX_KNOWN_RESULTS = 1_000;

/** The options of a target's pages, defaults filled in. */
export const getPageOptions = (target: Target): PageOptions | undefined => {
  if (target.type === "scrape") return target.scrapeOptions;
  if (target.type !== "crawl") return undefined;
  return target.scrapeOptions ?? target.crawlOptions?.scrapeOptions;
};

/** A scraped page; `first` is the document of a crawl. */
export function toScrapedPage(
  { scrape, now, readPicture }: TargetParts,
  target: Extract<Target, { type: "scrape" | "crawl" }>,
  options: PageOptions,
  url: string,
  caller: CheckCaller,
  first?: FetchResult,
): TargetPage {
  const reading = toReading(options.formats, target.scope);
  let fetches = 0;
  return {
    url,
    reading,
    async fetch({ fingerprint: known }) {
      fetches += 1;
      if (fetches === 1 && first !== undefined) return first;
      const { scope } = target;
      // The crawl options allow a cached copy, which says nothing about a page that is gone.
      const isFresh = fetches > 1 || target.type === "crawl";
      const page = { url, options, scope, reading, isFresh, known, readPicture };
      return await observePage(scrape, page, caller, now);
    },
  };
}

/** Returns a list as a page with one entry per line. Errors count as failed checks of the list. */
async function observeList(
  read: () => Promise<{ readonly lines: readonly string[]; readonly credits: number }>,
  url: string,
  { caller, now }: { readonly caller: CheckCaller; readonly now: () => number },
): Promise<FetchResult> {
  const createBrokenObservation = (reason: string): Observation => ({
    kind: "broken",
    reason,
    statusCode: null,
    scrapeId: null,
  });
  try {
    const { lines, credits } = await read();
    if (lines.length === 0) return { seen: createBrokenObservation("Nothing was found."), credits };
    const text = lines.join("\n");
    const seen: Observation = {
      kind: "page",
      text,
      fetchedAt: now(),
      title: null,
      statusCode: 200,
      finalUrl: url,
      scrapeId: null,
    };
    return { seen, credits };
  } catch (error) {
    caller.signal.throwIfAborted();
    if (
      !(error instanceof QuarryError) ||
      error.code === "INSUFFICIENT_CREDITS" ||
      error.status >= 503
    )
      throw error;
    return { seen: createBrokenObservation(error.message), credits: 0 };
  }
}

function toMapPage(
  { mapSite, now }: TargetParts,
  target: Extract<Target, { type: "map" }>,
  caller: CheckCaller,
): TargetPage {
  const { url, search, limit } = target;
  const options: MapOptions = mapRequestSchema.parse({
    url,
    limit,
    ...(search !== undefined && { search }),
    ignoreCache: true,
  });
  const read = async () => {
    const { links } = await mapSite(options, caller);
    return { lines: links.map((link) => link.url).toSorted(), credits: 1 };
  };
  return {
    url,
    reading: { fieldsOnly: false },
    fetch: () => observeList(read, url, { caller, now }),
  };
}

function toSearchPage(
  { search, now }: TargetParts,
  target: Extract<Target, { type: "search" }>,
  query: string,
  caller: CheckCaller,
): TargetPage {
  const options: SearchOptions = searchRequestSchema.parse({
    query,
    limit: target.maxResults,
    tbs: WINDOWS[target.searchWindow],
    ...(target.includeDomains?.length && { includeDomains: target.includeDomains }),
    ...(target.excludeDomains?.length && { excludeDomains: target.excludeDomains }),
  });
  const url = `search:${query}`;
  return {
    url,
    reading: { fieldsOnly: false },
    // A result that drops out of the list is not a change, so known results stay.
    fetch: ({ text: known }) =>
      observeList(
        async () => {
          const { data, creditsUsed } = await search(options, caller);
          const found = [...(data.web ?? []), ...(data.news ?? [])].flatMap((result) =>
            typeof result.url === "string" ? [result.url] : [],
          );
          const earlier = (known ?? "").split("\n").filter((line) => line !== "");
          const news = found.filter((line) => !earlier.includes(line));
          const lines = [...earlier, ...new Set(news)].slice(-MAX_KNOWN_RESULTS);
          return { lines, credits: creditsUsed };
        },
        url,
        { caller, now },
      ),
  };
}

/** Returns the pages of a target that needs no job. */
export function listPages(
  parts: TargetParts,
  target: Exclude<Target, { type: "crawl" }>,
  caller: CheckCaller,
): TargetPage[] {
  if (target.type === "map") return [toMapPage(parts, target, caller)];
  if (target.type === "search")
    return target.queries.map((query) => toSearchPage(parts, target, query, caller));
  return [...new Set(target.urls)].map((url) =>
    toScrapedPage(parts, target, target.scrapeOptions, url, caller),
  );
}

/** Returns the options for the crawl of a target. */
export function toCrawlOptions(
  target: Extract<Target, { type: "crawl" }>,
  defaults: CrawlOptions,
): CrawlOptions {
  const options = getPageOptions(target);
  return {
    ...defaults,
    ...target.crawlOptions,
    url: target.url,
    webhook: null,
    scrapeOptions: {
      ...(options ?? defaults.scrapeOptions),
      formats: [...toReading((options ?? defaults.scrapeOptions).formats, target.scope).formats],
      maxAge: 0,
    },
  };
}

/** Credits of one check if every page is fetched once. */
export function estimateCredits(targets: readonly Target[], crawlPages: number): number {
  let credits = 0;
  for (const target of targets) {
    if (target.type === "search")
      credits += target.queries.length * computeSearchPrice(target.maxResults);
    else if (target.type === "map") credits += 1;
    else {
      const options = getPageOptions(target);
      const price =
        options === undefined
          ? 1
          : computeHighestPrice({
              ...options,
              formats: toReading(options.formats, target.scope).formats,
              proxy: "basic",
            });
      const pages =
        target.type === "scrape" ? target.urls.length : (target.crawlOptions?.limit ?? crawlPages);
      credits += price * pages;
    }
  }
  return credits;
}
