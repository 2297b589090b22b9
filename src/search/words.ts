// Splits text into words for lookup: lower case, without accents, by Unicode letters and digits.
// Scripts without spaces give pairs of adjacent characters.

/** Longer words are numbers and hashes; pages and queries truncate alike. */
const MAX_CHARACTERS = 40;

const UNICODE_WORD = /[\p{L}\p{N}]+/gu;
const MARK = /\p{M}+/gu;
const UNSPACED_SCRIPT =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}ー]+/u;
const UNSPACED_RUNS = new RegExp(UNSPACED_SCRIPT.source, "gu");
/** In these scripts marks belong to the letter: あ゙ and กำ are not あ and ก. */
const KEEPS_MARKS = /[\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Hira}\p{sc=Kana}]/u;

/** Calls `visit` for each word in order until it returns false. */
export function visitWords(text: string, visit: (word: string) => boolean): void {
  const lower = text.toLowerCase();
  const end = lower.length;
  let start = -1;
  let isAscii = true;
  // A loop over characters: a regular expression takes twice the time, and this dominates the cost
  // of a page.
  for (let index = 0; index <= end; index++) {
    const code = index === end ? 0 : lower.charCodeAt(index);
    const isPart = (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code > 127;
    if (isPart) {
      if (start < 0) start = index;
      if (code > 127) isAscii = false;
    } else if (start >= 0) {
      const candidate = lower.slice(start, index);
      if (isAscii) {
        if (!visit(candidate.slice(0, MAX_CHARACTERS))) return;
      } else for (const word of generateUnicodeWords(candidate)) if (!visit(word)) return;
      start = -1;
      isAscii = true;
    }
  }
}

/** Returns the words of a text in order, with repetitions. */
export function toIndexWords(text: string): string[] {
  const words: string[] = [];
  visitWords(text, (word) => {
    words.push(word);
    return true;
  });
  return words;
}

function* generateUnicodeWords(candidate: string): Generator<string> {
  const folded = fold(candidate);
  for (const [word] of folded.matchAll(UNICODE_WORD)) {
    if (!UNSPACED_SCRIPT.test(word)) {
      yield word.slice(0, MAX_CHARACTERS);
      continue;
    }
    let end = 0;
    for (const run of word.matchAll(UNSPACED_RUNS)) {
      if (run.index > end) yield word.slice(end, run.index).slice(0, MAX_CHARACTERS);
      yield* generatePairs(run[0]);
      end = run.index + run[0].length;
    }
    if (end < word.length) yield word.slice(end).slice(0, MAX_CHARACTERS);
  }
}

/** Folds compatibility forms and removes accents. */
export function fold(text: string): string {
  const plain = KEEPS_MARKS.test(text)
    ? text.normalize("NFKC")
    : text.normalize("NFKD").replaceAll(MARK, "").normalize("NFKC").replaceAll("ß", "ss");
  return plain.toLowerCase();
}

/**
 * Overlapping pairs plus the last character, so that a single character is found at every position.
 */
function* generatePairs(run: string): Generator<string> {
  const characters = Array.from(run);
  for (let index = 0; index + 1 < characters.length; index++)
    yield `${characters[index]}${characters[index + 1]}`;
  yield characters.at(-1) ?? "";
}

/** True if the word is one character of a script without spaces, and so the beginning of pairs. */
export const isLoneCharacter = (word: string): boolean =>
  Array.from(word).length === 1 && UNSPACED_SCRIPT.test(word);

/** True if the word is a pair of such a script. */
export const isPair = (word: string): boolean =>
  word.length > 1 &&
  word.length < 5 &&
  word.charCodeAt(0) > 127 &&
  Array.from(word).length === 2 &&
  UNSPACED_SCRIPT.test(word);
