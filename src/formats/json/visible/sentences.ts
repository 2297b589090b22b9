// Splits text into sentences and matches words in them.
import { parseName } from "../names/names.ts";

/** Minimum letters of a word that also stands for its inflected forms: "return" and "returned". */
const MIN_STEM = 5;

/** Words for "free of charge". */
export const FREE =
  /(?<!\p{L})(?:free|gratis|kostenlos\p{L}*|kostenfrei\p{L}*|versandkostenfrei|portofrei|gratuit\p{L}*|offert\p{L}*|gratuit[oae]s?|grátis|omaggio|darmow\p{L}+|bezpłatn\p{L}+|zdarma|бесплатн\p{L}+|無料|免费|무료)(?!\p{L})/iu;

/** True if a text has a word, in an inflected form or in another language. */
export function mentions(word: string, tokens: readonly string[], text: string): boolean {
  if (word === "free") return FREE.test(text);
  const name = parseName(word);
  return tokens.some((token) => {
    if (token === word) return true;
    if (word.length >= MIN_STEM && token.startsWith(word)) return true;
    const { concepts } = parseName(token);
    return [...concepts].some((concept) => name.concepts.has(concept));
  });
}

/** Sentences of a piece: a decimal point or an abbreviation ends none. */
export const splitSentences = (text: string): string[] =>
  text
    .split(/(?<=[\p{L}\d)%€]{2}[.!?])\s+(?=\p{Lu}|\d)|\n|\s[·•|]\s/u)
    .map((sentence) => sentence.trim());
