// Keeps what stands inside kept text although the model doubts it: tables, code, quotations,
// formulas, and the terms of definitions.
import { isTag, type ParentNode } from "domhandler";
import { isInsertedNote } from "../../clean/note-marks.ts";
import { tagSet } from "../../parse/tag-numbers.ts";
import { readAttribute } from "../../parse/tree.ts";
import type { Block } from "../blocks/block-text.ts";
import { computeMean, type Segmentation } from "../blocks/blocks.ts";
import type { CutChoice } from "./choose-cut.ts";
import type { ElementFacts } from "../blocks/element-facts.ts";
import { isKept, type Verdict } from "./verdict.ts";
import {
  MAX_FORMULA_LEVELS,
  MAX_TERM_LEVELS,
  MIN_INSET_FRACTION,
  MIN_LAST_INSET_FRACTION,
} from "./thresholds.ts";

type Verdicts = CutChoice & { readonly probabilities: Float64Array; readonly verdicts: Verdict[] };

const INSETS = tagSet("pre blockquote");
/** Classes that formula renderers use. */
const FORMULA = /(?:^|\s)(?:katex(?:-display)?|mathjax\w*|math(?:-\w+)?|mwe-math-\w+)(?:\s|$)/i;

/**
 * Keeps likely data tables, code and quotations inside kept text, so that an article has no gaps.
 */
export function keepInsets(
  page: Segmentation,
  facts: ElementFacts,
  tables: readonly number[],
  { probabilities, innerCut, verdicts }: Verdicts,
): void {
  const { tag, blockStart, blockEnd } = page.elements;
  const insets = new Set(tables);
  const isNote = facts.names.reader.classes.map(isInsertedNote);
  for (let element = 0; element < tag.length; element++)
    if (INSETS[tag[element]!] === 1 || isNote[facts.classes[element]!]!) insets.add(element);
  const isInset = new Uint8Array(page.blocks.length);
  for (const inset of insets) isInset.fill(1, blockStart[inset], blockEnd[inset]);
  const before = new Uint8Array(page.blocks.length + 1);
  const after = new Uint8Array(page.blocks.length + 1);
  for (let index = 0; index < page.blocks.length; index++)
    before[index + 1] = isInset[index] === 1 ? before[index]! : Number(isKept(verdicts[index]));
  for (let index = page.blocks.length - 1; index >= 0; index--)
    after[index] = isInset[index] === 1 ? after[index + 1]! : Number(isKept(verdicts[index]));
  for (const inset of insets) {
    const from = blockStart[inset]!;
    const to = blockEnd[inset]!;
    if (from === to || before[from] === 0) continue;
    const least = innerCut * (after[to] === 1 ? MIN_INSET_FRACTION : MIN_LAST_INSET_FRACTION);
    if (computeMean(page, probabilities, from, to) < least) continue;
    for (let index = from; index < to; index++)
      if (verdicts[index] === "dropped") verdicts[index] = "kept";
  }
  for (let index = 0; index < page.blocks.length; index++) {
    if (verdicts[index] !== "dropped" || before[index] === 0) continue;
    const least =
      innerCut * (after[index + 1] === 1 ? MIN_INSET_FRACTION : MIN_LAST_INSET_FRACTION);
    if (probabilities[index]! >= least && isFormula(page, page.blocks[index]!))
      verdicts[index] = "kept";
  }
}

/** True for a display formula: it has no element of its own that breaks the line. */
function isFormula({ texts }: Segmentation, { textStart }: Block): boolean {
  let node: ParentNode | null = texts[textStart]!.parent;
  for (let level = 0; level < MAX_FORMULA_LEVELS && node !== null && isTag(node); level++) {
    if (node.name === "math" || FORMULA.test(readAttribute(node, "class"))) return true;
    node = node.parent;
  }
  return false;
}

/** Keeps the terms of a kept definition, which means nothing without them. */
export function keepTerms({ blocks, elements }: Segmentation, verdicts: Verdict[]): void {
  for (let index = blocks.length - 2; index >= 0; index--) {
    if (verdicts[index] !== "dropped" || verdicts[index + 1] !== "kept") continue;
    if (
      findDefinitionPart(elements, blocks[index]!.container) === "dt" &&
      findDefinitionPart(elements, blocks[index + 1]!.container) !== ""
    )
      verdicts[index] = "kept";
  }
}

/** Returns the part of a definition list that contains the element, or "" if none. */
function findDefinitionPart(
  { nodes, parent }: Segmentation["elements"],
  inner: number,
): "dt" | "dd" | "" {
  let element = inner;
  for (let level = 0; level < MAX_TERM_LEVELS && element >= 0; level++) {
    const { name } = nodes[element]!;
    if (name === "dt" || name === "dd") return name;
    if (name === "dl") return "";
    element = parent[element]!;
  }
  return "";
}
