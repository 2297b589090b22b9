// Counts tokens, so that answers fit a model's context.
import { countTokens as countSlice } from "gpt-tokenizer/encoding/cl100k_base";

/** The tokenizer is quadratic in the length of a word, and pages have words of megabytes. */
const SLICE_CHARACTERS = 400;
/** A page may contain the text of a special token, which is plain text here. */
const OPTIONS = { disallowedSpecial: new Set<string>() };
/** Other tokenizers need up to a tenth more for prose, tables and code. */
const TOKEN_MARGIN = 1.1;

/** Yields pieces of a text, cut between words if possible, with their end offsets. */
function* sliceText(
  text: string,
  from = 0,
): Generator<{ readonly text: string; readonly end: number }> {
  for (let start = from; start < text.length;) {
    const max = Math.min(text.length, start + SLICE_CHARACTERS);
    let end = max;
    if (max < text.length) {
      // Within the slice only: a search through all text before it would be quadratic.
      const slice = text.slice(start, max);
      const lineEnd = start + slice.lastIndexOf("\n");
      const space = start + slice.lastIndexOf(" ");
      if (lineEnd > start + SLICE_CHARACTERS / 4) end = lineEnd + 1;
      else if (space > start) end = space;
      // Never between the halves of a surrogate pair.
      else if (/[\uD800-\uDBFF]/.test(text.charAt(max - 1)) && max - 1 > start) end = max - 1;
    }
    yield { text: text.slice(start, end), end };
    start = end;
  }
}

/** Counts the tokens of a text with a margin for other tokenizers. */
export function countTokens(text: string): number {
  let sum = 0;
  for (const slice of sliceText(text)) sum += countSlice(slice.text, OPTIONS);
  return Math.ceil(sum * TOKEN_MARGIN);
}

export type TakenTexts = {
  readonly text: string;
  /** Offset of the rest; undefined at the end of the text. */
  readonly next: number | undefined;
};

/** Repeated calls with less would take one letter each. */
const MIN_TAKEN_TOKENS = 16;

/** Length of the longest start of a slice that fits, cut after a word if one fits. */
function fitSlice(slice: string, budget: number): number {
  const fits = (length: number): boolean =>
    countSlice(slice.slice(0, length), OPTIONS) * TOKEN_MARGIN <= budget;
  let [low, high] = [1, slice.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  const space = slice.lastIndexOf(" ", low);
  if (space > low / 2) return space;
  return low > 1 && /[\uD800-\uDBFF]/.test(slice.charAt(low - 1)) ? low - 1 : low;
}

/**
 * Takes the text from an offset that fits into the budget; a budget below 16 counts as 16, so that
 * repeated calls reach the end.
 */
export function takeTokens(text: string, budget: number, from = 0): TakenTexts {
  let sum = 0;
  let end = from;
  for (const slice of sliceText(text, from)) {
    sum += countSlice(slice.text, OPTIONS) * TOKEN_MARGIN;
    if (sum > budget) {
      if (end === from) end += fitSlice(slice.text, Math.max(budget, MIN_TAKEN_TOKENS));
      break;
    }
    ({ end } = slice);
  }
  return { text: text.slice(from, end), next: end < text.length ? end : undefined };
}
