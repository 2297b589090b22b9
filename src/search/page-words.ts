// A page as indexed: its words by position, and a text for descriptions.
import { hostSuffixes } from "./sites.ts";
import type { Stem } from "./stems.ts";
import { stopWordsOf } from "./stop-words.ts";
import { eachWord, isPair } from "./words.ts";

/** The searchable parts of a page. */
export type PageText = {
  readonly url: URL;
  readonly title: string;
  readonly description: string;
  readonly headings: readonly string[];
  readonly body: string;
  readonly language: string;
  readonly isPdf: boolean;
};

/** Positions of words as PostgreSQL full-text weights; the body has none. */
const TITLE = 1;
const HEADING = 2;
const ADDRESS = 4;
const BODY = 0;

/**
 * Maximum different words of one page, which determine the index's cost. Scripts without spaces
 * have more pairs than others words.
 */
const MAX_WORDS = 256;
const MAX_PAIRS = 768;
/** Words of the body that are examined; pairs count half. */
const MAX_LOOKED_AT = 1_500;
const MAX_CHARACTERS = 16_000;
/** Maximum occurrences of a word that count for the rank. */
const MAX_TIMES = 3;

/** Marks stored among the words of a page. Words contain no colon, so they cannot collide. */
export const hostMark = (host: string): string => `h:${host}`;
export const PDF_MARK = "k:pdf";

type Entry = { marks: number; times: number };

/**
 * Builds the tsvector literal of a page: all words of title, description, headings and URL, and the
 * most frequent words of the body, earlier ones first. Words contain no quotes or backslashes, and
 * marks are made of host names.
 */
export function toVector(page: PageText, stem: Stem): string {
  const stopWords = stopWordsOf(page.language);
  const entries = new Map<string, Entry>();
  let left = MAX_LOOKED_AT;
  let pairs = 0;
  const addText = (text: string, mark: number): void =>
    eachWord(text, (word) => {
      const isTwo = isPair(word);
      if (isTwo) pairs += 1;
      left -= mark === BODY ? (isTwo ? 0.5 : 1) : 0;
      if (left < 0) return false;
      const stemmed = stem(word);
      if (mark !== TITLE && stopWords.has(word)) return true;
      const entry = entries.get(stemmed);
      if (entry === undefined) entries.set(stemmed, { marks: mark, times: 1 });
      else {
        entry.marks |= mark;
        entry.times += 1;
      }
      return true;
    });
  addText(page.title, TITLE);
  addText(page.description, HEADING);
  for (const heading of page.headings) addText(heading, HEADING);
  addText(urlWords(page.url), ADDRESS);
  addText(page.body.slice(0, MAX_CHARACTERS), BODY);
  const parts = hostSuffixes(page.url.hostname).map((host) => `'${hostMark(host)}':1`);
  if (page.isPdf) parts.push(`'${PDF_MARK}':1`);
  const most = pairs > entries.size / 4 ? MAX_PAIRS : MAX_WORDS;
  const least = minTimes(entries, most);
  let room = most;
  for (const [word, { marks, times }] of entries) {
    if (marks === BODY && (times < least.times || (times === least.times && least.room-- <= 0)))
      continue;
    if (room-- <= 0) break;
    parts.push(`'${word}':${PLACES[marks]?.[Math.min(times, MAX_TIMES) - 1]}`);
  }
  return parts.join(" ");
}

/**
 * The index stores only the number of positions of a word and their weights: by its source, then by
 * its frequency. Title wins over heading. The URL has a separate position, so that `inurl:` also
 * finds words that occur elsewhere.
 */
const PLACES: readonly (readonly string[])[] = Array.from({ length: 8 }, (_, marks) => {
  const weights = [
    marks & TITLE ? "A" : marks & HEADING ? "B" : undefined,
    marks & ADDRESS ? "C" : undefined,
  ].filter((weight) => weight !== undefined);
  return Array.from({ length: MAX_TIMES }, (__, more) =>
    Array.from(
      { length: Math.max(more + 1, weights.length) },
      (___, place) => `${place + 1}${weights[place] ?? ""}`,
    ).join(","),
  );
});

/**
 * Returns the minimum frequency of an indexed body word, and how many words of exactly that
 * frequency fit.
 */
function minTimes(
  entries: ReadonlyMap<string, Entry>,
  most: number,
): { times: number; room: number } {
  if (entries.size <= most) return { times: 1, room: Infinity };
  let room = most;
  const counts = new Map<number, number>();
  for (const { marks, times } of entries.values())
    if (marks === BODY) counts.set(times, (counts.get(times) ?? 0) + 1);
    else room -= 1;
  for (const times of [...counts.keys()].toSorted((one, other) => other - one)) {
    const count = counts.get(times) ?? 0;
    if (count >= room) return { times, room: Math.max(0, room) };
    room -= count;
  }
  return { times: 1, room: Infinity };
}

/** Host and path as text: the parts between separators are words. */
function urlWords({ hostname, pathname, search }: URL): string {
  const path = `${pathname}${search}`.slice(0, 500);
  try {
    return `${hostname} ${decodeURIComponent(path)}`;
  } catch {
    return `${hostname} ${path}`;
  }
}
