// Keeps comments below posts of a thread. They are part of the discussion, although comment class
// names count against main content on other pages.
import type { ElementFacts } from "../blocks/element-facts.ts";
import type { Segmentation } from "../blocks/blocks.ts";
import { GROUP_NAMES } from "../blocks/name-groups.ts";
import { isKept, type Verdict } from "./verdict.ts";
import {
  MAX_COMMENT_DISTANCE,
  MAX_COMMENT_LINK_SHARE,
  MIN_COMMENT_CUT_FRACTION,
  MIN_COMMENT_WORDS,
} from "./thresholds.ts";

const COMMENT = GROUP_NAMES.indexOf("comment");

/** Keeps dropped comments that follow kept text, if they are likely enough. */
export function keepComments(
  { blocks }: Segmentation,
  facts: ElementFacts,
  probabilities: Float64Array,
  cut: number,
  verdicts: Verdict[],
): void {
  let hasPost = false;
  for (let index = 0; index < blocks.length; index++) {
    const { container, size, characters, linkCharacters } = blocks[index]!;
    if (isKept(verdicts[index])) hasPost = true;
    else if (
      hasPost &&
      verdicts[index] === "dropped" &&
      container >= 0 &&
      facts.distance[container * GROUP_NAMES.length + COMMENT]! <= MAX_COMMENT_DISTANCE &&
      size >= MIN_COMMENT_WORDS &&
      linkCharacters <= MAX_COMMENT_LINK_SHARE * characters &&
      probabilities[index]! >= cut * MIN_COMMENT_CUT_FRACTION
    )
      verdicts[index] = "kept";
  }
}
