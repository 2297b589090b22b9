// Keeps comments below posts of a thread. They are part of the discussion, although comment class
// names count against main content on other pages.
import type { ElementFacts } from "./element-facts.ts";
import type { Segmentation } from "./blocks.ts";
import { GROUP_NAMES } from "./name-groups.ts";
import { isKept, type Verdict } from "./verdict.ts";

const COMMENT = GROUP_NAMES.indexOf("comment");
/**
 * Maximum distance of a comment's text from the element named so, minimum words, and maximum share
 * of links.
 */
const MAX_COMMENT_DISTANCE = 3;
const MIN_WORDS = 8;
const MAX_LINKED = 0.5;
/** Minimum fraction of the cut. */
const MIN_CUT_FRACTION = 0.7;

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
      size >= MIN_WORDS &&
      linkCharacters <= MAX_LINKED * characters &&
      probabilities[index]! >= cut * MIN_CUT_FRACTION
    )
      verdicts[index] = "kept";
  }
}
