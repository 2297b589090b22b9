// When the page was published and last changed: what it declares first, what a reader sees second, its URL last.

import type { Candidate } from "./facts.ts";
import { parseDateText, parseUrlDate } from "./date-text.ts";
import { textOf } from "./json-ld.ts";
import { mainNodes, metaRule, type Page, type Rule } from "./rule.ts";

const asDate = (value: string, page: Page): string | undefined => parseDateText(value, page.order);

const linkedDate =
  (...properties: readonly string[]) =>
  (page: Page): string | undefined => {
    for (const property of properties) {
      for (const node of mainNodes(page)) {
        const text = textOf(node, property);
        const date = text === undefined ? undefined : asDate(text, page);
        if (date !== undefined) return date;
      }
    }
    return undefined;
  };

const MODIFIED = /modif|updat|aktualisiert|letzte|edited|revis/i;
const PUBLISHED_MARK =
  /datePublished|dateCreated|pubdate|publish|posted|entry-date|post-date|dt-published|created/i;

function firstDate(
  candidates: readonly Candidate[],
  page: Page,
  test: (candidate: Candidate) => boolean,
): string | undefined {
  for (const candidate of candidates) {
    if (!test(candidate)) continue;
    const date = asDate(candidate.value, page);
    if (date !== undefined) return date;
  }
  return undefined;
}

const headlinePosition = (page: Page): number =>
  (page.facts.headings.find((heading) => !heading.muted) ?? page.facts.headings[0])?.position ?? 0;

const near =
  (page: Page, before: number, after: number) =>
  (candidate: Candidate): boolean => {
    const headline = headlinePosition(page);
    return candidate.position >= headline - before && candidate.position <= headline + after;
  };

const isShort = (candidate: Candidate): boolean => candidate.value.length <= 80;

// A text that is nearly only a date, perhaps behind a word such as "Published" or "Stand:".
const DATE_ONLY =
  /^(?:[\p{L}\s]{0,30}[:|,•·–-]?\s*)?(?:\p{L}{2,12}[.,]{0,2}\s*)?[\d\p{L}.,/\s:年月日년월일'’-]{6,40}$/u;

export const publishedRules: readonly Rule[] = [
  ["json-ld datePublished", linkedDate("datePublished", "uploadDate", "dateCreated")],
  metaRule(["article:published_time", "og:article:published_time", "og:published_time", "og:pubdate"], asDate),
  metaRule(
    [
      "datePublished", "dc.date.issued", "dcterms.issued", "dc.date.created", "dcterms.created", "dc.date", "dcterms.date",
      "parsely-pub-date", "sailthru.date", "cXenseParse:recs:publishtime", "cXenseParse:publishtime", "citation_publication_date",
      "citation_date", "article.published", "pubdate", "publish-date", "publish_date", "published-date", "publication_date",
      "published_time", "publishdate", "ptime", "article_date_original", "originalpublicationdate", "rnews:datePublished", "date",
      "dateCreated", "last-published", "bt:pubDate", "shareaholic:article_published_time", "displaydate", "video:release_date",
    ],
    asDate,
  ),
  ["microdata datePublished", (page) => firstDate([...page.facts.dates, ...page.facts.times], page, ({ mark, muted }) => !muted && /datePublished|dateCreated|uploadDate/.test(mark))],
  ["time element marked published", (page) => firstDate(page.facts.times, page, ({ mark, muted }) => !muted && PUBLISHED_MARK.test(mark) && !MODIFIED.test(mark))],
  ["time element near the headline", (page) => firstDate(page.facts.times, page, (time) => !time.muted && !MODIFIED.test(time.mark) && near(page, 60, 120)(time))],
  ["date by class near the headline", (page) => firstDate(page.facts.dates, page, (date) => !date.muted && isShort(date) && !MODIFIED.test(date.mark) && near(page, 60, 80)(date))],
  ["URL", (page) => parseUrlDate(page.url)],
  ["date text near the headline", (page) => firstDate(page.facts.numberTexts, page, (text) => !text.muted && text.value.length < 100 && DATE_ONLY.test(text.value) && near(page, 40, 80)(text))],
  ["time element", (page) => firstDate(page.facts.times, page, ({ muted, mark }) => !muted && !MODIFIED.test(mark))],
  ["date by class", (page) => firstDate(page.facts.dates, page, (date) => !date.muted && isShort(date) && !MODIFIED.test(date.mark))],
  ["date text", (page) => firstDate(page.facts.numberTexts, page, (text) => !text.muted && text.value.length < 60 && DATE_ONLY.test(text.value))],
  ["modified date", (page) => firstDate([...page.facts.times, ...page.facts.dates], page, ({ muted }) => !muted)],
]; // prettier-ignore

export const modifiedRules: readonly Rule[] = [
  ["json-ld dateModified", linkedDate("dateModified")],
  metaRule(["article:modified_time", "og:article:modified_time", "og:updated_time", "og:modified_time"], asDate),
  metaRule(
    ["dateModified", "dcterms.modified", "dc.date.modified", "last-modified", "lastmod", "revision_date", "updated_time", "article.updated", "revised", "utime"],
    asDate,
  ),
  ["microdata dateModified", (page) => firstDate([...page.facts.dates, ...page.facts.times], page, ({ mark, muted }) => !muted && mark.includes("dateModified"))],
  ["time element marked updated", (page) => firstDate(page.facts.times, page, ({ mark, muted }) => !muted && MODIFIED.test(mark))],
]; // prettier-ignore
