// Keeps what an item of a list is about: the name of a parameter above its description, the name of
// an app above its summary. The model judges short lines one by one and tears them from their text.
import { tagNumber, tagSet } from "../../parse/tag-numbers.ts";
import { foldSpace } from "../../parse/tree.ts";
import { blockText, computeMean, type Segmentation } from "../blocks/blocks.ts";
import { PART, type PageParts } from "./page-parts.ts";
import {
  MAX_HEAD_BLOCKS,
  MAX_HEAD_WORDS,
  MIN_HEAD_CUT_FRACTION,
  MIN_ITEM_KEPT,
} from "./thresholds.ts";
import { isKept, type Verdict } from "./verdict.ts";

const ITEM = tagNumber("li");
const BOUNDS = tagSet("nav aside footer form");
const BUTTON = tagNumber("button");

/** Keeps the dropped short lines above the first kept text of a list item or card. */
export function keepItemHeads(
  page: Segmentation,
  context: {
    readonly card: Int32Array;
    readonly parts: PageParts;
    readonly cut: number;
    readonly probabilities: Float64Array;
    readonly verdicts: Verdict[];
  },
): void {
  const { blocks, elements } = page;
  const { tag, blockStart, blockEnd } = elements;
  const { card, parts, cut, probabilities, verdicts } = context;
  const kept = new Float64Array(blocks.length + 1);
  const all = new Float64Array(blocks.length + 1);
  for (let index = 0; index < blocks.length; index++) {
    const { size } = blocks[index]!;
    kept[index + 1] = kept[index]! + (isKept(verdicts[index]) ? size : 0);
    all[index + 1] = all[index]! + size;
  }
  const isOutside = markBounds(elements);
  const heads: number[] = [];
  for (let item = 0; item < tag.length; item++) {
    if ((tag[item] !== ITEM && card[item] !== item) || isOutside[item] === 1) continue;
    const from = blockStart[item]!;
    const to = blockEnd[item]!;
    if (from === to || verdicts[from] !== "dropped") continue;
    if (kept[to]! - kept[from]! < MIN_ITEM_KEPT * (all[to]! - all[from]!)) continue;
    let end = from;
    while (end < to && end - from < MAX_HEAD_BLOCKS && isHeadLine(page, end, parts, verdicts))
      end++;
    if (end === to || verdicts[end] !== "kept") continue;
    if (computeMean(page, probabilities, from, end) < MIN_HEAD_CUT_FRACTION * cut) continue;
    const text = foldText(page, end);
    for (let index = from; index < end; index++)
      if (!foldText(page, index).includes(text)) heads.push(index);
  }
  for (const index of heads) verdicts[index] = "kept";
}

/** Links of cards repeat their names: "View Deck lamp" above "Deck lamp". */
const foldText = (page: Segmentation, index: number): string =>
  foldSpace(blockText(page, page.blocks[index]!)).toLowerCase();

function isHeadLine(
  { blocks, elements }: Segmentation,
  index: number,
  parts: PageParts,
  verdicts: readonly Verdict[],
): boolean {
  const { size, container } = blocks[index]!;
  return (
    verdicts[index] === "dropped" &&
    size <= MAX_HEAD_WORDS &&
    parts.blocks[index] === PART.none &&
    elements.tag[container] !== BUTTON
  );
}

/** Marks the elements in menus, side parts, footers and forms. */
function markBounds({ tag, parent }: Segmentation["elements"]): Uint8Array {
  const isOutside = new Uint8Array(tag.length);
  for (let element = 0; element < tag.length; element++) {
    const up = parent[element]!;
    if (BOUNDS[tag[element]!] === 1 || (up >= 0 && isOutside[up] === 1)) isOutside[element] = 1;
  }
  return isOutside;
}
