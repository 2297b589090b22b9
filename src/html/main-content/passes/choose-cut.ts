// Chooses the probability threshold of a page. One threshold does not fit all pages, so the cut
// maximizes the expected F1: low on an uncertain page, high on a clear one.
import {
  CLEAR_STRICTNESS_FACTOR,
  CORE,
  DEFAULT_STRICTNESS,
  MAX_CUT,
  MIN_CLEAR_F1,
} from "./thresholds.ts";

export type CutChoice = {
  /** Blocks with at least this probability are kept. */
  readonly cut: number;
  /**
   * Cut for content inside kept text and for data tables, which are not teasers: the same, or lower
   * on a page with a core.
   */
  readonly innerCut: number;
  /** Expected F1 of the selection; measures how clear the page is. */
  readonly expected: number;
};

/** Resolution of probabilities for sorting. The product is exact in a double. */
const PROBABILITY_STEPS = 2 ** 28;
const MAX_BLOCKS = 2 ** 24;

/**
 * Finds the cut with the highest expected F-measure from probabilities and sizes of blocks.
 * Strictness 1 weighs precision and recall equally; higher values keep less, lower values keep
 * more.
 */
export function chooseCut(
  probabilities: Float64Array,
  sizes: ArrayLike<number>,
  strictness = 1,
): CutChoice {
  return cutIn(sortDescending(probabilities), probabilities, sizes, strictness);
}

/**
 * Returns indices from the highest to the lowest probability. Sorts numbers that encode probability
 * and index together.
 */
function sortDescending(probabilities: Float64Array): Float64Array {
  const order = new Float64Array(probabilities.length);
  for (let index = 0; index < order.length; index++)
    order[index] = Math.floor((1 - probabilities[index]!) * PROBABILITY_STEPS) * MAX_BLOCKS + index;
  order.sort();
  for (let at = 0; at < order.length; at++) order[at]! %= MAX_BLOCKS;
  return order;
}

function cutIn(
  order: Float64Array,
  probabilities: Float64Array,
  sizes: ArrayLike<number>,
  strictness: number,
): CutChoice {
  let wanted = 0;
  for (let index = 0; index < probabilities.length; index++)
    wanted += probabilities[index]! * sizes[index]!;
  let kept = 0;
  let hit = 0;
  let cut = 1;
  let expected = 0;
  let mark = -1;
  for (let at = 0; at < order.length; at++) {
    const index = order[at]!;
    kept += sizes[index]!;
    hit += probabilities[index]! * sizes[index]!;
    const measure = hit / (strictness * kept + wanted);
    if (measure > mark) {
      mark = measure;
      cut = probabilities[index]!;
      expected = (2 * hit) / (kept + wanted);
    }
  }
  return { cut, innerCut: cut, expected };
}

/**
 * Returns the cut of a page: low if much is unclear, higher on a clear page, and never low with a
 * core.
 */
export function cutPage(
  probabilities: Float64Array,
  sizes: ArrayLike<number>,
  strictness: number,
): CutChoice {
  const order = sortDescending(probabilities);
  // The clarity of a page must not depend on the requested strictness.
  const judged = cutIn(order, probabilities, sizes, DEFAULT_STRICTNESS);
  const factor = judged.expected < MIN_CLEAR_F1 ? 1 : CLEAR_STRICTNESS_FACTOR;
  const asked = strictness * factor;
  const best = asked === DEFAULT_STRICTNESS ? judged : cutIn(order, probabilities, sizes, asked);
  let core = 0;
  let wanted = 0;
  for (let index = 0; index < sizes.length; index++) {
    wanted += sizes[index]! * probabilities[index]!;
    if (probabilities[index]! >= CORE.probability) core += sizes[index]!;
  }
  const hasCore = core >= CORE.words && core >= wanted * CORE.share;
  const least = hasCore ? CORE.leastCut : 0;
  return {
    cut: Math.min(Math.max(best.cut, least), MAX_CUT),
    innerCut: Math.min(best.innerCut, MAX_CUT),
    expected: best.expected,
  };
}
