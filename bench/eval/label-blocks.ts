// Computes a target per block from a page's truth: the share of the block in the main content, NaN
// where the truth is silent.
import type { LabelledPage } from "./read-pages.ts";
import { toScoredWords } from "./readable-text.ts";

const normalizeText = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

/** Returns the target of every block. */
export function labelBlocks(page: LabelledPage, texts: readonly string[]): Float32Array {
  return page.segments === undefined
    ? labelByTruth(toScoredWords(page.truth ?? ""), texts.map(toScoredWords))
    : labelBySegments(page.segments, texts.map(normalizeText));
}

/**
 * Blocks of four words or more by the share of their 4-grams in the truth; shorter ones by phrase,
 * until their words are used up.
 */
function labelByTruth(truth: readonly string[], blocks: readonly string[][]): Float32Array {
  const grams = new Set<string>();
  for (let size = 1; size <= 4; size++)
    for (let at = 0; at + size <= truth.length; at++)
      grams.add(truth.slice(at, at + size).join(" "));
  const left = new Map<string, number>();
  for (const word of truth) left.set(word, (left.get(word) ?? 0) + 1);
  const use = (words: readonly string[]): void => {
    for (const word of words) left.set(word, (left.get(word) ?? 0) - 1);
  };
  const targets = new Float32Array(blocks.length);
  blocks.forEach((words, index) => {
    if (words.length < 4) return;
    let hits = 0;
    for (let at = 0; at + 4 <= words.length; at++)
      if (grams.has(words.slice(at, at + 4).join(" "))) hits++;
    targets[index] = hits / (words.length - 3);
    if (targets[index]! > 0.5) use(words);
  });
  const long = Float32Array.from(targets);
  const near = (index: number): boolean =>
    [-2, -1, 1, 2].some((offset) => (long[index + offset] ?? 0) > 0.5);
  for (const wanted of [true, false]) {
    blocks.forEach((words, index) => {
      if (
        words.length === 0 ||
        words.length >= 4 ||
        near(index) !== wanted ||
        !grams.has(words.join(" "))
      )
        return;
      if (words.some((word) => (left.get(word) ?? 0) <= 0)) return;
      targets[index] = 1;
      use(words);
    });
  }
  return targets;
}

function labelBySegments(
  { wanted, unwanted }: NonNullable<LabelledPage["segments"]>,
  texts: readonly string[],
): Float32Array {
  const targets = new Float32Array(texts.length).fill(Number.NaN);
  const mark = (segment: string, target: number): void => {
    const needle = normalizeText(segment);
    texts.forEach((text, index) => {
      const holds = text.includes(needle) || (text.length >= 20 && needle.includes(text));
      if (holds) targets[index] = target;
    });
  };
  for (const segment of wanted) mark(segment, 1);
  for (const segment of unwanted) mark(segment, 0);
  return targets;
}
