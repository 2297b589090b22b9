// The settings of searches.
import { choice, flag, httpAddress, row, secret, whole, type Row } from "./checks.ts";

export const SEARCH_SETTINGS = {
  searchProvider: row(
    "search",
    "QUARRY_SEARCH_PROVIDER",
    choice(["index", "searxng", "brave", "serper"]),
    "index",
    "Who answers searches: index is what this server has scraped itself and needs nothing; searxng needs QUARRY_SEARCH_URL, brave and serper QUARRY_SEARCH_API_KEY.",
  ),
  searchUrl: row(
    "search",
    "QUARRY_SEARCH_URL",
    httpAddress,
    "",
    "Address of the SearXNG server, or of a stand-in for the API of brave or serper. This one address is opened for searches only, also when it is private.",
  ),
  searchApiKey: row("search", "QUARRY_SEARCH_API_KEY", secret, "", "Key for the search provider."),
  searchIndex: row(
    "search",
    "QUARRY_SEARCH_INDEX",
    flag,
    "true",
    "Put the pages of the cache into the index that searches of their account look through.",
  ),
  searchIndexPages: row(
    "search",
    "QUARRY_SEARCH_INDEX_PAGES",
    whole(0, 100_000_000),
    "100000",
    "Pages in that index before those fetched longest ago go; 1,000 take about 8 MB.",
  ),
} as const satisfies Record<string, Row>;
