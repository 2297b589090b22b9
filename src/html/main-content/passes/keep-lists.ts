// Keeps a list as one with the text around it. The model judges short items one by one and loses
// them between paragraphs that it keeps.
import { tagSet } from "../../parse/tag-numbers.ts";
import { blockText, computeMean, type Segmentation } from "../blocks/blocks.ts";
import type { ElementFacts } from "../blocks/element-facts.ts";
import { PART, type PageParts } from "./page-parts.ts";
import { MIN_INTRODUCED_PROBABILITY, MIN_LIST_CUT_FRACTION } from "./thresholds.ts";
import { isKept, type Verdict } from "./verdict.ts";

const LISTS = tagSet("ul ol dl");
const ENDS_IN_COLON = /[:：]\s?$/;

/**
 * Keeps all items of a list below a kept line that ends in a colon ("Other tools that help:"), and
 * of a list between two kept texts that nearly reaches the cut.
 */
export function keepLists(
  page: Segmentation,
  facts: ElementFacts,
  context: {
    readonly parts: PageParts;
    readonly cut: number;
    readonly probabilities: Float64Array;
    readonly verdicts: Verdict[];
  },
): void {
  const { elements } = page;
  const { parts, cut, probabilities, verdicts } = context;
  for (let list = 0; list < elements.tag.length; list++) {
    const from = elements.blockStart[list]!;
    const to = elements.blockEnd[list]!;
    if (LISTS[elements.tag[list]!] === 0 || from === to || !isKept(verdicts[from - 1])) continue;
    const mean = computeMean(page, probabilities, from, to);
    const isBetween = to - from > 1 && isKept(verdicts[to]) && mean >= MIN_LIST_CUT_FRACTION * cut;
    const isMeant =
      isBetween || (mean >= MIN_INTRODUCED_PROBABILITY && isIntroduction(page, facts, from - 1));
    if (!isMeant || parts.blocks.subarray(from, to).some((part) => part !== PART.none)) continue;
    for (let index = from; index < to; index++)
      if (verdicts[index] === "dropped") verdicts[index] = "kept";
  }
}

function isIntroduction(page: Segmentation, { level }: ElementFacts, index: number): boolean {
  const block = page.blocks[index]!;
  return (level[block.container] ?? 0) === 0 && ENDS_IN_COLON.test(blockText(page, block));
}
