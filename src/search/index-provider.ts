// Searches the pages this server has scraped for the account. Needs no provider; has no images and
// no news.
import type { SearchPageStore } from "../store/search/search-pages.ts";
import { createAccountCache } from "./account-cache.ts";
import { toLookup, type Lookup } from "./lookup.ts";
import { HEADING_MARK } from "./page-text.ts";
import type { Answer, ProviderRequest, SearchProvider } from "./provider.ts";
import { findMatches, type Match } from "./matches.ts";
import { cutSnippet } from "./snippet.ts";

export type IndexProviderParts = {
  /** Resolves once the store is open. */
  readonly pages: () => Promise<SearchPageStore>;
  /** Indexes recently scraped pages. */
  readonly catchUp: () => Promise<void>;
  /** True if pages are indexed (QUARRY_SEARCH_INDEX). */
  readonly isOn: boolean;
};

const ONLY_WEB: Readonly<Record<"news" | "images", string>> = {
  news: "This server's index has no news. Set QUARRY_SEARCH_PROVIDER to searxng, brave or serper.",
  images:
    "This server's index has no images. Set QUARRY_SEARCH_PROVIDER to searxng, brave or serper.",
};

export function createIndexProvider(parts: IndexProviderParts): SearchProvider {
  const getCachedLanguages = createAccountCache(
    async (accountId) => await (await parts.pages()).listLanguages(accountId),
  );
  const getCachedCount = createAccountCache(
    async (accountId) => await (await parts.pages()).count(accountId),
  );
  return {
    name: "index",
    async search(request, deadline) {
      if (request.source !== "web") return { results: [], warnings: [ONLY_WEB[request.source]] };
      const pages = await deadline.race(parts.pages());
      await deadline.race(parts.catchUp());
      const languages = await deadline.race(getCachedLanguages(request.accountId));
      const lookup = await toLookup(request, languages);
      if (lookup === undefined) return { results: [], warnings: ["The query has no words."] };
      const count = await deadline.race(getCachedCount(request.accountId));
      const found = await deadline.race(findMatches(pages, request, lookup, count));
      const results = found.slice(0, request.limit).map((page) => ({
        url: page.url,
        title: page.title || undefined,
        description: describe(page, lookup, request.highlights),
        isPdf: page.isPdf,
      }));
      const warnings = [...lookup.warnings, ...listUnusedOptions(request)];
      if (results.length === 0) warnings.push(await explainNothing(pages, request, parts.isOn));
      return { results, warnings } satisfies Answer;
    },
  };
}

function listUnusedOptions({ location, range, tbs }: ProviderRequest): string[] {
  const warnings: string[] = [];
  if (location !== undefined)
    warnings.push("location is ignored: this server's index does not support it.");
  if (range.isUnknown) warnings.push(`tbs "${tbs ?? ""}" was not understood and is ignored.`);
  return warnings;
}

async function explainNothing(
  pages: SearchPageStore,
  { accountId }: ProviderRequest,
  isOn: boolean,
): Promise<string> {
  if (!isOn) return "This server does not index pages (QUARRY_SEARCH_INDEX is false).";
  const count = await pages.count(accountId);
  return count === 0
    ? "This server searches pages it has scraped, and there are none yet. Set QUARRY_SEARCH_PROVIDER to search the web."
    : `None of the ${count} pages that this server has scraped matches. Set QUARRY_SEARCH_PROVIDER to search the web.`;
}

/** The part of the page with the words of the query, unless its description has more of them. */
function describe(
  { description, text, passage }: Match,
  { words }: Lookup,
  highlights: boolean,
): string | undefined {
  const own = description || cutSnippet(toLine(text.slice(0, 2_000)), []).snippet || undefined;
  if (!highlights) return own;
  const { snippet, found } = cutSnippet(toLine(passage), words);
  const said = description === "" ? 0 : cutSnippet(description, words).found;
  return found > said ? snippet : own;
}

const toLine = (text: string): string =>
  text.replaceAll(HEADING_MARK, "").replaceAll("\n", " ").trim();
