// Restores sections that were dropped completely below a kept heading: forms of an authority, files
// below "Downloads", dates below "Opening hours". They are links and short lines like a menu, and
// only their heading identifies them.
import type { Segmentation } from "./blocks.ts";
import type { ElementFacts } from "./element-facts.ts";
import { isKept, type Verdict } from "./verdict.ts";

/** Minimum probability of the heading. */
const MIN_SURE_HEADING_PROBABILITY = 0.5;
/** Minimum fraction of the cut for the mean of the section. */
const MIN_CUT_FRACTION = 0.25;
/** Longer sections, in blocks and words, are judged on their own. */
const MAX_BLOCKS = 40;
const MAX_WORDS = 200;
/** Maximum ancestors of a heading that hold nothing after it. */
const MAX_LEVELS = 3;

/** Keeps short sections that were dropped completely below a kept heading. Linear in blocks. */
export function keepSections(
  page: Segmentation,
  { level }: ElementFacts,
  probabilities: Float64Array,
  cut: number,
  verdicts: Verdict[],
): void {
  const { blocks } = page;
  const isHeading = (index: number): boolean => (level[blocks[index]!.container] ?? 0) > 0;
  for (let index = 0; index < blocks.length; index++) {
    if (
      !isHeading(index) ||
      !isKept(verdicts[index]) ||
      probabilities[index]! < MIN_SURE_HEADING_PROBABILITY
    )
      continue;
    const from = index + 1;
    const end = endAround(page, index);
    let to = from;
    let words = 0;
    let likely = 0;
    while (to < end && to - from <= MAX_BLOCKS && !isHeading(to) && verdicts[to] === "dropped") {
      words += blocks[to]!.size;
      likely += probabilities[to]!;
      to++;
    }
    const count = to - from;
    const isWhole = to === end || isHeading(to);
    if (count === 0 || count > MAX_BLOCKS || !isWhole || words > MAX_WORDS) continue;
    if (likely >= MIN_CUT_FRACTION * cut * count) verdicts.fill("kept", from, to);
  }
}

/** Returns the end of the page part that holds a heading and something after it. */
function endAround({ blocks, elements }: Segmentation, heading: number): number {
  const { parent, blockEnd } = elements;
  let element = parent[blocks[heading]!.container]!;
  for (let level = 0; level < MAX_LEVELS && element >= 0; level++) {
    if (blockEnd[element]! > heading + 1) break;
    element = parent[element]!;
  }
  return element < 0 ? blocks.length : blockEnd[element]!;
}
