// Infoboxes of encyclopedia pages: names and values with few words and many links, so they look
// like boilerplate. The class is a convention of MediaWiki templates and their successors.
import { isTag, type Element } from "domhandler";
import { readAttribute } from "../parse/tree.ts";
import type { Segmentation } from "./blocks.ts";
import { isKept, type Verdict } from "./verdict.ts";
import { tagSet } from "../parse/tag-numbers.ts";

const BOXES = tagSet("table aside");
const BOX = /(?:^|\s)(?:portable-)?infobox(?:$|[\s_])/;
/** A value with its name, in boxes that are not tables. */
const FACT = /(?:^|\s)pi-data(?:\s|$)/;
/** Minimum facts of a fact box. */
const MIN_FACTS = 2;
/** Longer boxes, in blocks and words, are separate texts. */
const MAX_BLOCKS = 300;
const MAX_WORDS = 600;
/** Maximum boxes per page, so that the cost stays linear. */
const MAX_BOXES = 8;

/** Keeps the dropped parts of the first infoboxes beside kept text. */
export function keepInfoboxes({ blocks, elements }: Segmentation, verdicts: Verdict[]): void {
  const { nodes, tag, parent, blockStart, blockEnd, end } = elements;
  let boxes = 0;
  for (let element = 0; element < nodes.length && boxes < MAX_BOXES; element++) {
    if (BOXES[tag[element]!] === 0 || !BOX.test(readAttribute(nodes[element]!, "class"))) continue;
    boxes++;
    const from = blockStart[element]!;
    const to = blockEnd[element]!;
    const around = parent[element]!;
    if (from === to || to - from > MAX_BLOCKS || around < 0) continue;
    const size = blocks.slice(from, to).reduce((sum, block) => sum + block.size, 0);
    if (size > MAX_WORDS || !verdicts.slice(to, blockEnd[around]).some(isKept)) continue;
    if (countFacts(nodes, element, end[element]!) < MIN_FACTS) continue;
    for (let index = from; index < to; index++)
      if (verdicts[index] === "dropped") verdicts[index] = "kept";
  }
}

function countFacts(nodes: readonly Element[], from: number, to: number): number {
  let facts = 0;
  for (let element = from; element < to; element++) {
    const node = nodes[element]!;
    if (node.name === "tr" ? isFact(node) : FACT.test(readAttribute(node, "class"))) facts++;
  }
  return facts;
}

const isFact = ({ children }: Element): boolean =>
  ["th", "td"].every((name) => children.some((child) => isTag(child) && child.name === name));
