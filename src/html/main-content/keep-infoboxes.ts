// The box of facts beside the text of an encyclopedia's page: names and values, few words and many links, so that it looks like
// what stands around a text. Its class is the convention of MediaWiki's templates and of what was built upon it.
import { isTag, type Element } from "domhandler";
import { attributeOf } from "../tree.ts";
import type { Segmentation } from "./blocks.ts";
import { isKept, type Verdict } from "./verdict.ts";

const BOX = /(?:^|\s)(?:portable-)?infobox(?:$|[\s_])/;
/** A value with its name, in boxes that are no tables. */
const FACT = /(?:^|\s)pi-data(?:\s|$)/;
/** Fewer facts are no box of facts. */
const LEAST_FACTS = 2;
/** Longer ones, in words, are texts of their own. */
const LONGEST = 600;

/** Keeps what was dropped of boxes of facts that stand beside kept text. */
export function keepInfoboxes({ blocks, elements }: Segmentation, verdicts: Verdict[]): void {
  const { nodes, parent, blockStart, blockEnd, end } = elements;
  for (let element = 0; element < nodes.length; element++) {
    const node = nodes[element]!;
    if (node.name !== "table" && node.name !== "aside") continue;
    if (!BOX.test(attributeOf(node, "class"))) continue;
    const from = blockStart[element]!;
    const to = blockEnd[element]!;
    const around = parent[element]!;
    if (from === to || around < 0) continue;
    let size = 0;
    for (let index = from; index < to; index++) size += blocks[index]!.size;
    if (size > LONGEST || !verdicts.slice(to, blockEnd[around]).some(isKept)) continue;
    if (countFacts(nodes, element, end[element]!) < LEAST_FACTS) continue;
    for (let index = from; index < to; index++)
      if (verdicts[index] === "dropped") verdicts[index] = "kept";
  }
}

function countFacts(nodes: readonly Element[], from: number, to: number): number {
  let facts = 0;
  for (let element = from; element < to; element++) {
    const node = nodes[element]!;
    if (node.name === "tr" ? isFact(node) : FACT.test(attributeOf(node, "class"))) facts++;
  }
  return facts;
}

const isFact = ({ children }: Element): boolean =>
  ["th", "td"].every((name) => children.some((child) => isTag(child) && child.name === name));
