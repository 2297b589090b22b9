// Searches the pages this server has scraped for the account. Needs no provider; has no images and
// no news.
import type { FoundPage, SearchPageStore } from "../store/search/search-pages.ts";
import { createKnownLanguages } from "./known-languages.ts";
import { toLookup, type Lookup } from "./lookup.ts";
import { matchesPhrases, flatten } from "./phrases.ts";
import type { Answer, ProviderRequest, SearchProvider } from "./provider.ts";
import { cutSnippet } from "./snippet.ts";
import { languageOf, NO_LANGUAGE } from "./stems.ts";
import { wordsOf } from "./words.ts";

export type IndexProviderParts = {
  /** Resolves once the store is open. */
  readonly pages: () => Promise<SearchPageStore>;
  /** Indexes recently scraped pages. */
  readonly catchUp: () => Promise<void>;
  /** True if pages are indexed (QUARRY_SEARCH_INDEX). */
  readonly isOn: boolean;
};

/** Factor of extra matches fetched, because phrases and duplicates are checked afterwards. */
const SPARE = 3;
const MIN_LOOKED_AT = 60;
const MAX_LOOKED_AT = 300;

const ONLY_WEB: Readonly<Record<"news" | "images", string>> = {
  news: "This server's index has no news. Set QUARRY_SEARCH_PROVIDER to searxng, brave or serper.",
  images:
    "This server's index has no images. Set QUARRY_SEARCH_PROVIDER to searxng, brave or serper.",
};

export function createIndexProvider(parts: IndexProviderParts): SearchProvider {
  const languagesOf = createKnownLanguages(
    async (accountId) => await (await parts.pages()).languages(accountId),
  );
  return {
    name: "index",
    async search(request, deadline) {
      if (request.source !== "web") return { results: [], warnings: [ONLY_WEB[request.source]] };
      const pages = await deadline.race(parts.pages());
      await deadline.race(parts.catchUp());
      const languages = await deadline.race(languagesOf(request.accountId));
      const lookup = await toLookup(request, languages);
      if (lookup === undefined) return { results: [], warnings: ["The query has no words."] };
      const found = await deadline.race(findPages(pages, request, lookup));
      const results = found.slice(0, request.limit).map((page) => ({
        url: page.url,
        title: page.title || undefined,
        description: describe(page, lookup, request.highlights),
        isPdf: page.isPdf,
      }));
      const warnings = [...lookup.warnings, ...unusedOptions(request)];
      if (results.length === 0) warnings.push(await whyNothing(pages, request, parts.isOn));
      return { results, warnings } satisfies Answer;
    },
  };
}

function unusedOptions({ location, range, tbs }: ProviderRequest): string[] {
  const warnings: string[] = [];
  if (location !== undefined)
    warnings.push("location is ignored: this server's index does not support it.");
  if (range.isUnknown) warnings.push(`tbs "${tbs ?? ""}" was not understood and is ignored.`);
  return warnings;
}

async function whyNothing(
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

/** Finds the best pages: first those with all terms, then those with at least half. */
async function findPages(
  pages: SearchPageStore,
  { accountId, range, limit, language }: ProviderRequest,
  lookup: Lookup,
): Promise<FoundPage[]> {
  const most = Math.min(MAX_LOOKED_AT, Math.max(MIN_LOOKED_AT, limit * SPARE));
  const { since, until, newestFirst } = range;
  const common = { accountId, since, until, newestFirst, paths: lookup.paths, limit: most };
  const order = (found: readonly FoundPage[]): FoundPage[] =>
    newestFirst
      ? [...found]
      : found
          .map((page) => ({ page, score: scoreOf(page, lookup, language) }))
          .toSorted((one, other) => other.score - one.score)
          .map(({ page }) => page);
  const whole = await pages.find({ ...common, words: lookup.all });
  const best = withoutCopies(order(whole.filter((page) => matchesPhrases(page, lookup))));
  if (best.length >= limit || lookup.some === undefined) return best;
  const preferred = lookup.parts;
  const partly = await pages.find({ ...common, words: lookup.some, preferred });
  const least = Math.ceil(preferred.length / 2);
  const rest = partly.filter(
    (page) =>
      page.matched >= least && page.matched < preferred.length && matchesPhrases(page, lookup),
  );
  return withoutCopies([...best, ...rest]);
}

function scoreOf(page: FoundPage, { query, words, parts }: Lookup, language: string): number {
  const title = flatten(page.title);
  const phrase = flatten(query.groups.map(([term]) => term?.text ?? "").join(" "));
  const inTitle = new Set(
    wordsOf(page.title).flatMap((word) => words.filter((form) => word.startsWith(form))),
  );
  let score = page.rank * (1 + 0.5 * Math.min(1, inTitle.size / Math.max(1, parts.length)));
  if (phrase.trim() !== "") {
    if (title === phrase) score *= 1.5;
    else if (title.includes(phrase)) score *= 1.3;
    if (parts.length > 1 && flatten(page.text).includes(phrase)) score *= 1.2;
  }
  if (URL.parse(page.url)?.pathname === "/") score *= 1.1;
  if (page.language !== NO_LANGUAGE && page.language === languageOf(language)) score *= 1.05;
  return score;
}

/** Keeps one of several pages with the same text. */
function withoutCopies(found: readonly FoundPage[]): FoundPage[] {
  const seen = new Set<string>();
  return found.filter(({ url, title, text }) => {
    const copy = `${title}\n${text.slice(0, 2_000)}`;
    if (seen.has(url) || (text.length > 200 && seen.has(copy))) return false;
    seen.add(url);
    seen.add(copy);
    return true;
  });
}

function describe(
  { description, text }: FoundPage,
  { words }: Lookup,
  highlights: boolean,
): string | undefined {
  const own = description || cutSnippet(text, []).snippet || undefined;
  if (!highlights) return own;
  const { snippet, found } = cutSnippet(text, words);
  const said = description === "" ? 0 : cutSnippet(description, words).found;
  return found > said ? snippet : own;
}
