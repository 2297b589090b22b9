// A page as indexed: its words by position, and a text for descriptions.
import { visitIdentifiers, foldName } from "./identifiers.ts";
import { listHostSuffixes } from "./sites.ts";
import type { Stem } from "../ranking/stems.ts";
import { getStopWords } from "./stop-words.ts";
import { visitWords } from "./words.ts";

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
const TITLE_POSITION = 1;
const HEADING_POSITION = 2;
const ADDRESS_POSITION = 4;
const BODY_POSITION = 0;

/** Bounds of one entry: PostgreSQL takes a tsvector of at most 1 MiB. */
const MAX_WORDS = 20_000;
const MAX_VECTOR_BYTES = 800_000;
/** Occurrences of a word that count for the rank. */
const MAX_TIMES = 6;

/** Marks stored among the words of a page. Words contain no colon, so they cannot collide. */
export const buildHostMark = (host: string): string => `h:${host}`;
export const PDF_MARK = "k:pdf";

type Entry = { marks: number; times: number };

/**
 * Builds the tsvector literal of a page: all words of title, description, headings, URL and body,
 * and identifiers as a whole. Words contain no quotes or backslashes, and marks are made of host
 * names.
 */
export function toVector(page: PageText, stem: Stem): string {
  const stopWords = getStopWords(page.language);
  const entries = new Map<string, Entry>();
  let bytesLeft = MAX_VECTOR_BYTES;
  const add = (word: string, mark: number): boolean => {
    const entry = entries.get(word);
    if (entry !== undefined) {
      entry.marks |= mark;
      entry.times += 1;
      return true;
    }
    bytesLeft -= Buffer.byteLength(word) + BYTES_PER_WORD;
    if (bytesLeft < 0 || entries.size >= MAX_WORDS) return false;
    entries.set(word, { marks: mark, times: 1 });
    return true;
  };
  const addText = (text: string, mark: number): void => {
    visitWords(text, (word) => {
      if (mark !== TITLE_POSITION && stopWords.has(word)) return true;
      return add(stem(word), mark);
    });
    visitIdentifiers(text, (name) => add(foldName(name), mark));
  };
  addText(page.title, TITLE_POSITION);
  addText(page.description, HEADING_POSITION);
  for (const heading of page.headings) addText(heading, HEADING_POSITION);
  addText(listUrlWords(page.url), ADDRESS_POSITION);
  addText(page.body, BODY_POSITION);
  const parts = listHostSuffixes(page.url.hostname).map((host) => `'${buildHostMark(host)}':1`);
  if (page.isPdf) parts.push(`'${PDF_MARK}':1`);
  for (const [word, { marks, times }] of entries)
    parts.push(`'${word}':${PLACES[marks]?.[Math.min(times, MAX_TIMES) - 1]}`);
  return parts.join(" ");
}

/** Entry and up to two positions with their padding, besides the word. */
const BYTES_PER_WORD = 12;

/**
 * The index stores only the number of positions of a word and their weights: by its source, then by
 * its frequency. Title wins over heading. The URL has a separate position, so that `inurl:` also
 * finds words that occur elsewhere.
 */
const PLACES: readonly (readonly string[])[] = Array.from({ length: 8 }, (_, marks) => {
  const weights = [
    marks & TITLE_POSITION ? "A" : marks & HEADING_POSITION ? "B" : undefined,
    marks & ADDRESS_POSITION ? "C" : undefined,
  ].filter((weight) => weight !== undefined);
  return Array.from({ length: MAX_TIMES }, (__, more) =>
    Array.from(
      { length: Math.max(more + 1, weights.length) },
      (___, place) => `${place + 1}${weights[place] ?? ""}`,
    ).join(","),
  );
});

/** Host and path as text: the parts between separators are words. */
function listUrlWords({ hostname, pathname, search }: URL): string {
  const path = `${pathname}${search}`.slice(0, 500);
  try {
    return `${hostname} ${decodeURIComponent(path)}`;
  } catch {
    return `${hostname} ${path}`;
  }
}
