// Finds the article's title: the visible headline, without the site name that the document title
// contains.

import { foldSpace } from "../parse/tree.ts";
import type { Candidate, PageFacts } from "./facts.ts";
import { isHomePage, type Page, type Rule } from "./rule.ts";

const SEPARATOR = /\s+[|\-–—·•»:~›]\s+|\s*[|│｜»ㅣ]\s*|\s+::\s+|:\s+|(?<!-)--(?!-)/g;
const MIN_SIMILARITY = 0.55;

const splitWords = (text: string): readonly string[] =>
  text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Similarity of two titles by their words: 0 none, 1 identical (F1 of the word lists). */
function computeSimilarity(left: readonly string[], right: readonly string[]): number {
  if (left.length === 0 || right.length === 0) return 0;
  const counts = new Map<string, number>();
  for (const word of right) counts.set(word, (counts.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of left) {
    const count = counts.get(word) ?? 0;
    if (count === 0) continue;
    counts.set(word, count - 1);
    shared++;
  }
  return (2 * shared) / (left.length + right.length);
}

/** True if two texts have a word in common. */
export function shareWord(left: string, right: string): boolean {
  const words = new Set(splitWords(left));
  return splitWords(right).some((word) => words.has(word));
}

/** True if a text is the site's declared name or the name in its host, ignoring spaces and case. */
export type SiteNameTest = (text: string) => boolean;

/** Builds the test once per page, because many texts are tested. */
export function createSiteNameTest(siteName: string | undefined, host: string): SiteNameTest {
  const site = siteName === undefined ? "" : splitWords(siteName).join("");
  const domain = splitWords(host.replace(/^www\.|\.[a-z]+$/g, "")).join("");
  const bareHost = splitWords(host.replace(/^www\./, "")).join("");
  return (text) => {
    const parts = splitWords(text);
    return isSite(parts, site, domain) || (parts.length > 1 && parts.join("") === bareHost);
  };
}

function isSite(text: readonly string[], site: string, domain: string): boolean {
  const letters = text.join("");
  if (letters.length < 2) return false;
  if (letters === site || (letters.length > 3 && domain.includes(letters))) return true;
  return domain.length > 3 && letters.includes(domain) && letters.length <= domain.length + 12;
}

/**
 * Removes the site from a document title: the side that names it, else everything after the last
 * bar or dash. A first side that is much shorter only stays if it is a main heading of the page.
 */
export function stripSite(
  title: string,
  isSiteName: SiteNameTest,
  mainHeadings: readonly string[] = [],
): string {
  const named = stripNamedSite(title, isSiteName);
  if (named !== title.trim()) return named;
  const bar = [...named.matchAll(SEPARATOR)].findLast((cut) => !cut[0].trim().startsWith(":"));
  if (bar === undefined || bar.index === 0) return named;
  const left = named.slice(0, bar.index).trim();
  const right = named.slice(bar.index + bar[0].length).trim();
  const fold = (text: string): string => foldSpace(text).toLowerCase();
  if (mainHeadings.some((heading) => fold(heading) === fold(left))) return left;
  return splitWords(left).length * 3 >= splitWords(right).length ? left : right;
}

/** Removes the side of a document title that names the site, if there is one. */
function stripNamedSite(title: string, isSiteName: SiteNameTest): string {
  let rest = title;
  for (let round = 0; round < 4; round++) {
    const cuts = [...rest.matchAll(SEPARATOR)].slice(0, 20);
    const last = cuts.at(-1);
    const first = cuts[0];
    if (last === undefined || first === undefined) break;
    const tail = cuts.find((cut) => isSiteName(rest.slice(cut.index + cut[0].length)));
    if (tail !== undefined && tail.index > 0) {
      rest = rest.slice(0, tail.index);
    } else if (isSiteName(rest.slice(0, first.index))) {
      rest = rest.slice(first.index + first[0].length);
    } else {
      break;
    }
  }
  return rest.trim();
}

/** Minimum lead over an earlier heading. */
const MIN_LEAD = 0.01;

/**
 * Returns the heading most similar to one of the titles, level 1 before 2 and 3. A lone unrelated
 * `h1` counts if there is no title.
 */
export function findHeadline(
  facts: PageFacts,
  titles: readonly string[],
  isSiteName: SiteNameTest,
): Candidate | undefined {
  let best: Candidate | undefined;
  let bestScore = Number.NEGATIVE_INFINITY;
  const wanted = titles.map(splitWords);
  for (const heading of facts.headings) {
    const weight = (heading.mark === "h1" ? 1 : 0.8) * (heading.place === "own" ? 1 : 0.8);
    // Even if it equalled the title, it would not replace the one found before.
    if (weight <= bestScore + MIN_LEAD) continue;
    if (heading.value.length > 300 || isSiteName(heading.value)) continue;
    const own = splitWords(heading.value);
    let max = titles.length === 0 ? 0.6 : 0;
    for (const title of wanted) max = Math.max(max, computeSimilarity(own, title));
    const score = weight * max;
    if (score <= bestScore + MIN_LEAD) continue;
    best = heading;
    bestScore = score;
  }
  return bestScore >= MIN_SIMILARITY ? best : undefined;
}

/** Minimum share of a headline that the title behind its kicker takes. */
const MIN_TITLE_SHARE = 0.4;

/**
 * Removes the kicker before a title in its heading, and the site. A heading that a declared title
 * repeats in full stays as it is, and so does a kicker with a colon.
 */
export function trimHeadline(
  headline: string,
  declared: readonly string[],
  titles: readonly string[],
  isSiteName: SiteNameTest,
): string {
  const isRepeated = declared.some((title) => foldSpace(title).includes(headline));
  for (const title of isRepeated ? [] : titles) {
    const part = foldSpace(title);
    if (part.length < headline.length * MIN_TITLE_SHARE || splitWords(part).length < 2) continue;
    if (headline.endsWith(` ${part}`) && !/\S: $/.test(headline.slice(0, -part.length)))
      return part;
  }
  return stripNamedSite(headline, isSiteName) || headline;
}

/** Longer headings are text. Titles of posts on Reddit have up to 300 characters. */
const MAX_HEADING_CHARACTERS = 300;

/** Source of a heading that no declared title repeats. */
export const ONLY_HEADING = "only heading";

// The only main heading is the headline, even if the declared titles use other words for search
// engines. On the pages of a `website`, such as home pages, it is often a slogan.
function findOnlyHeading(page: Page): string | undefined {
  if (isHomePage(page.url) || /website/i.test(page.meta("og:type") ?? "")) return undefined;
  const [heading, ...others] = page.facts.headings.filter(
    ({ mark, place }) => mark === "h1" && place === "own",
  );
  if (heading === undefined || others.length > 0 || heading.value.length > MAX_HEADING_CHARACTERS)
    return undefined;
  return page.isSiteName(heading.value) ? undefined : heading.value;
}

export const articleTitleRules: readonly Rule[] = [
  ["headline", (page: Page) => page.headline?.value],
  [ONLY_HEADING, findOnlyHeading],
  ["declared title", (page: Page) => page.titles[0]],
  ["heading", (page: Page) => page.facts.headings.find(({ mark }) => mark === "h1")?.value],
];

/** Minimum similarity for a headline to count as the declared title without its site. */
const MIN_TITLE_SIMILARITY = 0.34;

/** "2. Name", "1.2 Name"; not "7 ways". */
const NUMBERED = /^\d{1,2}(?:\.\d{1,3}){0,4}\.\s+\p{L}|^\d{1,2}(?:\.\d{1,3}){1,4}\s+\p{L}/u;

/**
 * Returns the wire title: the headline if it matches the declared title (inside it, or mostly the
 * same words), else the declared title without the site name. An unrelated heading changes nothing.
 */
export function chooseWireTitle(
  declared: string | undefined,
  headline: string | undefined,
  isSiteName: SiteNameTest,
): string | undefined {
  if (declared === undefined) return headline;
  // A numbered section is not the page title, even if it is similar.
  const isSection = headline !== undefined && NUMBERED.test(headline) && !NUMBERED.test(declared);
  const isSame =
    !isSection &&
    headline !== undefined &&
    (declared.toLowerCase().includes(headline.toLowerCase()) ||
      computeSimilarity(splitWords(declared), splitWords(headline)) >= MIN_TITLE_SIMILARITY);
  if (isSame) return headline;
  return stripNamedSite(declared.slice(0, 500), isSiteName) || declared;
}
