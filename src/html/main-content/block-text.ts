// Character statistics of a block, gathered once while the tree is walked. No regular expressions: every character of the page passes here.

/** What a block's own text looks like. Lengths count characters without white space. */
export type TextCounts = {
  characters: number;
  words: number;
  /** Words, or half the ideographs where a script writes no spaces. The unit of a block's weight. */
  size: number;
  linkCharacters: number;
  digits: number;
  upperCase: number;
  sentenceMarks: number;
  commas: number;
  separators: number;
  currencies: number;
  titleWords: number;
  /** Words whose pair with the word before stands in what the page says about itself. */
  describedWords: number;
  bodyWords: number;
  capitalWords: number;
  /** Code of the first and last character that is not white space. */
  first: number;
  last: number;
  /** Hash of the letters and digits in order, lower case. */
  hash: number;
  /** Hashes of the word under way and of the one before. */
  word: number;
  previous: number;
  ideographs: number;
};

/** Hashes of what the page says about itself: words of its title, pairs of words of its descriptions and of the body its linked data holds. */
export type KnownText = {
  readonly title: ReadonlySet<number>;
  readonly described: ReadonlySet<number>;
  readonly body: ReadonlySet<number>;
};

export function emptyCounts(): TextCounts {
  return {
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
    bodyWords: 0,
    capitalWords: 0,
    first: 0,
    last: 0,
    hash: 0x811c9dc5,
    word: 0,
    previous: 0,
    ideographs: 0,
  };
}

/** The kinds a character can be of; characters past Latin are sorted by range in `kindOf`. */
const WHITE = 1;
const LOWER = 2;
const UPPER = 3;
const DIGIT = 4;
const SENTENCE = 5;
const COMMA = 6;
const SEPARATOR = 7;
const CURRENCY = 8;
const IDEOGRAPH = 9;
const OTHER = 10;
const INVISIBLE = 11;

const LATIN = new Uint8Array(0x250).fill(OTHER);
for (let code = 0; code < LATIN.length; code++) {
  const character = String.fromCharCode(code);
  if (code <= 32 || (code >= 0x7f && code <= 0xa0)) LATIN[code] = WHITE;
  else if (/\p{Lu}/u.test(character)) LATIN[code] = UPPER;
  else if (/\p{L}|_/u.test(character)) LATIN[code] = LOWER;
  else if (/\p{N}/u.test(character)) LATIN[code] = DIGIT;
  else if (".!?".includes(character)) LATIN[code] = SENTENCE;
  else if (",;:".includes(character)) LATIN[code] = COMMA;
  else if ("|·•»«/>©".includes(character)) LATIN[code] = SEPARATOR;
  else if ("$£¥¢".includes(character)) LATIN[code] = CURRENCY;
  else if (code === 0xad) LATIN[code] = INVISIBLE;
}

function kindOf(code: number): number {
  if (code < 0x250) return LATIN[code] ?? OTHER;
  if (code >= 0x2000 && code <= 0x206f) {
    if (code === 0x2026) return SENTENCE;
    if (code === 0x2022) return SEPARATOR;
    if (code <= 0x200a || code === 0x2028 || code === 0x2029 || code === 0x202f) return WHITE;
    return code <= 0x200f || code >= 0x2060 ? INVISIBLE : OTHER;
  }
  if (code >= 0x20a0 && code <= 0x20cf) return CURRENCY;
  if (
    code === 0x3002 ||
    code === 0xff01 ||
    code === 0xff1f ||
    code === 0x061f ||
    code === 0x0964 ||
    code === 0x06d4
  )
    return SENTENCE;
  if (code === 0x3001 || code === 0xff0c || code === 0x060c || code === 0xff1a || code === 0xff1b)
    return COMMA;
  if (code === 0x3000) return WHITE;
  if (code === 0xfeff) return INVISIBLE;
  if ((code >= 0x3040 && code <= 0x9fff) || (code >= 0xf900 && code <= 0xfaff)) return IDEOGRAPH;
  if (code >= 0x0400 && code <= 0x042f) return UPPER;
  if ((code >= 0x2190 && code <= 0x2bff) || (code >= 0xe000 && code <= 0xf8ff)) return OTHER;
  return LOWER;
}

/** FNV-1a by one character; 0 stands for no word yet and is never a result. */
const nextHash = (hash: number, code: number): number =>
  Math.imul((hash === 0 ? 0x811c9dc5 : hash) ^ code, 0x01000193) || 1;

/** True when the text has a character a reader sees. */
export function isVisible(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const kind = kindOf(text.charCodeAt(index));
    if (kind !== WHITE && kind !== INVISIBLE) return true;
  }
  return false;
}

function endWord(counts: TextCounts, known: KnownText): void {
  if (counts.word === 0) return;
  counts.words++;
  if (known.title.has(counts.word)) counts.titleWords++;
  if (known.described.size > 0 || known.body.size > 0) {
    const pair = pairOf(counts.previous, counts.word);
    if (known.described.has(pair)) counts.describedWords++;
    if (known.body.has(pair)) counts.bodyWords++;
    counts.previous = counts.word;
  }
  counts.hash = (Math.imul(counts.hash, 31) + counts.word) | 0;
  counts.word = 0;
}

/** Adds a run of text to a block's counts; words may continue in the next run. */
export function addText(counts: TextCounts, text: string, inLink: boolean, known: KnownText): void {
  const before = counts.characters;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const kind = kindOf(code);
    if (kind === INVISIBLE) continue;
    if (kind === WHITE) {
      if (counts.word !== 0) endWord(counts, known);
      continue;
    }
    if (counts.characters++ === 0) counts.first = code;
    counts.last = code;
    if (kind <= DIGIT) {
      if (kind === UPPER) {
        counts.upperCase++;
        if (counts.word === 0) counts.capitalWords++;
      } else if (kind === DIGIT) counts.digits++;
      const folded = kind === UPPER && code < 128 ? code + 32 : code;
      counts.word = nextHash(counts.word, folded);
    } else if (kind === IDEOGRAPH) {
      counts.ideographs++;
      counts.word = nextHash(counts.word, code);
    } else {
      endWord(counts, known);
      if (kind === SENTENCE) counts.sentenceMarks++;
      else if (kind === COMMA) counts.commas++;
      else if (kind === SEPARATOR) counts.separators++;
      else if (kind === CURRENCY) counts.currencies++;
    }
  }
  if (inLink) counts.linkCharacters += counts.characters - before;
}

/** Closes the last word and fixes the size; called once when the block ends. */
export function finishText(counts: TextCounts, known: KnownText): void {
  endWord(counts, known);
  counts.size = Math.max(counts.words, counts.ideographs / 2);
  if (counts.size === 0 && counts.characters > 0) counts.size = 0.5;
}

const pairOf = (before: number, word: number): number => (Math.imul(before, 31) + word) | 0;

function* wordHashes(text: string): Generator<number> {
  for (const part of text.split(/[^\p{L}\p{N}_]+/u)) {
    let word = 0;
    for (let index = 0; index < part.length; index++) {
      const code = part.charCodeAt(index);
      const folded = kindOf(code) === UPPER && code < 128 ? code + 32 : code;
      word = nextHash(word, folded);
    }
    if (word !== 0) yield word;
  }
}

function pairHashes(text: string): Set<number> {
  const pairs = new Set<number>();
  let previous = 0;
  for (const word of wordHashes(text)) {
    if (previous !== 0) pairs.add(pairOf(previous, word));
    previous = word;
  }
  return pairs;
}

/** Makes the texts a page says about itself fit for comparing. */
export function knownText(title: string, description: string, body: string): KnownText {
  const long = title.split(/[^\p{L}\p{N}_]+/u).filter((word) => word.length >= 3);
  return {
    title: new Set(wordHashes(long.join(" "))),
    described: pairHashes(description),
    body: pairHashes(body),
  };
}
