// Finds dates of publication and last change: declared dates first, visible dates second, the URL
// last.

import { parseDateText, parseUrlDate } from "./date-text.ts";
import type { Candidate } from "./facts.ts";
import { readLinkedText } from "./json-ld.ts";
import { createMetaRule, findHeadlinePosition, type Page, type Rule } from "./rule.ts";

const MODIFIED = /modif|updat|aktualisiert|letzte|edited|revis/i;
const PUBLISHED =
  /datePublished|dateCreated|uploadDate|pubdate|publish|posted|entry-date|post-date|dt-published|created/i;

const toDate = (value: string, page: Page): string | undefined => {
  const date = parseDateText(value, page.order);
  return date === undefined || page.isFuture(date) ? undefined : date;
};

const findUrlDate = (page: Page): string | undefined => {
  const date = parseUrlDate(page.url);
  return date === undefined || page.isFuture(date) ? undefined : date;
};

const createLinkedDateRule =
  (...properties: readonly string[]) =>
  (page: Page): string | undefined => {
    for (const property of properties) {
      for (const node of page.main) {
        const text = readLinkedText(node, property);
        const date = text === undefined ? undefined : toDate(text, page);
        if (date !== undefined) return date;
      }
    }
    return undefined;
  };

type Test = (candidate: Candidate, page: Page) => boolean;

const matchAll =
  (...tests: readonly Test[]): Test =>
  (candidate, page) =>
    tests.every((test) => test(candidate, page));

const isOwn: Test = ({ place }) => place === "own";
const isNotComment: Test = ({ place }) => place !== "comments";
const isShort: Test = ({ value }) => value.length <= 90;
const isPublished: Test = ({ mark }) => PUBLISHED.test(mark) && !MODIFIED.test(mark);
const isNotModified: Test = ({ mark, value }, page) =>
  !MODIFIED.test(mark) && (!MODIFIED.test(value) || hasBothDates(value, page));

/**
 * "Published 7 May / Updated 8 May": the first date, before the word for a change, is the
 * publication date.
 */
function hasBothDates(value: string, page: Page): boolean {
  const at = value.search(MODIFIED);
  return (
    toDate(value.slice(0, at), page) !== undefined && toDate(value.slice(at), page) !== undefined
  );
}
const isModified: Test = ({ mark, value }) => MODIFIED.test(mark) || MODIFIED.test(value);

const isNear =
  (before: number, after: number): Test =>
  ({ position }, page) => {
    const at = findHeadlinePosition(page) ?? 0;
    return position >= at - before && position <= at + after;
  };

// A text that is nearly only a date, perhaps after a word such as "Published" or "Stand:".
const isDateText: Test = ({ value }) =>
  /^(?:[\p{L}\p{M}\s]{0,30}[:|,،•·–-]?\s*)?(?:[\p{L}\p{M}]{2,12}[.,،]{0,2}\s*)?[\p{Nd}\p{L}\p{M}.,،/|\s:年月日년월일'’-]{6,40}$/u.test(
    value,
  );
const startsWithDate: Test = ({ value }, page) =>
  parseDateText(value.slice(0, 45), page.order) !== undefined;

function find(lists: readonly ("times" | "dates" | "numberTexts")[], test: Test) {
  return (page: Page): string | undefined => {
    for (const list of lists) {
      for (const candidate of page.dated[list]) {
        if (!test(candidate, page)) continue;
        const date = toDate(candidate.value, page);
        if (date !== undefined) return date;
      }
    }
    return undefined;
  };
}

const PUBLISHED_METAS = [
  "datePublished", "dc.date.issued", "dcterms.issued", "dc.date.created", "dcterms.created", "dc.date", "dcterms.date",
  "parsely-pub-date", "sailthru.date", "cXenseParse:recs:publishtime", "cXenseParse:publishtime",
  "citation_publication_date", "citation_date", "article.published", "pubdate", "publish-date", "publish_date",
  "published-date", "publication_date", "published_time", "publishdate", "published", "w-published-date", "ptime",
  "article_date_original", "originalpublicationdate", "rnews:datePublished", "date", "dateCreated", "last-published",
  "bt:pubDate", "shareaholic:article_published_time", "displaydate", "video:release_date", "ms.date",
]; // prettier-ignore

const MODIFIED_METAS = [
  "dateModified", "dateUpdate", "dcterms.modified", "dc.date.modified", "last-modified", "lastmod", "revision_date",
  "updated_time", "article.updated", "revised", "utime", "updated date",
]; // prettier-ignore

export const modifiedRules: readonly Rule[] = [
  ["json-ld dateModified", createLinkedDateRule("dateModified")],
  createMetaRule(["article:modified_time", "og:article:modified_time", "og:updated_time", "og:modified_time"], toDate),
  createMetaRule(MODIFIED_METAS, toDate),
  ["microdata dateModified", find(["dates", "times"], matchAll(isNotComment, ({ mark }) => mark.includes("dateModified")))],
  ["time marked updated", find(["times"], matchAll(isOwn, isModified))],
  ["text marked updated", find(["numberTexts"], matchAll(isOwn, isNear(60, 120), isModified, isDateText))],
  ["date marked updated", find(["dates"], matchAll(isOwn, isNear(60, 80), isShort, isModified))],
]; // prettier-ignore

/**
 * A page cannot be published after the date in its URL; such a date comes from a migration or
 * rebuild.
 */
function findUrlDateBeforeLinked(page: Page): string | undefined {
  const linked = createLinkedDateRule("datePublished")(page);
  const address = findUrlDate(page);
  if (linked === undefined || address === undefined) return undefined;
  return Date.parse(linked) - Date.parse(address) >= 2 * DAY_MS ? address : undefined;
}

// Some site builders write the last build time into both declared dates. Then a visible date near
// the headline that is at least two days older is the real one.
function findDateBeforeBuild(page: Page): string | undefined {
  const published = createLinkedDateRule("datePublished")(page);
  const modified = createLinkedDateRule("dateModified")(page);
  if (
    published === undefined ||
    modified === undefined ||
    published.slice(0, 10) < modified.slice(0, 10)
  ) {
    return undefined;
  }
  for (const [, read] of visibleRules) {
    const seen = read(page);
    if (seen !== undefined)
      return Date.parse(published) - Date.parse(seen) >= 2 * DAY_MS ? seen : undefined;
  }
  return undefined;
}

const DAY_MS = 86_400_000;

const PUBLISHED_WORDS =
  /^(?:first |originally )?(?:published|posted|erschienen|veröffentlicht|publié|mise? en ligne|publicado|publicerad|pubblicato|opublikowano|опубликовано)(?!\p{L})/iu;

const saysPublished: Test = ({ value, mark }) =>
  PUBLISHED_WORDS.test(mark.startsWith("text ") ? mark.slice(5) : mark) ||
  PUBLISHED_WORDS.test(value);

function findFirstPostTime(page: Page): string | undefined {
  const time = page.findFirstPost()?.time ?? "";
  return time === "" ? undefined : toDate(time, page);
}

const visibleRules: readonly Rule[] = [
  ["time marked published", find(["times"], matchAll(isOwn, isPublished))],
  ["time near the headline", find(["times"], matchAll(isOwn, isNear(60, 120), isNotModified))],
  [
    "date by class near the headline",
    find(["dates"], matchAll(isOwn, isNear(60, 80), isShort, isNotModified)),
  ],
  ["text that says published", find(["numberTexts"], matchAll(isOwn, saysPublished))],
  [
    "date text near the headline",
    find(["numberTexts"], matchAll(isOwn, isNear(40, 80), isNotModified, isDateText)),
  ],
];

export const publishedRules: readonly Rule[] = [
  ["date on the page, older than the last build", findDateBeforeBuild],
  ["URL, older than the linked data", findUrlDateBeforeLinked],
  ["json-ld datePublished", createLinkedDateRule("datePublished", "uploadDate", "dateCreated")],
  createMetaRule(["article:published_time", "og:article:published_time", "og:published_time", "og:pubdate"], toDate),
  createMetaRule(PUBLISHED_METAS, toDate),
  ["time of the first post", findFirstPostTime],
  ["microdata datePublished", find(["dates", "times"], matchAll(isNotComment, ({ mark }) => /datePublished|dateCreated|uploadDate/.test(mark)))],
  ...visibleRules.slice(0, 4),
  ["URL", findUrlDate],
  ...visibleRules.slice(4),
  ["text that opens with a date", find(["numberTexts"], matchAll(isOwn, isNear(15, 40), startsWithDate, isNotModified))],
  ["time", find(["times"], matchAll(isOwn, isNotModified))],
  ["date by class", find(["dates"], matchAll(isOwn, isShort, isNotModified))],
  ["date text", find(["numberTexts"], matchAll(isOwn, isShort, isNotModified, isDateText))],
  ["text that says published, in a side part", find(["numberTexts"], matchAll(isNotComment, saysPublished))],
  ["date beside the headline", find(["times", "dates", "numberTexts"], matchAll(isNear(3, 15), isShort, isNotModified, isDateText))],
  ["time in a side part", find(["times", "dates"], matchAll(isNotComment, isNear(60, 120), isShort, isNotModified))],
  ["time anywhere", find(["times"], matchAll(isShort, isNotModified))],
]; // prettier-ignore
