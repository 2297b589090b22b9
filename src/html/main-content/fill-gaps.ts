// Fills gaps inside kept content: a paragraph, a listing or a table that the model is unsure of, in
// a container most of whose words are kept. The expected-F1 cut alone would drop sections of long
// documents, and lost text is worse than extra text.
import type { Segmentation } from "./blocks.ts";
import type { Verdict } from "./verdict.ts";
import { tagNumber, tagSet } from "../parse/tag-numbers.ts";

type Gap = {
  /** Minimum probability, and minimum fraction of the cut, to fill a block in. */
  readonly likely: number;
  readonly leastOfCut: number;
  /** Minimum kept words of the container, and their share of all its words. */
  readonly keptWords: number;
  readonly keptShare: number;
  /**
   * Minimum kept words below the block. Text with nothing kept below it is an author line or a
   * newsletter box.
   */
  readonly keptBelow: number;
};

const PROSE: Gap = {
  likely: 0.15,
  leastOfCut: 0.35,
  keptWords: 1_000,
  keptShare: 0.75,
  keptBelow: 20,
};
/** Code and tables are shorter and never decoration. */
const FIGURE: Gap = { likely: 0.12, leastOfCut: 0.25, keptWords: 15, keptShare: 0.3, keptBelow: 0 };
const MIN_WORDS = 3;
/** Containers to check above a block. */
const MAX_LEVELS = 12;
const BOUNDS = tagSet("nav aside footer form body html");
const LISTING = tagNumber("pre");

/**
 * Changes "dropped" to "kept" by the rule above. Uses the input verdicts only, so the order of
 * blocks does not matter. Blocks of the data tables in `tables` are filled in together or not at
 * all.
 */
export function fillGaps(
  page: Segmentation,
  tables: readonly number[],
  probabilities: Float64Array,
  cut: number,
  verdicts: Verdict[],
): void {
  const { blocks, elements } = page;
  const kept = new Float64Array(blocks.length + 1);
  const all = new Float64Array(blocks.length + 1);
  for (let index = 0; index < blocks.length; index++) {
    const { size } = blocks[index]!;
    kept[index + 1] = kept[index]! + (verdicts[index] === "kept" ? size : 0);
    all[index + 1] = all[index]! + size;
  }
  const filled: number[] = [];
  const isCell = new Uint8Array(blocks.length);
  for (const table of tables) {
    const from = elements.blockStart[table]!;
    const to = elements.blockEnd[table]!;
    isCell.fill(1, from, to);
    if (from === to || verdicts[from] !== "dropped") continue;
    if (probabilities[from]! < findMinProbability(FIGURE, cut)) continue;
    if (isInsideKept(page, elements.parent[table]!, to, FIGURE, kept, all))
      for (let index = from; index < to; index++) filled.push(index);
  }
  for (let index = 0; index < blocks.length; index++) {
    const block = blocks[index]!;
    if (isCell[index] === 1 || verdicts[index] !== "dropped" || block.size < MIN_WORDS) continue;
    if (block.linkCharacters * 2 > block.characters) continue;
    const gap = elements.tag[block.container] === LISTING ? FIGURE : PROSE;
    if (probabilities[index]! < findMinProbability(gap, cut)) continue;
    if (isInsideKept(page, block.container, index + 1, gap, kept, all)) filled.push(index);
  }
  for (const index of filled) verdicts[index] = "kept";
}

const findMinProbability = (gap: Gap, cut: number): number =>
  Math.max(gap.likely, cut * gap.leastOfCut);

function isInsideKept(
  { elements }: Segmentation,
  container: number,
  below: number,
  gap: Gap,
  kept: Float64Array,
  all: Float64Array,
): boolean {
  const { tag, parent, blockStart, blockEnd } = elements;
  let element = container;
  for (let level = 0; level < MAX_LEVELS && element >= 0; level++) {
    if (BOUNDS[tag[element]!] === 1) return false;
    const from = blockStart[element]!;
    const to = blockEnd[element]!;
    const keptWords = kept[to]! - kept[from]!;
    if (
      keptWords >= gap.keptWords &&
      keptWords >= gap.keptShare * (all[to]! - all[from]!) &&
      kept[to]! - kept[below]! >= gap.keptBelow
    )
      return true;
    element = parent[element]!;
  }
  return false;
}
