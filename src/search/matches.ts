// Finds the pages of a query in two steps: the database chooses candidates by their words, and the
// passages of the candidates' texts decide the order.
import { allowsHost } from "../account/allow-hosts.ts";
import type { FoundPage, SearchPageStore } from "../store/search/search-pages.ts";
import type { Lookup } from "./lookup.ts";
import { flatten, matchesPhrases } from "./phrases.ts";
import type { ProviderRequest } from "./provider.ts";
import { rankPage, type WeighedTerm } from "./rank-pages.ts";
import { normalizeLanguage, loadStem, NO_LANGUAGE } from "../ranking/stems.ts";

/** A found page with its text and the passage that fits best. */
export type Match = FoundPage & {
  readonly text: string;
  readonly passage: string;
  readonly score: number;
};

/** Factor of extra candidates, because phrases and duplicates are checked afterwards. */
const EXTRA_CANDIDATES_FACTOR = 3;
const MIN_CANDIDATES = 40;
const MAX_CANDIDATES = 300;
/** Maximum texts loaded at once. */
const MAX_LOADED_TEXTS = 30;
/** Characters of text that are ranked by passages; candidates after that keep their place. */
const MAX_CHARACTERS = 3_000_000;
/** Matches of the alternatives of one query, for words that are in most pages. */
const MAX_ALTERNATIVES = 2_000;

/** Returns at most `request.limit` pages, best first; `count` is the number of all pages. */
export async function findMatches(
  pages: SearchPageStore,
  request: ProviderRequest,
  lookup: Lookup,
  count: number,
): Promise<Match[]> {
  const { accountId, range, limit } = request;
  const { since, until, newestFirst } = range;
  const max = Math.min(MAX_CANDIDATES, Math.max(MIN_CANDIDATES, limit * EXTRA_CANDIDATES_FACTOR));
  const { terms, parts } = await weigh(pages, accountId, lookup, count);
  const common = {
    accountId,
    since,
    until,
    newestFirst,
    paths: lookup.paths,
    limit: max,
    preferred: lookup.parts,
    min: 0,
    terms: terms.map(({ query, rarity }) => ({ query, weight: rarity })),
  };
  const candidates: FoundPage[] = [];
  const takesSome = lookup.some !== undefined && !newestFirst;
  // If every word is among the alternatives, they match these pages, too.
  if (!takesSome || parts.length < lookup.parts.length)
    candidates.push(...(await pages.find({ ...common, words: lookup.all })));
  if (takesSome) {
    const known = new Set(candidates.map(({ id }) => id));
    const min = Math.ceil(lookup.parts.length / 2);
    const partly = await pages.find({ ...common, words: lookup.some(parts), min });
    candidates.push(...partly.filter(({ id }) => !known.has(id)));
  }
  const ranked = newestFirst
    ? candidates
    : candidates.toSorted((one, other) => other.rank - one.rank).slice(0, max);
  return await readMatches(pages, request, lookup, ranked, terms);
}

/** Rarity of terms, and the parts of the query whose matches are few enough to be ranked. */
async function weigh(
  pages: SearchPageStore,
  accountId: string,
  lookup: Lookup,
  count: number,
): Promise<{ terms: WeighedTerm[]; parts: string[] }> {
  const queries = [...new Set([...lookup.terms.map(({ query }) => query), ...lookup.parts])];
  const counts = await pages.countFrequencies(accountId, queries);
  const getCount = (query: string): number => counts[queries.indexOf(query)] ?? 0;
  const terms = lookup.terms.map((term) => {
    const had = getCount(term.query);
    const others = Math.max(0, count - had);
    return { ...term, rarity: Math.log(1 + (others + 0.5) / (had + 0.5)) };
  });
  const rarest = lookup.parts
    .map((part) => ({ part, pages: getCount(part) }))
    .toSorted((one, other) => one.pages - other.pages);
  const parts: string[] = [];
  let matches = 0;
  for (const { part, pages: had } of rarest) {
    if (parts.length > 0 && matches + had > MAX_ALTERNATIVES) break;
    parts.push(part);
    matches += had;
  }
  return { terms, parts };
}

async function readMatches(
  pages: SearchPageStore,
  { accountId, range, limit, language, allowHosts }: ProviderRequest,
  lookup: Lookup,
  candidates: readonly FoundPage[],
  terms: readonly WeighedTerm[],
): Promise<Match[]> {
  const matches: Match[] = [];
  let characters = 0;
  for (let from = 0; from < candidates.length; from += MAX_LOADED_TEXTS) {
    const group = candidates.slice(from, from + MAX_LOADED_TEXTS);
    const texts = await pages.listTexts(
      accountId,
      group.map(({ id }) => id),
    );
    for (const candidate of group) {
      if (!allowsHost(allowHosts, new URL(candidate.url))) continue;
      const text = texts.get(candidate.id) ?? "";
      const page = { ...candidate, text };
      if (!matchesPhrases(page, lookup)) continue;
      characters += text.length;
      if (characters > MAX_CHARACTERS) {
        matches.push({ ...page, passage: text.slice(0, 2_000), score: 0 });
        continue;
      }
      const { score, passage } = rankPage(page, terms, await loadStem(candidate.language));
      matches.push({ ...page, passage, score: score * scoreBonus(page, lookup, language) });
    }
    const isEnough = removeDuplicates(matches).length >= limit;
    if (isEnough && (range.newestFirst || characters > MAX_CHARACTERS)) break;
  }
  const ordered = range.newestFirst
    ? matches
    : matches.toSorted((one, other) => other.score - one.score);
  return removeDuplicates(ordered).slice(0, limit);
}

/** Factor for a title that equals the query, a home page, and the language. */
function scoreBonus(
  { title, url, language }: FoundPage,
  { query, parts }: Lookup,
  wanted: string,
): number {
  const flat = flatten(title);
  const phrase = flatten(query.groups.map(([term]) => term?.text ?? "").join(" "));
  let bonus = 1;
  if (phrase.trim() !== "" && parts.length > 0) {
    if (flat === phrase) bonus *= 1.5;
    else if (flat.includes(phrase)) bonus *= 1.2;
  }
  if (URL.parse(url)?.pathname === "/") bonus *= 1.1;
  if (language !== NO_LANGUAGE && language === normalizeLanguage(wanted)) bonus *= 1.05;
  return bonus;
}

/** Keeps one of several pages with the same text. */
function removeDuplicates(found: readonly Match[]): Match[] {
  const seen = new Set<string>();
  return found.filter(({ url, title, text }) => {
    const copy = `${title}\n${text.slice(0, 2_000)}`;
    if (seen.has(url) || (text.length > 200 && seen.has(copy))) return false;
    seen.add(url);
    seen.add(copy);
    return true;
  });
}
