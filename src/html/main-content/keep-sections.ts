// A kept heading above a section of which everything was dropped: the forms of an authority, the files below "Downloads", the dates
// below "Opening hours". They are links and short lines, as in a menu; what the page says they are is their heading.
import type { Segmentation } from "./blocks.ts";
import type { ElementFacts } from "./element-facts.ts";
import { isKept, type Verdict } from "./verdict.ts";

/** Probability of a heading that tells what its section is. */
const SURE_HEADING = 0.5;
/** The share of the cut that the mean of the section must reach. */
const LIKELY = 0.25;
/** Longer sections, in blocks and words, speak for themselves. */
const MAX_BLOCKS = 40;
const MAX_WORDS = 200;
/** Elements around a heading that hold nothing after it. */
const LEVELS = 3;

/** Keeps short sections that were dropped whole below a kept heading. Linear in blocks. */
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
    if (!isHeading(index) || !isKept(verdicts[index]) || probabilities[index]! < SURE_HEADING)
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
    if (likely >= LIKELY * cut * count) verdicts.fill("kept", from, to);
  }
}

/** Where the part of the page ends that holds a heading and something after it. */
function endAround({ blocks, elements }: Segmentation, heading: number): number {
  const { parent, blockEnd } = elements;
  let element = parent[blocks[heading]!.container]!;
  for (let level = 0; level < LEVELS && element >= 0; level++) {
    if (blockEnd[element]! > heading + 1) break;
    element = parent[element]!;
  }
  return element < 0 ? blocks.length : blockEnd[element]!;
}
