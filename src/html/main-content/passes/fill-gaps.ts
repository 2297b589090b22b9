// Fills gaps inside kept content: listings and tables that the model is unsure of, in a container of
// which enough is kept. They are short and never decoration. Paragraphs are left to the model.
import type { Segmentation } from "../blocks/blocks.ts";
import {
  MAX_GAP_LEVELS,
  MIN_GAP_CUT_FRACTION,
  MIN_GAP_KEPT_SHARE,
  MIN_GAP_KEPT_WORDS,
  MIN_GAP_PROBABILITY,
  MIN_GAP_WORDS,
} from "./thresholds.ts";
import type { Verdict } from "./verdict.ts";
import { tagNumber, tagSet } from "../../parse/tag-numbers.ts";

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
  const least = Math.max(MIN_GAP_PROBABILITY, cut * MIN_GAP_CUT_FRACTION);
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
    if (isCell[index] === 1 || verdicts[index] !== "dropped" || block.size < MIN_GAP_WORDS)
      continue;
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
  for (let level = 0; level < MAX_GAP_LEVELS && element >= 0; level++) {
    if (BOUNDS[tag[element]!] === 1) return false;
    const from = blockStart[element]!;
    const to = blockEnd[element]!;
    const keptWords = kept[to]! - kept[from]!;
    if (
      keptWords >= MIN_GAP_KEPT_WORDS &&
      keptWords >= MIN_GAP_KEPT_SHARE * (all[to]! - all[from]!)
    )
      return true;
    element = parent[element]!;
  }
  return false;
}
