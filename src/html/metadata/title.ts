// The article's own title: the headline a reader sees, without the name of the site that the document title carries.

import type { Candidate, PageFacts } from "./facts.ts";
import type { Page, Rule } from "./rule.ts";

const SEPARATOR = /\s+[|\-–—·•»:~›]\s+|\s*[|│｜»]\s*|\s+::\s+|:\s+/g;
const MIN_LIKENESS = 0.55;

const words = (text: string): readonly string[] =>
  text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** How alike two titles are by their words: 0 nothing in common, 1 the same (F1 of the word lists). */
function likeness(left: readonly string[], right: readonly string[]): number {
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

/** Says whether a text names the site: its declared name or the name in its host, spaces and case ignored. */
export type SiteNameTest = (text: string) => boolean;

/** The test for one page, which asks it of many texts. */
export function siteNameTest(siteName: string | undefined, host: string): SiteNameTest {
  const site = siteName === undefined ? "" : words(siteName).join("");
  const domain = words(host.replace(/^www\.|\.[a-z]+$/g, "")).join("");
  return (text) => isSite(words(text), site, domain);
}

function isSite(text: readonly string[], site: string, domain: string): boolean {
  const letters = text.join("");
  if (letters.length < 2) return false;
  if (letters === site || (letters.length > 3 && domain.includes(letters))) return true;
  return domain.length > 3 && letters.includes(domain) && letters.length <= domain.length + 12;
}

/** A document title without its site: cut where one side names the site; without such a side the last bar or dash cuts. */
export function withoutSite(title: string, isSiteName: SiteNameTest): string {
  const named = withoutNamedSite(title, isSiteName);
  if (named !== title.trim()) return named;
  const bar = [...named.matchAll(SEPARATOR)].findLast((cut) => !cut[0].trim().startsWith(":"));
  if (bar === undefined || bar.index === 0) return named;
  const left = named.slice(0, bar.index).trim();
  const right = named.slice(bar.index + bar[0].length).trim();
  return words(left).length * 3 >= words(right).length ? left : right;
}

/** A document title cut where one side names the site, and only there. */
function withoutNamedSite(title: string, isSiteName: SiteNameTest): string {
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

/** A heading must be this much more like a title than one before it. */
const MIN_LEAD = 0.01;

/** The heading most like one of the titles, level one before two and three; a lone unlike `h1` counts when no title exists. */
export function findHeadline(
  facts: PageFacts,
  titles: readonly string[],
  isSiteName: SiteNameTest,
): Candidate | undefined {
  let best: Candidate | undefined;
  let bestScore = Number.NEGATIVE_INFINITY;
  const wanted = titles.map(words);
  for (const heading of facts.headings) {
    const weight = (heading.mark === "h1" ? 1 : 0.8) * (heading.place === "own" ? 1 : 0.8);
    // Were it the very title, it would not come before the one that was found.
    if (weight <= bestScore + MIN_LEAD) continue;
    if (heading.value.length > 300 || isSiteName(heading.value)) continue;
    const own = words(heading.value);
    let most = titles.length === 0 ? 0.6 : 0;
    for (const title of wanted) most = Math.max(most, likeness(own, title));
    const score = weight * most;
    if (score <= bestScore + MIN_LEAD) continue;
    best = heading;
    bestScore = score;
  }
  return bestScore >= MIN_LIKENESS ? best : undefined;
}

export const articleTitleRules: readonly Rule[] = [
  ["headline", (page: Page) => page.headline?.value],
  ["declared title", (page: Page) => page.titles[0]],
  ["heading", (page: Page) => page.facts.headings.find(({ mark }) => mark === "h1")?.value],
];

/** Words the headline and a declared title must share for the headline to count as that title without its site. */
const SAME_TITLE = 0.34;

/** "2. Name", "1.2 Name"; not "7 ways". */
const NUMBERED = /^\d{1,2}(?:\.\d{1,3}){0,4}\.\s+\p{L}|^\d{1,2}(?:\.\d{1,3}){1,4}\s+\p{L}/u;

/**
 * The title for the wire: the headline where it is what the page declares as its title (inside it, or mostly the same
 * words), else the declared title without the name of the site. A heading about something else changes nothing.
 */
export function wireTitle(
  declared: string | undefined,
  headline: string | undefined,
  isSiteName: SiteNameTest,
): string | undefined {
  if (declared === undefined) return headline;
  // A numbered section is not the page, even where it says nearly the same.
  const isSection = headline !== undefined && NUMBERED.test(headline) && !NUMBERED.test(declared);
  const isSame =
    !isSection &&
    headline !== undefined &&
    (declared.toLowerCase().includes(headline.toLowerCase()) ||
      likeness(words(declared), words(headline)) >= SAME_TITLE);
  if (isSame) return headline;
  return withoutNamedSite(declared.slice(0, 500), isSiteName) || declared;
}
