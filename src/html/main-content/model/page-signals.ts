// Signals of the page kind as numbers: words of the address, and types in the head, linked data and
// microdata. They indicate kinds, never specific sites.
import type { PageHints } from "../../evidence/page-hints.ts";

/** Words that indicate a kind in a path or a host name. */
const ADDRESS_WORDS: Readonly<Record<string, string>> = {
  forum:
    "forum forums community communities thread threads topic t discussion discussions discuss showthread viewtopic question questions answers boards board talk comments",
  docs: "docs doc documentation reference manual guide guides api wiki help learn tutorial tutorials handbook man developer developers support",
  product: "product products p dp item itm pd sku ip pdp",
  collection:
    "collections collection category categories c shop cat catalog browse store product-category",
  listing:
    "list lists listing listings jobs events search tag tags topics directory top charts archive rankings courses",
  article: "blog blogs news article articles story stories post posts magazine insights press",
  service:
    "about pricing services service solutions solution features platform company contact enterprise locations plans",
};
const KINDS_BY_WORD = new Map<string, number[]>();
Object.values(ADDRESS_WORDS).forEach((words, kind) => {
  for (const word of words.split(" "))
    KINDS_BY_WORD.set(word, [...(KINDS_BY_WORD.get(word) ?? []), kind]);
});
const ADDRESS_KINDS = Object.keys(ADDRESS_WORDS);

/** schema.org types that indicate a kind. */
const DATA_TYPES: Readonly<Record<string, string>> = {
  article: "Article BlogPosting NewsArticle TechArticle Report Blog",
  forum: "DiscussionForumPosting QAPage Comment",
  product: "Product ProductGroup Offer",
  list: "ItemList CollectionPage OfferCatalog SearchResultsPage",
  faq: "FAQPage",
  business: "LocalBusiness Service SoftwareApplication",
  rating: "AggregateRating Review",
  crumbs: "BreadcrumbList",
  person: "Person",
};
const GROUP_BY_TYPE = new Map<string, number>();
Object.values(DATA_TYPES).forEach((types, group) => {
  for (const type of types.split(" ")) GROUP_BY_TYPE.set(type, group);
});
const DATA_GROUPS = Object.keys(DATA_TYPES);

/** Names of the numbers that `readPageSignals` returns, in order. */
export const SIGNAL_NAMES: readonly string[] = [
  ...ADDRESS_KINDS.flatMap((kind) => [`path-${kind}`, `host-${kind}`]),
  "path-depth",
  "path-date",
  "slug-digits",
  "has-query",
  "og-type",
  ...DATA_GROUPS.flatMap((group) => [`data-${group}`, `microdata-${group}`]),
];

/** Returns the signals of a page, one number each. `itemTypes` are its microdata types. */
export function readPageSignals(
  url: string,
  hints: PageHints,
  itemTypes: ReadonlySet<string>,
): number[] {
  const named = new Uint8Array(DATA_GROUPS.length);
  for (const type of hints.dataTypes) mark(named, type);
  const inside = new Uint8Array(DATA_GROUPS.length);
  for (const type of itemTypes) mark(inside, type.slice(type.lastIndexOf("/") + 1).trim());
  return [
    ...readAddressSignals(url),
    findOpenGraphSignal(hints.openGraphType),
    ...DATA_GROUPS.flatMap((_, group) => [named[group]!, inside[group]!]),
  ];
}

function mark(groups: Uint8Array, type: string): void {
  const group = GROUP_BY_TYPE.get(type);
  if (group !== undefined) groups[group] = 1;
}

function readAddressSignals(url: string): number[] {
  const [, host = "", path = "", query = ""] =
    /^[a-z]+:\/\/([^/?#]+)([^?#]*)(\?[^#]*)?/i.exec(url.toLowerCase()) ?? [];
  const inPath = new Uint8Array(ADDRESS_KINDS.length);
  const inHost = new Uint8Array(ADDRESS_KINDS.length);
  const parts = path.split("/").filter((part) => part !== "");
  parts.forEach((part, at) => {
    for (const kind of KINDS_BY_WORD.get(part.replace(/\.(?:php|html?|aspx?)$/, "")) ?? [])
      if (inPath[kind] === 0) inPath[kind] = at + 1;
  });
  for (const part of host.split(".").slice(0, -1))
    for (const kind of KINDS_BY_WORD.get(part) ?? []) inHost[kind] = 1;
  return [
    ...ADDRESS_KINDS.flatMap((_, kind) => [inPath[kind]!, inHost[kind]!]),
    parts.length,
    /\/(?:19|20)\d\d\//.test(path) ? 1 : 0,
    (parts.at(-1) ?? "").replaceAll(/\D/g, "").length,
    query === "" ? 0 : 1,
  ];
}

function findOpenGraphSignal(type: string): number {
  if (type === "article") return 1;
  if (type.includes("product")) return 2;
  return type === "website" ? 3 : 0;
}
