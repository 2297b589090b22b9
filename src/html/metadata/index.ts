// Metadata of a page for the wire contract (§2.6), plus detected author and dates.
//
// `title` is the document title without the site name, `pageTitle` the original title if it
// differs, `articleTitle` the visible headline. Declared keys (author, publishedTime, modifiedTime)
// keep the declared value. A detected value fills the same key only if it is missing, if the
// declared author is an address or the site itself, or if the declared date is invalid.

import type { Document } from "domhandler";
import { stripInvisible } from "../../runtime/strip-invisible.ts";
import { foldSpace } from "../parse/tree.ts";
import { authorRules, isAccount, isCorporate, isSiteAuthor, listLinkedPeople } from "./author.ts";
import { parseDateText } from "./date-text.ts";
import { modifiedRules, publishedRules } from "./dates.ts";
import {
  findCanonical,
  listDeclaredMetadata,
  descriptionRules,
  findFavicon,
  type MetadataRecord,
} from "./declared.ts";
import { languageRules } from "./language.ts";
import { createPage } from "./page.ts";
import { cleanDeclared, REPORTER } from "./person-name.ts";
import {
  type Answer,
  findFirstAnswer,
  isHomePage,
  type Page,
  type Rule,
  selectDeclared,
} from "./rule.ts";
import { siteNameRules } from "./site.ts";
import { articleTitleRules, chooseWireTitle, ONLY_HEADING } from "./title.ts";

/** `url` is the final URL; links are made absolute against it (and `<base>`). */
export type MetadataSource = {
  readonly url: string;
  readonly contentType?: string;
  /** Milliseconds since the epoch. Dates after it are wrong. */
  readonly fetchedAt?: number | undefined;
};

/**
 * Returns the page's metadata by wire key. Reads the tree once, never throws; the cost is bounded
 * by the page size.
 */
export function readMetadata(document: Document, source: MetadataSource): MetadataRecord {
  return answer(document, source).metadata;
}

/** Returns the source of each detected key ("json-ld author", "URL" …), for --explain. */
export function explainMetadata(
  document: Document,
  source: MetadataSource,
): Record<string, string> {
  return answer(document, source).sources;
}

function answer(
  document: Document,
  source: MetadataSource,
): { metadata: MetadataRecord; sources: Record<string, string> } {
  const page = createPage(document, source.url, source.fetchedAt);
  const metadata = listDeclaredMetadata(page);
  const sources: Record<string, string> = {};
  // Authors and dates that a home page shows are those of its entries.
  const own = (rules: readonly Rule[]): readonly Rule[] =>
    URL.canParse(source.url) && isHomePage(source.url) ? selectDeclared(rules) : rules;
  const give = (key: string, found: Answer | undefined): void => {
    if (found === undefined) return;
    metadata[key] = found.value;
    sources[key] = found.source;
  };
  const keep = (key: string, source: string): void => {
    if (metadata[key] !== undefined) sources[key] = source;
  };
  keep("title", findTitleSource(page));
  keep("description", "meta description");
  if (metadata["description"] === undefined)
    give("description", findFirstAnswer(descriptionRules, page));
  give("language", findFirstAnswer(languageRules, page));
  give("favicon", toAnswer(findFavicon(page), "link icon"));
  give("canonical", toAnswer(findCanonical(page), "link canonical"));
  give("siteName", findFirstAnswer(siteNameRules, page));
  const headline = findFirstAnswer(articleTitleRules, page);
  give("articleTitle", headline);
  setTitle(metadata, sources, headline, page);
  keep("author", "meta author");
  keep("publishedTime", "meta article:published_time");
  keep("modifiedTime", "meta article:modified_time");
  const linked = listLinkedPeople(page);
  if (linked.length > 0 && !namesAll(metadata["author"], linked))
    give("author", toAnswer(linked.join(", "), "json-ld author"));
  // Several authors are joined; a repeated one counts once.
  else if (Array.isArray(metadata["author"]) || !isPerson(metadata["author"], page))
    give("author", findFirstAnswer(own(authorRules), page));
  cleanAuthor(metadata);
  if (metadata["author"] === undefined) delete sources["author"];
  for (const [key, rules] of [
    ["publishedTime", publishedRules],
    ["modifiedTime", modifiedRules],
  ] as const) {
    if (isIsoDate(metadata[key]) && !page.isFuture(String(metadata[key]))) continue;
    const answer = findFirstAnswer(own(rules), page);
    // A declared date after the fetch is wrong, and so is everything that says the same.
    if (answer === undefined && isIsoDate(metadata[key])) {
      delete metadata[key];
      delete sources[key];
    }
    give(key, answer);
  }
  stripValues(metadata);
  dropEmptyLists(metadata);
  return { metadata, sources };
}

/** Titles and descriptions go to language models like the text of the page. */
function stripValues(metadata: MetadataRecord): void {
  for (const [key, value] of Object.entries(metadata))
    metadata[key] =
      typeof value === "string" ? stripInvisible(value) : value.map((text) => stripInvisible(text));
}

/** Removes the profession after a declared name, and an author without a name or only a number. */
function cleanAuthor(metadata: MetadataRecord): void {
  const { author } = metadata;
  if (typeof author !== "string") return;
  if (!/\p{L}/u.test(author)) delete metadata["author"];
  else metadata["author"] = author.replace(REPORTER, "");
}

function dropEmptyLists(metadata: MetadataRecord): void {
  for (const [key, value] of Object.entries(metadata))
    if (Array.isArray(value) && value.every((text) => text.trim() === "")) delete metadata[key];
}

/** Sets `title` without the site name. The original is kept as `pageTitle` if it differs. */
function setTitle(
  metadata: MetadataRecord,
  sources: Record<string, string>,
  headline: Answer | undefined,
  page: Page,
): void {
  const declared = typeof metadata["title"] === "string" ? metadata["title"] : undefined;
  // A heading in other words does not replace the title that clients expect.
  const heading = headline?.source === ONLY_HEADING ? page.titles[0] : headline?.value;
  const title = chooseWireTitle(declared, heading, page.isSiteName);
  if (title === undefined || title === metadata["title"]) return;
  if (declared !== undefined) metadata["pageTitle"] = declared;
  metadata["title"] = title;
  sources["title"] =
    title === headline?.value ? headline.source : "declared title without the site";
}

function findTitleSource(page: Page): string {
  if (page.facts.title) return "title element";
  return page.meta("og:title") ? "meta og:title" : "meta twitter:title or title";
}

const toAnswer = (value: string | undefined, source: string): Answer | undefined =>
  value === undefined ? undefined : { value, source };

const isPerson = (value: string | string[] | undefined, page: Page): boolean =>
  value !== undefined &&
  [value]
    .flat()
    .map(cleanDeclared)
    .some(
      (name) => name !== "" && !isCorporate(name) && !isAccount(name) && !isSiteAuthor(name, page),
    );

/** True if the declared author names all of these people. */
const namesAll = (declared: string | string[] | undefined, people: readonly string[]): boolean => {
  const text = foldSpace([declared ?? []].flat().join(", ")).toLowerCase();
  return people.every((name) => text.includes(name.toLowerCase()));
};

const isIsoDate = (value: string | string[] | undefined): boolean =>
  typeof value === "string" &&
  /^\d{4}-\d{2}-\d{2}/.test(value) &&
  !Number.isNaN(Date.parse(value)) &&
  parseDateText(value) !== undefined;
