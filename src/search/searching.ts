// The search room put together: who answers searches, the index behind it, and the jobs that extract from several pages.
import type { Credits } from "../account/credits.ts";
import type { Config } from "../config.ts";
import type { Egress } from "../egress/dispatchers.ts";
import type { Logger } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import { openWayOut } from "../models/way-out.ts";
import type { KeptPage } from "../scrape/page.ts";
import type { Scrape } from "../scrape/scrape.ts";
import type { Store } from "../store/store.ts";
import { createIndexer, type Indexer } from "./indexer.ts";
import { createIndexProvider } from "./index-provider.ts";
import type { SearchProvider } from "./provider.ts";
import { createAsk } from "./providers/ask.ts";
import { BRAVE_URL, createBrave } from "./providers/brave.ts";
import { createSearxng } from "./providers/searxng.ts";
import { createSerper, SERPER_URL } from "./providers/serper.ts";
import { createScrapeFound } from "./scrape-found.ts";
import { createSearch, type Search } from "./search.ts";

export type SearchSettings = Pick<
  Config,
  "searchProvider" | "searchUrl" | "searchApiKey" | "searchIndex" | "httpsProxy" | "noProxy"
>;

export type SearchingParts = {
  readonly config: SearchSettings;
  /** Resolves once the store is open. */
  readonly store: () => Promise<Pick<Store, "searchPages" | "scrapes" | "activity">>;
  readonly credits: () => Promise<Credits>;
  readonly scrape: Scrape;
  readonly log: Logger;
  readonly metrics: Metrics;
};

export type Searching = {
  readonly search: Search;
  /** Who answers; for what searches as a part of its own work, and pays for it there. */
  readonly provider: SearchProvider;
  close(): Promise<void>;
};

/** Pages that wait for the index when a search begins: more than these are not waited for. */
const MAX_CAUGHT_UP = 64;

/** The index is made before what fills it: scrapes tell it of their pages. Undefined where it is switched off. */
export function openIndex(
  config: Pick<Config, "searchIndex">,
  parts: Pick<SearchingParts, "store" | "log">,
): Indexer | undefined {
  if (!config.searchIndex) return undefined;
  return createIndexer({
    pages: async () => (await parts.store()).searchPages,
    scrapes: async () => (await parts.store()).scrapes,
    log: parts.log,
  });
}

/** What scrapes are told to do with their pages. */
export const toIndex = (indexer: Indexer | undefined): ((page: KeptPage) => void) | undefined =>
  indexer === undefined ? undefined : (page) => indexer.offer(page);

/** Whoever makes it closes it. */
export function createSearching(parts: SearchingParts, indexer: Indexer | undefined): Searching {
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

/** The settings have been checked for what the provider needs (settingConflicts). */
function openProvider(
  { config, metrics }: SearchingParts,
  index: SearchProvider,
): { provider: SearchProvider; wayOut: Egress | undefined } {
  const { searchProvider: name, searchUrl, searchApiKey } = config;
  if (name === "index") return { provider: index, wayOut: undefined };
  const base = new URL(searchUrl ?? (name === "serper" ? SERPER_URL : BRAVE_URL));
  const { httpsProxy, noProxy } = config;
  const wayOut = openWayOut(base, { modelProxy: undefined, httpsProxy, noProxy }, { metrics });
  const ask = createAsk({ name, route: (url) => wayOut.route(url, { verifyTls: true }) });
  const key = searchApiKey?.reveal() ?? "";
  const provider =
    name === "searxng"
      ? createSearxng(base, ask)
      : name === "brave"
        ? createBrave(base, key, ask)
        : createSerper(base, key, ask);
  return { provider, wayOut };
}
