// The settings of searches.
import {
  readChoice,
  readFlag,
  readHttpAddress,
  defineRow,
  secret,
  readWhole,
  type Row,
} from "./checks.ts";

/** The search providers, with the setting that each needs. */
export const SEARCH_PROVIDERS = {
  index: { needs: undefined },
  searxng: { needs: "searchUrl" },
  brave: { needs: "searchApiKey" },
  serper: { needs: "searchApiKey" },
} as const;

export type SearchProviderName = keyof typeof SEARCH_PROVIDERS;
const NAMES = Object.keys(SEARCH_PROVIDERS) as SearchProviderName[];

export const SEARCH_SETTINGS = {
  searchProvider: defineRow(
    "search",
    "QUARRY_SEARCH_PROVIDER",
    readChoice(NAMES),
    "index",
    "Search provider: index searches what this server has scraped; searxng needs QUARRY_SEARCH_URL, brave and serper QUARRY_SEARCH_API_KEY.",
  ),
  searchUrl: defineRow(
    "search",
    "QUARRY_SEARCH_URL",
    readHttpAddress,
    "",
    "URL of the SearXNG server, or of a substitute for the API of brave or serper. Only searches may connect to it, also if it is private.",
  ),
  searchApiKey: defineRow(
    "search",
    "QUARRY_SEARCH_API_KEY",
    secret,
    "",
    "Key for the search provider.",
  ),
  searchIndex: defineRow(
    "search",
    "QUARRY_SEARCH_INDEX",
    readFlag,
    "true",
    "Add cached pages to the search index of their account.",
  ),
  searchIndexPages: defineRow(
    "search",
    "QUARRY_SEARCH_INDEX_PAGES",
    readWhole(0, 100_000_000),
    "100000",
    "Maximum pages in the search index, oldest fetches go first; 1,000 take about 8 MB.",
  ),
} as const satisfies Record<string, Row>;
