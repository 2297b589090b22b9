// First words of each block as hashes for lookups in a learned table: single words, pairs, the
// opening, and a short text as a whole.
import type { Segmentation } from "../blocks/blocks.ts";
import type { ElementFacts } from "../blocks/element-facts.ts";

export type PageWords = {
  /** Hashes of words and marks in page order. */
  readonly hashes: Int32Array;
  /** Start of each block's words; one entry longer than the blocks. */
  readonly start: Int32Array;
  /** For each block the heading above it or itself, or -1. */
  readonly heading: Int32Array;
  /** For each element the short text that opens it, or -1. */
  readonly label: Int32Array;
};

/** Maximum words of a text that is hashed as a whole and may be a label. */
const MAX_SHORT_WORDS = 7;
/** Maximum words and marks of a block to look up, and the resulting maximum of lookups. */
const MAX_WORDS = 120;
export const MAX_LOOKUPS = MAX_WORDS * 2 + 2;
/** Salts that separate the positions of a word. */
const FIRST = 0x2545f491;
const WHOLE = 0x3c6ef372;

const hashPair = (one: number, two: number): number => (Math.imul(one, 31) + two) | 0;

/** Collects the words of all blocks. `heading` gives the heading above each. */
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
    if (length > 0 && length <= MAX_SHORT_WORDS) label[element] = opening;
  }
  return { hashes: words, start, heading, label };
}

/**
 * Writes every lookup for a block's words into `into`, at most `MAX_LOOKUPS`. Returns their number.
 */
export function lookupHashes(
  { hashes, start }: PageWords,
  block: number,
  into: Int32Array,
): number {
  const from = start[block]!;
  const to = Math.min(start[block + 1]!, from + MAX_WORDS);
  if (from === to) return 0;
  let before = hashes[from]!;
  let whole = hashPair(WHOLE, before);
  let count = 0;
  into[count++] = before ^ FIRST;
  into[count++] = before;
  for (let at = from + 1; at < to; at++) {
    const word = hashes[at]!;
    const pair = hashPair(before, word);
    if (at === from + 1) into[count++] = pair ^ FIRST;
    into[count++] = word;
    into[count++] = pair;
    whole = hashPair(whole, word);
    before = word;
  }
  if (to - from <= MAX_SHORT_WORDS) into[count++] = whole;
  return count;
}
