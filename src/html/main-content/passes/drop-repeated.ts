// Drops second copies of page parts, such as those for narrow screens. A paragraph that repeats
// among other text that does not, as in a manual that describes several functions, is intended and
// stays.
import type { Segmentation } from "../blocks/blocks.ts";
import { isKept, type Verdict } from "./verdict.ts";
import { tagNumber, tagSet } from "../../parse/tag-numbers.ts";
import { MAX_REPEAT_LEVELS, MIN_COPIED_SHARE, MIN_REPEATED } from "./thresholds.ts";

/**
 * Lists may describe several items in the same words, so repeated items do not make a list a copy.
 */
const LIST_TAGS = tagSet("dl ul ol li");
/** Code lines and cells repeat for a reason. */
const REPEATING = tagSet("pre td th");
const QUOTE = tagNumber("blockquote");

/**
 * Marks kept texts inside a copy of an earlier part as "repeated". `isCell` marks blocks of data
 * tables, which may repeat.
 */
export function dropRepeated(page: Segmentation, isCell: Uint8Array, verdicts: Verdict[]): void {
  const repeats = findRepeats(page, isCell, verdicts);
  if (repeats.length === 0) return;
  const { blocks } = page;
  const isRepeat = new Uint8Array(blocks.length);
  for (const index of repeats) isRepeat[index] = 1;
  const kept = new Float64Array(blocks.length + 1);
  const repeated = new Float64Array(blocks.length + 1);
  for (let index = 0; index < blocks.length; index++) {
    const { size } = blocks[index]!;
    kept[index + 1] = kept[index]! + (isKept(verdicts[index]) ? size : 0);
    repeated[index + 1] = repeated[index]! + (isRepeat[index] === 1 ? size : 0);
  }
  for (const index of repeats)
    if (!hasOtherKeptText(page, index, kept, repeated)) verdicts[index] = "repeated";
  dropEmptiedHeadings(page, verdicts);
}

const HEADING = /^h[1-6]$/;

/** Drops a repeated heading if all of its text was dropped. */
function dropEmptiedHeadings({ blocks, elements }: Segmentation, verdicts: Verdict[]): void {
  const isHeading = (index: number): boolean =>
    HEADING.test(elements.nodes[blocks[index]!.container]?.name ?? "");
  const said = new Set<number>();
  const again: number[] = [];
  for (let index = 0; index < blocks.length; index++) {
    if (!isKept(verdicts[index]) || !isHeading(index)) continue;
    const { hash } = blocks[index]!;
    if (said.has(hash)) again.push(index);
    said.add(hash);
  }
  for (const index of again) {
    let next = index + 1;
    while (verdicts[next] === "repeated") next++;
    const isEmptied = next === blocks.length || isHeading(next) || !isKept(verdicts[next]);
    if (next > index + 1 && isEmptied) verdicts[index] = "repeated";
  }
}

function findRepeats(
  { blocks, elements }: Segmentation,
  isCell: Uint8Array,
  verdicts: readonly Verdict[],
): number[] {
  const said = new Set<number>();
  const repeats: number[] = [];
  for (let index = 0; index < blocks.length; index++) {
    const block = blocks[index]!;
    if (verdicts[index] !== "kept" || block.characters < MIN_REPEATED) continue;
    if (block.container >= 0 && REPEATING[elements.tag[block.container]!] === 1) continue;
    if (said.has(block.hash) && isCell[index] !== 1) repeats.push(index);
    said.add(block.hash);
  }
  return repeats;
}

/** True if the nearest element with other kept text is not a copy. */
function hasOtherKeptText(
  { blocks, elements }: Segmentation,
  index: number,
  kept: Float64Array,
  repeated: Float64Array,
): boolean {
  const { parent, blockStart, blockEnd } = elements;
  let element = blocks[index]!.container;
  for (let level = 0; level < MAX_REPEAT_LEVELS && element >= 0; level++) {
    if (elements.tag[element] === QUOTE) return false;
    const from = blockStart[element]!;
    const to = blockEnd[element]!;
    if (to - from > 1 && LIST_TAGS[elements.tag[element]!] === 0)
      return repeated[to]! - repeated[from]! < MIN_COPIED_SHARE * (kept[to]! - kept[from]!);
    element = parent[element]!;
  }
  return false;
}
