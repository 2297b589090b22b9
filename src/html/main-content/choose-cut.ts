// Where to cut a page's probabilities. One threshold does not fit all pages: the cut is the one with the highest expected F1, so
// an uncertain page is cut generously and a clear one strictly.

export type Cut = {
  /** Blocks at or above this probability are kept. */
  readonly cut: number;
  /** The cut for what stands inside kept text and for data tables, which are no teasers: the same, or lower where there is a core. */
  readonly innerCut: number;
  /** The F1 expected of the choice, a measure of how clear the page is. */
  readonly expected: number;
};

/** How strictly a page is cut where nobody asks for more or less. */
export const DEFAULT_STRICTNESS = 0.75;
/** A page whose choice is expected to be this good is clear; its strictness is multiplied. */
export const CLEAR = 0.88;
const CLEAR_STRICTNESS = 2.4;
/**
 * A page with a core, blocks of which the model is sure and that make up a good part of what it expects to be wanted, is no list of
 * teasers: what it is half sure of is left out, however much of it there is.
 */
const CORE = { probability: 0.9, words: 100, share: 0.35, leastCut: 0.6 };
/** What the model is this sure of stays, however much surer it is of the rest. */
const MAX_CUT = 0.7;
/** Probabilities are told apart in this many steps when they are sorted; the product is exact in a number. */
const STEPS = 2 ** 28;
const MAX_BLOCKS = 2 ** 24;

/**
 * Finds the cut with the highest expected F-measure, from probabilities and sizes of blocks. `strictness` 1 weighs what is lost
 * and what is wrongly kept alike; above 1 keeps less, below 1 keeps more.
 */
export function chooseCut(
  probabilities: Float64Array,
  sizes: ArrayLike<number>,
  strictness = 1,
): Cut {
  return cutIn(fallingOrder(probabilities), probabilities, sizes, strictness);
}

/** Indices from the highest probability to the lowest. Sorts plain numbers, each a probability and an index in one. */
function fallingOrder(probabilities: Float64Array): Float64Array {
  const order = new Float64Array(probabilities.length);
  for (let index = 0; index < order.length; index++)
    order[index] = Math.floor((1 - probabilities[index]!) * STEPS) * MAX_BLOCKS + index;
  order.sort();
  for (let at = 0; at < order.length; at++) order[at]! %= MAX_BLOCKS;
  return order;
}

function cutIn(
  order: Float64Array,
  probabilities: Float64Array,
  sizes: ArrayLike<number>,
  strictness: number,
): Cut {
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

/** The cut of a page: generous where much is unclear, stricter on a clear page, and never low where there is a core. */
export function cutPage(
  probabilities: Float64Array,
  sizes: ArrayLike<number>,
  strictness: number,
): Cut {
  const order = fallingOrder(probabilities);
  // How clear a page is does not depend on how strictly it is asked to be cut.
  const judged = cutIn(order, probabilities, sizes, DEFAULT_STRICTNESS);
  const factor = judged.expected < CLEAR ? 1 : CLEAR_STRICTNESS;
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
