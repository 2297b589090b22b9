// Headings follow their text: a likely heading stays above kept text, an unlikely one without text
// below goes.
import type { Block } from "../blocks/block-text.ts";
import type { Segmentation } from "../blocks/blocks.ts";
import type { CutChoice } from "./choose-cut.ts";
import type { ElementFacts } from "../blocks/element-facts.ts";
import { isAboveText } from "./is-above-text.ts";
import { isKept, type Verdict } from "./verdict.ts";
import {
  MAX_BYLINE_DISTANCE,
  MAX_CONTENTS_DISTANCE,
  MIN_HEADING_FRACTION,
  MIN_HEADING_FRACTION_STRICT,
  MIN_LEAD_WORDS,
  MIN_SURE_HEADING_PROBABILITY,
  MIN_TITLE_FRACTION,
  MIN_TITLE_WORD_SHARE,
  MAX_NUMBER_WORDS,
  MIN_CLEAR_F1,
} from "./thresholds.ts";

type Verdicts = CutChoice & { readonly probabilities: Float64Array; readonly verdicts: Verdict[] };

/**
 * Keeps a likely heading right above kept text. On a clear page, drops an unlikely heading with no
 * text below.
 */
export function chooseHeadings(
  page: Segmentation,
  facts: ElementFacts,
  { probabilities, innerCut, expected, verdicts }: Verdicts,
): void {
  const { blocks } = page;
  const title = findTitle(page, facts);
  for (let index = blocks.length - 1; index >= 0; index--) {
    const level = facts.level[blocks[index]!.container] ?? 0;
    if (level === 0) continue;
    const next = verdicts[index + 1];
    const probability = probabilities[index]!;
    if (verdicts[index] === "dropped") {
      const isTitle = level === 1 || index === title;
      const isInside = isKept(verdicts[index - 1]) || isTitle;
      const share = isInside ? MIN_TITLE_FRACTION : MIN_HEADING_FRACTION;
      const leads =
        next === "kept" ||
        (next === "kept-heading" && isBelow(page, facts, index, level)) ||
        (isTitle &&
          isAboveText(
            page,
            index,
            verdicts,
            index === title ? MAX_CONTENTS_DISTANCE : MAX_BYLINE_DISTANCE,
          ));
      if (leads && probability >= Math.min(innerCut, MIN_HEADING_FRACTION_STRICT) * share)
        verdicts[index] = "kept-heading";
    } else if (
      expected >= MIN_CLEAR_F1 &&
      probability < MIN_SURE_HEADING_PROBABILITY &&
      !isSentence(blocks[index]!) &&
      !(index === title && isAboveText(page, index, verdicts, MAX_CONTENTS_DISTANCE)) &&
      (next === undefined || next === "dropped" || next === "lone-heading") &&
      verdicts[index + 2] !== "kept"
    )
      verdicts[index] = "lone-heading";
  }
}

const isSentence = ({ words, sentenceMarks }: Block): boolean =>
  sentenceMarks > 0 && words >= MIN_LEAD_WORDS;

/** True if the next heading is of a lower level. */
function isBelow(
  { blocks }: Segmentation,
  facts: ElementFacts,
  index: number,
  level: number,
): boolean {
  return (facts.level[blocks[index + 1]!.container] ?? 0) > level;
}

/** Returns the first heading of levels 1 to 3 that only repeats words of the page title, or -1. */
export function findTitle({ blocks }: Segmentation, { level }: ElementFacts): number {
  for (let index = 0; index < blocks.length; index++) {
    const { container, words, titleWords, digits } = blocks[index]!;
    const of = level[container] ?? 0;
    const looked = digits > 0 ? words - MAX_NUMBER_WORDS : words;
    if (of > 0 && of <= 3 && titleWords > 0 && titleWords >= looked * MIN_TITLE_WORD_SHARE)
      return index;
  }
  return -1;
}
