// The keys of the wire contract (§2.6) that are read directly from the page's head.

import { decodeLeftovers } from "../parse/decode-leftovers.ts";
import type { MetaTag } from "./facts.ts";
import { readLinkedText } from "./json-ld.ts";
import { createMetaRule, type Page, type Rule } from "./rule.ts";

export type MetadataRecord = Record<string, string | string[]>;

// Keys that the scrape itself reports; a page must not set them.
const RESERVED: ReadonlySet<string> = new Set([
  "__proto__", "sourceURL", "url", "statusCode", "error", "contentType", "scrapeId", "proxyUsed", "cacheState", "cachedAt",
  "creditsUsed", "numPages", "totalPages", "timezone", "concurrencyLimited", "concurrencyQueueDurationMs", "postprocessorsUsed",
  "indexId", "extraction",
]); // prettier-ignore

// Contract key -> meta names, the first present wins. Client models read these keys, so they are
// always single strings.
const NAMED: readonly (readonly [key: string, ...metas: string[]])[] = [
  ["ogTitle", "og:title"],
  ["ogDescription", "og:description"],
  ["ogUrl", "og:url"],
  ["ogImage", "og:image", "og:image:url", "og:image:secure_url"],
  ["ogAudio", "og:audio"],
  ["ogDeterminer", "og:determiner"],
  ["ogLocale", "og:locale"],
  ["ogSiteName", "og:site_name"],
  ["ogVideo", "og:video"],
  ["articleSection", "article:section"],
  ["articleTag", "article:tag"],
  ["publishedTime", "article:published_time"],
  ["modifiedTime", "article:modified_time"],
  ["dcTermsKeywords", "dcterms.keywords"],
  ["dcDescription", "dc.description"],
  ["dcSubject", "dc.subject"],
  ["dcTermsSubject", "dcterms.subject"],
  ["dcTermsAudience", "dcterms.audience"],
  ["dcType", "dc.type"],
  ["dcTermsType", "dcterms.type"],
  ["dcDate", "dc.date"],
  ["dcDateCreated", "dc.date.created"],
  ["dcTermsCreated", "dcterms.created"],
];

/** Keys whose values are texts for readers; generators escape them twice. */
const TEXTS: ReadonlySet<string> = new Set(["ogTitle", "ogDescription", "dcDescription"]);

/**
 * Returns every meta under its raw name, repeats as arrays, and the contract's own keys over them.
 */
export function listDeclaredMetadata(page: Page): MetadataRecord {
  const record: MetadataRecord = collectRaw(page.facts.metas);
  for (const [key, ...metas] of NAMED) {
    delete record[key];
    for (const meta of metas) {
      const content = page.meta(meta);
      if (content === undefined) continue;
      record[key] = TEXTS.has(key) ? decodeLeftovers(content) : content;
      break;
    }
  }
  const locales = page.facts.metas
    .filter(({ key }) => key.toLowerCase() === "og:locale:alternate")
    .map(({ content }) => content);
  if (locales.length > 0) record["ogLocaleAlternate"] = locales;
  for (const key of ["description", "keywords", "robots"]) {
    const content = page.meta(key);
    if (record[key] === undefined && content !== undefined) record[key] = content;
  }
  if (Array.isArray(record["description"]))
    record["description"] = record["description"].join(", ");
  if (record["description"] !== undefined)
    record["description"] = decodeLeftovers(record["description"]);
  const title =
    page.facts.title || page.meta("og:title") || page.meta("twitter:title") || record["title"];
  const [first] = title === undefined ? [] : [title].flat();
  if (first !== undefined) record["title"] = decodeLeftovers(first);
  return record;
}

/** Sources of the page's description if no `description` is declared. */
export const descriptionRules: readonly Rule[] = [
  createMetaRule(["og:description"], (value) => decodeLeftovers(value)),
  createMetaRule(["twitter:description"], (value) => decodeLeftovers(value)),
  [
    "json-ld description",
    (page) =>
      page.main
        .map((node) => readLinkedText(node, "description"))
        .find((text) => text !== undefined),
  ],
];

function collectRaw(metas: readonly MetaTag[]): MetadataRecord {
  const contents = new Map<string, string[]>();
  for (const { key, content } of metas) {
    if (key.startsWith("\0") || RESERVED.has(key)) continue;
    const known = contents.get(key);
    if (known === undefined) contents.set(key, [content]);
    else known.push(content);
  }
  const entries: [string, string | string[]][] = [];
  for (const [key, values] of contents)
    entries.push([key, values.length === 1 ? (values[0] ?? "") : values]);
  return Object.fromEntries(entries);
}

/**
 * Returns the absolute address of the page's icon: link[rel=icon] first, then any other icon rel.
 */
export function findFavicon(page: Page): string | undefined {
  const { links } = page.facts;
  const link =
    links.find(({ rel }) => rel === "icon" || rel === "shortcut icon") ??
    links.find(({ rel }) => rel.includes("icon"));
  return link === undefined ? undefined : toAbsolute(link.href, page);
}

/** Returns the canonical address of the page, absolute. */
export function findCanonical(page: Page): string | undefined {
  const link = page.facts.links.find(({ rel }) => rel.split(/\s+/).includes("canonical"));
  const url = link === undefined ? undefined : toAbsolute(link.href, page);
  return url !== undefined && /^https?:/.test(url) ? url : undefined;
}

function toAbsolute(href: string, page: Page): string | undefined {
  const base =
    page.facts.base === undefined ? page.url : (parseUrl(page.facts.base, page.url) ?? page.url);
  return parseUrl(href, base);
}

function parseUrl(href: string, base: string): string | undefined {
  return URL.canParse(href, base) ? new URL(href, base).href : undefined;
}
