// Keeps a list as one with the line that introduces it: "Other tools that help:". The model judges
// short items one by one and loses them between paragraphs that it keeps.
import { tagSet } from "../../parse/tag-numbers.ts";
import { blockText, computeMean, type Segmentation } from "../blocks/blocks.ts";
import type { ElementFacts } from "../blocks/element-facts.ts";
import { PART, type PageParts } from "./page-parts.ts";
import { MIN_INTRODUCED_PROBABILITY } from "./thresholds.ts";
import { isKept, type Verdict } from "./verdict.ts";

const LISTS = tagSet("ul ol dl");
const ENDS_IN_COLON = /[:：]\s?$/;

/** Keeps the items of lists that directly follow a kept text with a colon at its end. */
export function keepIntroduced(
  page: Segmentation,
  facts: ElementFacts,
  parts: PageParts,
  probabilities: Float64Array,
  verdicts: Verdict[],
): void {
  const { blocks, elements } = page;
  for (let index = 0; index + 1 < blocks.length; index++) {
    const { container } = blocks[index]!;
    if (!isKept(verdicts[index]) || (facts.level[container] ?? 0) > 0) continue;
    const list = findListAt(page, index + 1);
    if (list < 0 || !ENDS_IN_COLON.test(blockText(page, blocks[index]!))) continue;
    const end = elements.blockEnd[list]!;
    if (computeMean(page, probabilities, index + 1, end) < MIN_INTRODUCED_PROBABILITY) continue;
    if (parts.blocks.subarray(index + 1, end).some((part) => part !== PART.none)) continue;
    for (let at = index + 1; at < end; at++) if (verdicts[at] === "dropped") verdicts[at] = "kept";
  }
}

/** Returns the outermost list that begins with a block, or -1. */
function findListAt({ blocks, elements }: Segmentation, index: number): number {
  let list = -1;
  for (
    let element = blocks[index]!.container;
    element >= 0 && elements.blockStart[element] === index;
    element = elements.parent[element]!
  )
    if (LISTS[elements.tag[element]!] === 1) list = element;
  return list;
}
