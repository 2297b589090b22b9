// Fills gaps inside kept content: listings and tables that the model is unsure of, in a container of
// which enough is kept. They are short and never decoration. Paragraphs are left to the model.
import type { Segmentation } from "./blocks.ts";
import type { Verdict } from "./verdict.ts";
import { tagNumber, tagSet } from "../parse/tag-numbers.ts";

/** Minimum probability to fill in a listing or a table, and minimum fraction of the cut. */
const MIN_PROBABILITY = 0.12;
const MIN_CUT_FRACTION = 0.25;
/** Minimum kept words of the container, and their share of all its words. */
const MIN_KEPT_WORDS = 15;
const MIN_KEPT_SHARE = 0.3;
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
  const least = Math.max(MIN_PROBABILITY, cut * MIN_CUT_FRACTION);
  const filled: number[] = [];
  const isCell = new Uint8Array(blocks.length);
  for (const table of tables) {
    const from = elements.blockStart[table]!;
    const to = elements.blockEnd[table]!;
    isCell.fill(1, from, to);
    if (from === to || verdicts[from] !== "dropped") continue;
    if (probabilities[from]! < least) continue;
    if (isInsideKept(page, elements.parent[table]!, kept, all))
      for (let index = from; index < to; index++) filled.push(index);
  }
  for (let index = 0; index < blocks.length; index++) {
    const block = blocks[index]!;
    if (isCell[index] === 1 || verdicts[index] !== "dropped" || block.size < MIN_WORDS) continue;
    if (block.linkCharacters * 2 > block.characters) continue;
    if (elements.tag[block.container] !== LISTING || probabilities[index]! < least) continue;
    if (isInsideKept(page, block.container, kept, all)) filled.push(index);
  }
  for (const index of filled) verdicts[index] = "kept";
}

function isInsideKept(
  { elements }: Segmentation,
  container: number,
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
    if (keptWords >= MIN_KEPT_WORDS && keptWords >= MIN_KEPT_SHARE * (all[to]! - all[from]!))
      return true;
    element = parent[element]!;
  }
  return false;
}
