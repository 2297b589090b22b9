// A page as the index keeps it: its words by where they stand, and a text to cut descriptions from.
import { hostSuffixes } from "./sites.ts";
import type { Stem } from "./stems.ts";
import { stopWordsOf } from "./stop-words.ts";
import { eachWord, isPair } from "./words.ts";

/** What can be found of a page. */
export type PageText = {
  readonly url: URL;
  readonly title: string;
  readonly description: string;
  readonly headings: readonly string[];
  readonly body: string;
  readonly language: string;
  readonly isPdf: boolean;
};

/** Weights of PostgreSQL's full text: title, headings and description, words of the URL, everything else. */
type Weight = "A" | "B" | "C" | "D";

/** Different words of one page: the index costs by them. Scripts without spaces have more pairs than others words. */
const MOST_WORDS = 256;
const MOST_PAIRS = 768;
/** Words of the body that are looked at; pairs count half. */
const MOST_LOOKED_AT = 1_500;
const MOST_CHARACTERS = 16_000;
/** A word counts as often as this in the rank. */
const MOST_TIMES = 3;

/** Marks of a page that stand among its words; a word has no colon. */
export const hostMark = (host: string): string => `h:${host}`;
export const PDF_MARK = "k:pdf";

type Entry = { weight: Weight; times: number };

/**
 * The words of a page as a tsvector literal: all of title, description, headings and URL, of the body those that it says
 * most often, the earlier before the later. Words have neither quotes nor backslashes, marks are made of host names.
 */
export function toVector(page: PageText, stem: Stem): string {
  const stopWords = stopWordsOf(page.language);
  const entries = new Map<string, Entry>();
  let left = MOST_LOOKED_AT;
  let pairs = 0;
  const addText = (text: string, weight: Weight): void =>
    eachWord(text, (word) => {
      const isTwo = isPair(word);
      if (isTwo) pairs += 1;
      left -= weight === "D" ? (isTwo ? 0.5 : 1) : 0;
      if (left < 0) return false;
      const stemmed = stem(word);
      if (weight !== "A" && stopWords.has(word)) return true;
      const entry = entries.get(stemmed);
      if (entry === undefined) entries.set(stemmed, { weight, times: 1 });
      else entry.times += 1;
      return true;
    });
  addText(page.title, "A");
  addText(page.description, "B");
  for (const heading of page.headings) addText(heading, "B");
  addText(urlWords(page.url), "C");
  addText(page.body.slice(0, MOST_CHARACTERS), "D");
  const parts = hostSuffixes(page.url.hostname).map((host) => `'${hostMark(host)}':1`);
  if (page.isPdf) parts.push(`'${PDF_MARK}':1`);
  const most = pairs > entries.size / 4 ? MOST_PAIRS : MOST_WORDS;
  const least = leastTimes(entries, most);
  let room = most;
  for (const [word, { weight, times }] of entries) {
    if (weight === "D" && (times < least.times || (times === least.times && least.room-- <= 0)))
      continue;
    if (room-- <= 0) break;
    parts.push(`'${word}':${PLACES[weight][Math.min(times, MOST_TIMES) - 1]}`);
  }
  return parts.join(" ");
}

/** Where a word stands is not kept, only how often: one place with its weight, others of the body. */
const PLACES: Readonly<Record<Weight, readonly string[]>> = {
  A: ["1A", "1A,2", "1A,2,3"],
  B: ["1B", "1B,2", "1B,2,3"],
  C: ["1C", "1C,2", "1C,2,3"],
  D: ["1", "1,2", "1,2,3"],
};

/** How often the body has to say a word for it to be kept, and how many of just that frequency there is room for. */
function leastTimes(
  entries: ReadonlyMap<string, Entry>,
  most: number,
): { times: number; room: number } {
  if (entries.size <= most) return { times: 1, room: Infinity };
  let room = most;
  const counts = new Map<number, number>();
  for (const { weight, times } of entries.values())
    if (weight === "D") counts.set(times, (counts.get(times) ?? 0) + 1);
    else room -= 1;
  for (const times of [...counts.keys()].toSorted((one, other) => other - one)) {
    const count = counts.get(times) ?? 0;
    if (count >= room) return { times, room: Math.max(0, room) };
    room -= count;
  }
  return { times: 1, room: Infinity };
}

/** Host and path as text: what stands between their signs are words. */
function urlWords({ hostname, pathname, search }: URL): string {
  const path = `${pathname}${search}`.slice(0, 500);
  try {
    return `${hostname} ${decodeURIComponent(path)}`;
  } catch {
    return `${hostname} ${path}`;
  }
}
