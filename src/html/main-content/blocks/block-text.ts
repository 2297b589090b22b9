// Character statistics of a block, collected once during the tree walk. No regular expressions:
// every character of the page passes through here.

import { readCharCode, measureLength } from "../../parse/char-code-at.ts";
import { HashList } from "./hash-list.ts";

/** Statistics of a block's own text. Lengths count characters without whitespace. */
export type TextCounts = {
  characters: number;
  words: number;
  /** Words, or half the ideographs in scripts without spaces. The unit of a block's weight. */
  size: number;
  linkCharacters: number;
  digits: number;
  upperCase: number;
  sentenceMarks: number;
  commas: number;
  separators: number;
  currencies: number;
  titleWords: number;
  /** Words that form a pair with the previous word that also occurs in the page's description. */
  describedWords: number;
  capitalWords: number;
  /** Code of the first and last non-space character. */
  first: number;
  last: number;
  /** Hash of the letters and digits in order, in lower case. */
  hash: number;
  /** Hashes of the current word and of the previous one. */
  word: number;
  previous: number;
  /** Digits seen before the current word. */
  digitsBefore: number;
  ideographs: number;
};

/** Hashes of the page's metadata: words of its title, word pairs of its descriptions. */
export type KnownText = {
  readonly title: HashSet;
  readonly described: HashSet;
  /** Receives the first words and marks of each block, in order. */
  readonly heard: HashList;
};

/** A hash set that answers most lookups from a small table. */
class HashSet {
  readonly #hashes = new Set<number>();
  readonly #marks = new Uint8Array(1024);

  constructor(hashes: readonly number[]) {
    for (const hash of hashes) {
      this.#hashes.add(hash);
      this.#marks[hash & 1023] = 1;
    }
  }

  get isEmpty(): boolean {
    return this.#hashes.size === 0;
  }

  has(hash: number): boolean {
    return this.#marks[hash & 1023] === 1 && this.#hashes.has(hash);
  }
}

/** A run of text that is kept or dropped as a whole. `texts` is a range of `Segmentation.texts`. */
export type Block = TextCounts & {
  /** Index of the nearest block-level element. */
  readonly container: number;
  readonly textStart: number;
  textEnd: number;
  /** Start of the block's words in `Segmentation.words`. */
  readonly wordStart: number;
  links: number;
  /** Bold or emphasized characters. */
  bold: number;
  /** Images inside the block. */
  images: number;
};

/** Creates an empty block. One literal gives all blocks the same hidden class. */
export function createBlock(container: number, textStart: number, wordStart: number): Block {
  return {
    container,
    textStart,
    textEnd: textStart,
    wordStart,
    links: 0,
    bold: 0,
    images: 0,
    characters: 0,
    words: 0,
    size: 0,
    linkCharacters: 0,
    digits: 0,
    upperCase: 0,
    sentenceMarks: 0,
    commas: 0,
    separators: 0,
    currencies: 0,
    titleWords: 0,
    describedWords: 0,
    capitalWords: 0,
    first: 0,
    last: 0,
    hash: 0x811c9dc5 | 0,
    word: 0,
    previous: 0,
    digitsBefore: 0,
    ideographs: 0,
  };
}

/** Character classes. Characters beyond Latin are classified by range in `classifyCharacter`. */
const WHITE_CLASS = 1;
const LOWER_CLASS = 2;
const UPPER_CLASS = 3;
const DIGIT_CLASS = 4;
const SENTENCE_CLASS = 5;
const COMMA_CLASS = 6;
const SEPARATOR_CLASS = 7;
const CURRENCY_CLASS = 8;
const IDEOGRAPH_CLASS = 9;
const OTHER_CLASS = 10;
const INVISIBLE_CLASS = 11;

const LATIN = new Uint8Array(0x250).fill(OTHER_CLASS);
for (let code = 0; code < LATIN.length; code++) {
  const character = String.fromCharCode(code);
  if (code <= 32 || (code >= 0x7f && code <= 0xa0)) LATIN[code] = WHITE_CLASS;
  else if (/\p{Lu}/u.test(character)) LATIN[code] = UPPER_CLASS;
  else if (/\p{L}|_/u.test(character)) LATIN[code] = LOWER_CLASS;
  else if (/\p{N}/u.test(character)) LATIN[code] = DIGIT_CLASS;
  else if (".!?".includes(character)) LATIN[code] = SENTENCE_CLASS;
  else if (",;:".includes(character)) LATIN[code] = COMMA_CLASS;
  else if ("|·•»«/>©".includes(character)) LATIN[code] = SEPARATOR_CLASS;
  else if ("$£¥¢".includes(character)) LATIN[code] = CURRENCY_CLASS;
  else if (code === 0xad) LATIN[code] = INVISIBLE_CLASS;
}

function classifyCharacter(code: number): number {
  if (code < 0x250) return LATIN[code] ?? OTHER_CLASS;
  if (code >= 0x2000 && code <= 0x206f) {
    if (code === 0x2026) return SENTENCE_CLASS;
    if (code === 0x2022) return SEPARATOR_CLASS;
    if (code <= 0x200a || code === 0x2028 || code === 0x2029 || code === 0x202f) return WHITE_CLASS;
    return code <= 0x200f || code >= 0x2060 ? INVISIBLE_CLASS : OTHER_CLASS;
  }
  if (code >= 0x20a0 && code <= 0x20cf) return CURRENCY_CLASS;
  if (
    code === 0x3002 ||
    code === 0xff01 ||
    code === 0xff1f ||
    code === 0x061f ||
    code === 0x0964 ||
    code === 0x06d4
  )
    return SENTENCE_CLASS;
  if (code === 0x3001 || code === 0xff0c || code === 0x060c || code === 0xff1a || code === 0xff1b)
    return COMMA_CLASS;
  if (code === 0x3000) return WHITE_CLASS;
  if (code === 0xfeff) return INVISIBLE_CLASS;
  if ((code >= 0x3040 && code <= 0x9fff) || (code >= 0xf900 && code <= 0xfaff))
    return IDEOGRAPH_CLASS;
  if (code >= 0x0400 && code <= 0x042f) return UPPER_CLASS;
  if ((code >= 0x2190 && code <= 0x2bff) || (code >= 0xe000 && code <= 0xf8ff)) return OTHER_CLASS;
  return LOWER_CLASS;
}

/** One FNV-1a step. 0 means "no word yet" and is never a result. */
const updateHash = (hash: number, code: number): number =>
  Math.imul((hash === 0 ? 0x811c9dc5 : hash) ^ code, 0x01000193) || 1;

/** True if the text has a visible character. */
export function isVisible(text: string): boolean {
  const length = measureLength(text);
  for (let index = 0; index < length; index++) {
    const kind = classifyCharacter(readCharCode(text, index));
    if (kind !== WHITE_CLASS && kind !== INVISIBLE_CLASS) return true;
  }
  return false;
}

/** Maximum words of a block to hash. All words with a digit share one hash. */
const MAX_HASHED_WORDS = 60;
const NUMBER = updateHash(0, 48);

/** Marks that are hashed like words, besides separators and currency signs. */
const isHashedMark = (code: number): boolean => code === 58 || code === 63 || code === 33;

function endWord(counts: TextCounts, known: KnownText): void {
  if (counts.word === 0) return;
  counts.words++;
  if (known.title.has(counts.word)) counts.titleWords++;
  if (!known.described.isEmpty) {
    const pair = hashPair(counts.previous, counts.word);
    if (known.described.has(pair)) counts.describedWords++;
    counts.previous = counts.word;
  }
  counts.hash = (Math.imul(counts.hash, 31) + counts.word) | 0;
  if (counts.words <= MAX_HASHED_WORDS)
    known.heard.add(counts.digits > counts.digitsBefore ? NUMBER : counts.word);
  counts.digitsBefore = counts.digits;
  counts.word = 0;
}

/** Adds a run of text to a block's counts. A word may continue in the next run. */
export function addText(counts: TextCounts, text: string, inLink: boolean, known: KnownText): void {
  let characters = 0;
  // Most characters are lower-case letters, so the values that they change are kept in locals.
  let { word, last } = counts;
  const length = measureLength(text);
  for (let index = 0; index < length; index++) {
    const code = readCharCode(text, index);
    const kind = code < LATIN.length ? LATIN[code]! : classifyCharacter(code);
    if (kind === INVISIBLE_CLASS) continue;
    if (kind === WHITE_CLASS) {
      if (word === 0) continue;
      counts.word = word;
      endWord(counts, known);
      word = 0;
      continue;
    }
    if (last === 0) counts.first = code;
    characters++;
    last = code;
    if (kind === LOWER_CLASS) {
      word = updateHash(word, code);
      continue;
    }
    counts.word = word;
    addRare(counts, code, kind, known);
    word = counts.word;
  }
  counts.word = word;
  counts.last = last;
  counts.characters += characters;
  if (inLink) counts.linkCharacters += characters;
}

/** Handles a character that is neither whitespace nor a lower-case letter. */
function addRare(counts: TextCounts, code: number, kind: number, known: KnownText): void {
  if (kind === UPPER_CLASS) {
    counts.upperCase++;
    if (counts.word === 0) counts.capitalWords++;
    counts.word = updateHash(counts.word, code < 128 ? code + 32 : code);
  } else if (kind === DIGIT_CLASS) {
    counts.digits++;
    counts.word = updateHash(counts.word, code);
  } else if (kind === IDEOGRAPH_CLASS) {
    counts.ideographs++;
    counts.word = updateHash(counts.word, code);
  } else {
    endWord(counts, known);
    if (kind === SENTENCE_CLASS) counts.sentenceMarks++;
    else if (kind === COMMA_CLASS) counts.commas++;
    else if (kind === SEPARATOR_CLASS) counts.separators++;
    else if (kind === CURRENCY_CLASS) counts.currencies++;
    if (
      (kind === SEPARATOR_CLASS || kind === CURRENCY_CLASS || isHashedMark(code)) &&
      counts.words < MAX_HASHED_WORDS
    )
      known.heard.add(updateHash(0, code));
  }
}

/** Ends the last word and sets the size. Called once when the block ends. */
export function finishText(counts: TextCounts, known: KnownText): void {
  endWord(counts, known);
  counts.size = Math.max(counts.words, counts.ideographs / 2);
  if (counts.size === 0 && counts.characters > 0) counts.size = 0.5;
}

const hashPair = (before: number, word: number): number => (Math.imul(before, 31) + word) | 0;

/**
 * Returns the hashes of all words with at least `shortest` letters, in order. A word is a run of
 * letters, digits and underscores.
 */
export function hashWords(text: string, shortest = 1): number[] {
  const hashes: number[] = [];
  let word = 0;
  let length = 0;
  for (let index = 0; index < text.length; index++) {
    const point = text.codePointAt(index)!;
    if (isWordPart(point)) {
      const code = text.charCodeAt(index);
      word = updateHash(word, code >= 65 && code <= 90 ? code + 32 : code);
      length++;
      if (point > 0xffff) {
        word = updateHash(word, text.charCodeAt(++index));
        length++;
      }
      if (index + 1 < text.length) continue;
    }
    if (length > 0 && length >= shortest) hashes.push(word);
    word = 0;
    length = 0;
  }
  return hashes;
}

const LETTER = /[\p{L}\p{N}]/u;

function isWordPart(point: number): boolean {
  if (point >= LATIN.length) return LETTER.test(String.fromCodePoint(point));
  const kind = LATIN[point]!;
  return kind === LOWER_CLASS || kind === UPPER_CLASS || kind === DIGIT_CLASS;
}

function pairHashes(text: string): HashSet {
  const pairs: number[] = [];
  let previous = 0;
  for (const word of hashWords(text)) {
    if (previous !== 0) pairs.push(hashPair(previous, word));
    previous = word;
  }
  return new HashSet(pairs);
}

/** Shorter title words occur in every text. */
const MIN_TITLE_WORD = 3;

/** Builds the lookup sets for the page's title and description. */
export function buildKnownText(title: string, description: string): KnownText {
  return {
    title: new HashSet(hashWords(title, MIN_TITLE_WORD)),
    described: pairHashes(description),
    heard: new HashList(),
  };
}
