// "See also" at the end of a manual page: a heading above only links, which elsewhere would be
// navigation. In a manual it belongs to the documentation.
import { blockText, type Segmentation } from "./blocks.ts";
import type { ElementFacts } from "./element-facts.ts";
import { isKept, type Verdict } from "./verdict.ts";

const SEE_ALSO =
  /^(?:\d[\d.]*\s+)?(?:see also|siehe auch|voir aussi|véase también|veja também|vedi anche|zie ook|zobacz też|см\. также|関連項目|参见|參見)\P{L}*$/iu;
/** Longer sections, in blocks and words, are not such a list. */
const MAX_BLOCKS = 30;
const MAX_WORDS = 120;
/** Maximum distance to the kept text above the heading, in blocks. */
const MAX_HEADING_DISTANCE = 3;

/** Keeps dropped "See also" sections below kept text. For documentation pages. */
export function keepSeeAlso(page: Segmentation, facts: ElementFacts, verdicts: Verdict[]): void {
  const { blocks, elements } = page;
  for (let index = 0; index < blocks.length; index++) {
    const block = blocks[index]!;
    if ((facts.level[block.container] ?? 0) < 2 || !SEE_ALSO.test(blockText(page, block))) continue;
    if (!verdicts.slice(Math.max(0, index - MAX_HEADING_DISTANCE), index).some(isKept)) continue;
    const section = elements.parent[block.container]!;
    const end = section < 0 ? blocks.length : elements.blockEnd[section]!;
    let to = index + 1;
    let words = 0;
    while (to < end && (facts.level[blocks[to]!.container] ?? 0) === 0) words += blocks[to++]!.size;
    if (to === index + 1 || to - index > MAX_BLOCKS || words > MAX_WORDS) continue;
    for (let at = index; at < to; at++)
      if (!isKept(verdicts[at])) verdicts[at] = at === index ? "kept-heading" : "kept";
  }
}
