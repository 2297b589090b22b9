// The words that blocks begin with, as hashes that a learned table can be asked for: alone, in pairs, at the beginning, and a short text
// as a whole.
import type { Segmentation } from "./blocks.ts";
import type { ElementFacts } from "./element-facts.ts";

export type PageWords = {
  /** Hashes of words and marks in the order of the page. */
  readonly hashes: Int32Array;
  /** For each block where its words begin; one longer than the blocks. */
  readonly start: Int32Array;
  /** For each block the heading above it or itself, -1 for none. */
  readonly heading: Int32Array;
  /** For each element the short text that opens it, -1 for none. */
  readonly label: Int32Array;
};

/** A text of this many words is known as a whole, and may be a label. */
const SHORT = 7;
/** Words and marks of a block that are asked for, and what that makes at most. */
const MAX_WORDS = 120;
export const MAX_ASKED = MAX_WORDS * 2 + 2;
/** What sets apart the ways in which a word is met. */
const FIRST = 0x2545f491;
const WHOLE = 0x3c6ef372;

const pairOf = (one: number, two: number): number => (Math.imul(one, 31) + two) | 0;

/** Gathers the words of all blocks; `heading` names the heading above each. */
export function gatherWords(
  { blocks, elements, words }: Segmentation,
  facts: ElementFacts,
): PageWords {
  const count = blocks.length;
  const start = new Int32Array(count + 1);
  const heading = new Int32Array(count);
  let above = -1;
  for (let block = 0; block < count; block++) {
    const { container, wordStart } = blocks[block]!;
    start[block] = wordStart;
    if (container >= 0 && facts.level[container]! > 0) above = block;
    heading[block] = above;
  }
  start[count] = words.length;
  const { blockStart, blockEnd } = elements;
  const label = new Int32Array(blockStart.length).fill(-1);
  for (let element = 0; element < label.length; element++) {
    const opening = blockStart[element]!;
    if (blockEnd[element]! - opening < 2) continue;
    const length = start[opening + 1]! - start[opening]!;
    if (length > 0 && length <= SHORT) label[element] = opening;
  }
  return { hashes: words, start, heading, label };
}

/** Writes everything that a table may know of a block's words into `into`, at most `MAX_ASKED`; answers how much it is. */
export function wordsAsked({ hashes, start }: PageWords, block: number, into: Int32Array): number {
  const from = start[block]!;
  const to = Math.min(start[block + 1]!, from + MAX_WORDS);
  if (from === to) return 0;
  let before = hashes[from]!;
  let whole = pairOf(WHOLE, before);
  let count = 0;
  into[count++] = before ^ FIRST;
  into[count++] = before;
  for (let at = from + 1; at < to; at++) {
    const word = hashes[at]!;
    const pair = pairOf(before, word);
    if (at === from + 1) into[count++] = pair ^ FIRST;
    into[count++] = word;
    into[count++] = pair;
    whole = pairOf(whole, word);
    before = word;
  }
  if (to - from <= SHORT) into[count++] = whole;
  return count;
}
