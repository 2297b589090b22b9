// Finds consecutive words in Markdown, which may have markup between them and backslash escapes.
// Runs in linear time; a regular expression would backtrack over all splits of the markup.

export type Span = { readonly start: number; readonly end: number };

/** Characters allowed between words. */
const MARKS: ReadonlySet<string | undefined> = new Set([
  " ", "\n", "\t", "\r", "\f", "\v", "\u00a0", "\\", "*", "_", "`", "|", ">", "#", "[", "]",
]); // prettier-ignore
/** Characters that are never escaped: letters, numbers, and non-ASCII signs. */
const PLAIN = /[^!-/:-@[-`{-~\s]+/;
const ESCAPED = /[!-/:-@[-`{-~]/;
/** Signs before the first letter of a word. */
const MAX_SIGNS = 20;
/** Characters of a word that are compared at each possible start. */
const MAX_CHARACTERS = 300;

/**
 * Returns the first span with these words, in any case, that `isRight` accepts. Words without a
 * letter or number are skipped.
 */
export function findWords(
  markdown: string,
  words: readonly string[],
  isRight: (markdown: string, start: number, end: number) => boolean,
): Span | undefined {
  const [first, ...others] = words.map(fold).filter((word) => PLAIN.test(word));
  const plain = PLAIN.exec(first ?? "");
  if (first === undefined || plain === null || plain.index > MAX_SIGNS) return undefined;
  if (words.some(({ length }) => length > MAX_CHARACTERS)) return undefined;
  const text = fold(markdown);
  for (let at = text.indexOf(plain[0]); at !== -1; at = text.indexOf(plain[0], at + 1)) {
    const begun = findWordNear(text, first, at, plain.index, 0);
    const end = begun === undefined ? undefined : findWordsEnd(text, begun.end, others);
    if (begun !== undefined && end !== undefined && isRight(markdown, begun.start, end))
      return { start: begun.start, end };
  }
  return undefined;
}

function findWordsEnd(text: string, from: number, words: readonly string[]): number | undefined {
  let end = from;
  for (const word of words) {
    let next = end;
    while (MARKS.has(text[next])) next += 1;
    let signs = 0;
    while (MARKS.has(word[signs])) signs += 1;
    if (next === end || signs > MAX_SIGNS) return undefined;
    const found = findWordNear(text, word, next, signs, end + 1);
    if (found === undefined) return undefined;
    ({ end } = found);
  }
  return end;
}

/**
 * The word whose character number `index` is at `at`. Each sign before it may be escaped. Starts at
 * `min` or later.
 */
function findWordNear(
  text: string,
  word: string,
  at: number,
  index: number,
  min: number,
): Span | undefined {
  for (let start = Math.max(min, at - 2 * index); start <= at - index; start++) {
    const end = findWordEnd(text, start, word);
    if (end !== undefined) return { start, end };
  }
  return undefined;
}

function findWordEnd(text: string, start: number, word: string): number | undefined {
  let at = start;
  for (let index = 0; index < word.length; index++) {
    if (text[at] === "\\" && ESCAPED.test(text[at + 1] ?? "")) at += 1;
    if (text[at] !== word[index]) return undefined;
    at += 1;
  }
  return at;
}

/** Lowercases each character in place; some become two letters. */
function fold(text: string): string {
  const small = text.toLowerCase();
  if (small.length === text.length) return small;
  return text.replaceAll(/\p{Lu}/gu, (letter) => {
    const other = letter.toLowerCase();
    return other.length === letter.length ? other : letter;
  });
}
