// Creates the search room: the provider, the index, and the extraction jobs.
import type { Credits } from "../account/credits.ts";
import type { Config } from "../config.ts";
import type { Egress } from "../egress/dispatchers.ts";
import type { Logger } from "../logger.ts";
import type { Metrics } from "../metrics.ts";
import { openProviderEgress } from "../models/provider-egress.ts";
import type { StoredPage } from "../scrape/page.ts";
import type { Scrape } from "../scrape/scrape.ts";
import type { Store } from "../store/store.ts";
import { createIndexer, type Indexer } from "./indexer.ts";
import { createIndexProvider } from "./index-provider.ts";
import type { SearchProvider } from "./provider.ts";
import { createAsk, type Ask } from "./providers/ask.ts";
import { BRAVE_URL, createBrave } from "./providers/brave.ts";
import { createSearxng } from "./providers/searxng.ts";
import { createSerper, SERPER_URL } from "./providers/serper.ts";
import type { SearchProviderName } from "../settings/search-settings.ts";
import { createScrapeFound } from "./scrape-found.ts";
import { createSearch, type Search } from "./search.ts";

export type SearchSettings = Pick<
  Config,
  "searchProvider" | "searchUrl" | "searchApiKey" | "searchIndex" | "httpsProxy" | "noProxy"
>;

export type SearchRoomParts = {
  readonly config: SearchSettings;
  /** Resolves once the store is open. */
  readonly store: () => Promise<Pick<Store, "searchPages" | "scrapes" | "activity">>;
  readonly credits: () => Promise<Credits>;
  readonly scrape: Scrape;
  readonly log: Logger;
  readonly metrics: Metrics;
};

export type SearchRoom = {
  readonly search: Search;
  /** Provider for callers that search as part of their own work and pay for it there. */
  readonly provider: SearchProvider;
  close(): Promise<void>;
};

/** Waiting pages that a search has indexed first; further ones are not awaited. */
const MAX_CAUGHT_UP = 64;

/** Created before scrapes, which feed the index. Undefined when switched off. */
export function openIndex(
  config: Pick<Config, "searchIndex">,
  parts: Pick<SearchRoomParts, "store" | "log">,
): Indexer | undefined {
  if (!config.searchIndex) return undefined;
  return createIndexer({
    pages: async () => (await parts.store()).searchPages,
    scrapes: async () => (await parts.store()).scrapes,
    log: parts.log,
  });
}

/** The callback that scrapes call with their pages. */
export const toIndex = (indexer: Indexer | undefined): ((page: StoredPage) => void) | undefined =>
  indexer === undefined ? undefined : (page) => indexer.enqueuePage(page);

/** The caller closes it. */
export function createSearchRoom(parts: SearchRoomParts, indexer: Indexer | undefined): SearchRoom {
  const { store } = parts;
  const index = createIndexProvider({
    pages: async () => (await store()).searchPages,
    catchUp: async () => await indexer?.catchUp(MAX_CAUGHT_UP),
    isOn: indexer !== undefined,
  });
  const { provider, wayOut } = openProvider(parts, index);
  return {
    provider,
    search: createSearch({
      provider,
      scrapeFound: createScrapeFound(parts.scrape),
      credits: parts.credits,
      activity: async () => (await store()).activity,
      log: parts.log,
    }),
    async close() {
      await wayOut?.close();
      await indexer?.close();
    },
  };
}

type Connect = (base: URL, key: string, ask: Ask) => SearchProvider;

/** External providers, each with the URL of its API; one without it needs QUARRY_SEARCH_URL. */
const CONNECTIONS: Readonly<
  Record<Exclude<SearchProviderName, "index">, { readonly url?: string; readonly connect: Connect }>
> = {
  searxng: { connect: (base, _key, ask) => createSearxng(base, ask) },
  brave: { url: BRAVE_URL, connect: createBrave },
  serper: { url: SERPER_URL, connect: createSerper },
};

/** findSettingConflicts has checked the settings that the provider needs. */
function openProvider(
  { config, metrics }: SearchRoomParts,
  index: SearchProvider,
): { provider: SearchProvider; wayOut: Egress | undefined } {
  const { searchProvider: name, searchUrl, searchApiKey, httpsProxy, noProxy } = config;
  if (name === "index") return { provider: index, wayOut: undefined };
  const { url = "", connect } = CONNECTIONS[name];
  const base = new URL(searchUrl ?? url);
  const wayOut = openProviderEgress(
    base,
    { modelProxy: undefined, httpsProxy, noProxy },
    { metrics },
  );
  const ask = createAsk({ name, route: (to) => wayOut.route(to, { verifyTls: true }) });
  return { provider: connect(base, searchApiKey?.reveal() ?? "", ask), wayOut };
}
