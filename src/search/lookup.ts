// Converts a query for the index: a tsquery literal for the words, plus conditions that only the
// text of a page can answer.
import { CATEGORY_SITES } from "./categories.ts";
import { foldName, listIdentifiers } from "./identifiers.ts";
import { buildHostMark, PDF_MARK } from "./page-words.ts";
import type { ProviderRequest } from "./provider.ts";
import { parseQuery, type Query, type Site, type Term } from "./query.ts";
import { normalizeHost } from "./sites.ts";
import { normalizeLanguage, loadStem, NO_LANGUAGE, type Stem } from "../ranking/stems.ts";
import { getStopWords } from "./stop-words.ts";
import { isLoneCharacter, isPair, toIndexWords } from "./words.ts";

export type Lookup = {
  readonly query: Query;
  /** Matches pages with all terms. */
  readonly all: string;
  /**
   * Matches pages with all operators and phrases and one of the given parts; undefined when the
   * query has less than two.
   */
  readonly some: ((parts: readonly string[]) => string) | undefined;
  /** The plain words as tsquery literals. */
  readonly parts: readonly string[];
  /** URL prefixes after the scheme; see SearchPageQuery. */
  readonly paths: readonly string[];
  /** Query words in each form they may have in a page. */
  readonly words: readonly string[];
  /** Terms that pages are ranked by: each word of the query, and each identifier as a whole. */
  readonly terms: readonly RankedTerm[];
  readonly warnings: readonly string[];
};

export type RankedTerm = {
  /** Matches pages with the term. */
  readonly query: string;
  /** The word in each form it may have in a page, or the identifier. */
  readonly forms: readonly string[];
  readonly isIdentifier: boolean;
};

type Language = { readonly stem: Stem; readonly stopWords: ReadonlySet<string> };

/**
 * Builds the lookup of a query; `languages` are those of the searched pages. Undefined when the
 * query has no words.
 */
export async function toLookup(
  request: Pick<
    ProviderRequest,
    "query" | "includeDomains" | "excludeDomains" | "categories" | "language" | "allowHosts"
  >,
  languages: readonly string[],
): Promise<Lookup | undefined> {
  const query = parseQuery(request.query);
  const known: Language[] = [];
  for (const language of new Set([NO_LANGUAGE, normalizeLanguage(request.language), ...languages]))
    known.push({ stem: await loadStem(language), stopWords: getStopWords(language) });
  const words = new Set<string>();
  const terms = new Map<string, RankedTerm>();
  const found = { words, terms };
  let groups = query.groups.flatMap((group) => toGroup(group, known, found, false));
  // Only stop words: they are indexed in titles.
  if (groups.length === 0)
    groups = query.groups.flatMap((group) => toGroup(group, known, found, true));
  const marks = toMarks(query, request);
  if (groups.length === 0 && (query.groups.length > 0 || marks.positive.length === 0))
    return undefined;
  const fixed = [
    ...marks.positive,
    ...toHostMarks(request.allowHosts),
    ...marks.negative,
    ...omitTerms(query, known),
  ];
  const required = groups.flatMap(({ text, isRequired }) => (isRequired ? [text] : []));
  const parts = groups.flatMap(({ text, isRequired }) => (isRequired ? [] : [text]));
  return {
    query,
    all: [...required, ...parts, ...fixed].join(" & "),
    some:
      parts.length < 2
        ? undefined
        : (given) => [`(${given.join(" | ")})`, ...required, ...fixed].join(" & "),
    parts,
    paths: toPaths(query.sites),
    words: [...words],
    terms: [...terms.values()].slice(0, MAX_TERMS),
    warnings: query.unknown.map(
      (name) => `${name} is ignored: this server's index does not support it.`,
    ),
  };
}

/** Words of a query that count for the rank. */
const MAX_TERMS = 24;

type FoundTerms = { readonly words: Set<string>; readonly terms: Map<string, RankedTerm> };

/** Terms of which one is required; empty if all are stop words. */
function toGroup(
  group: readonly Term[],
  languages: readonly Language[],
  found: FoundTerms,
  takesStopWords: boolean,
): { text: string; isRequired: boolean }[] {
  const terms = group.flatMap((term) => toTerm(term, languages, found, takesStopWords) ?? []);
  if (terms.length === 0) return [];
  const text = terms.length === 1 ? (terms[0] ?? "") : `(${terms.join(" | ")})`;
  return [{ text, isRequired: group.some(({ isPhrase, field }) => isPhrase || field !== "any") }];
}

function toTerm(
  { text, field }: Term,
  languages: readonly Language[],
  { words, terms }: FoundTerms,
  takesStopWords: boolean,
): string | undefined {
  const all = dropRunEnds(toIndexWords(text));
  const isFrequent = (word: string): boolean =>
    languages.some(({ stopWords }) => stopWords.has(word));
  const asked = field === "title" || takesStopWords ? all : all.filter((word) => !isFrequent(word));
  const suffix =
    field === "title" || (takesStopWords && field === "any") ? "A" : field === "url" ? "C" : "";
  const parts = [...new Set(asked)].map((word) => {
    if (isLoneCharacter(word)) {
      words.add(word);
      const query = `'${word}':*${suffix}`;
      terms.set(word, { query, forms: [word], isIdentifier: false });
      return query;
    }
    const forms = [...new Set([word, ...languages.map(({ stem }) => stem(word))])];
    for (const form of forms) words.add(form);
    const written = forms.map((form) => `'${form}'${suffix === "" ? "" : `:${suffix}`}`);
    const query = written.length === 1 ? (written[0] ?? "") : `(${written.join(" | ")})`;
    terms.set(word, { query, forms, isIdentifier: false });
    return query;
  });
  if (field === "any")
    for (const name of listIdentifiers(text).map(foldName))
      terms.set(name, { query: `'${name}'`, forms: [name], isIdentifier: true });
  if (parts.length === 0) return undefined;
  return parts.length === 1 ? parts[0] : `(${parts.join(" & ")})`;
}

/**
 * Pages index the last character of a run as a separate word; in a query it is part of its pair.
 */
const dropRunEnds = (words: readonly string[]): string[] =>
  words.filter((word, index) => {
    const before = words[index - 1];
    return !(
      isLoneCharacter(word) &&
      before !== undefined &&
      isPair(before) &&
      before.endsWith(word)
    );
  });

/** Phrases are checked in the text, because their words alone prove nothing. */
const omitTerms = ({ without }: Query, languages: readonly Language[]): string[] =>
  without.flatMap((term) => {
    if (term.isPhrase && toIndexWords(term.text).length > 1) return [];
    const written = toTerm(term, languages, { words: new Set(), terms: new Map() }, false);
    return written === undefined ? [] : [`!${written}`];
  });

function toMarks(
  query: Query,
  {
    includeDomains,
    excludeDomains,
    categories,
  }: Pick<ProviderRequest, "includeDomains" | "excludeDomains" | "categories">,
): { positive: string[]; negative: string[] } {
  const host = (name: string): string => `'${buildHostMark(normalizeHost(name))}'`;
  const buildFileMark = (ending: string): string =>
    ending === "pdf" ? `'${PDF_MARK}'` : `'${ending}':C`;
  const kinds = categories.flatMap(
    (category) => CATEGORY_SITES[category]?.map(host) ?? [`'${PDF_MARK}'`],
  );
  const positive = [
    query.sites.map((site) => host(site.host)),
    includeDomains.map((domain) => host(domain.replace(/^www\./i, ""))),
    query.fileTypes.map(buildFileMark),
    kinds,
  ].flatMap((some) => (some.length === 0 ? [] : [`(${some.join(" | ")})`]));
  const negative = [
    ...query.withoutSites.flatMap((site) => (site.path === undefined ? [host(site.host)] : [])),
    ...excludeDomains.map((domain) => host(domain.replace(/^www\./i, ""))),
    ...query.withoutFileTypes.map(buildFileMark),
  ].map((mark) => `!${mark}`);
  return { positive, negative };
}

/** Covers more than the key's patterns: findMatches leaves out example.com for *.example.com. */
function toHostMarks(allowHosts: readonly string[] | undefined): string[] {
  if (allowHosts === undefined) return [];
  const hosts = allowHosts.map((pattern) =>
    buildHostMark(normalizeHost(pattern.replace(/^\*\./, ""))),
  );
  return [`(${hosts.map((host) => `'${host}'`).join(" | ")})`];
}

const toPaths = (sites: readonly Site[]): string[] =>
  sites.some(({ path }) => path !== undefined)
    ? sites.map(({ host, path }) => `${host}${path ?? "/"}`)
    : [];
