// Reduces a tree to its kept blocks, in place: elements that hold kept text or a kept image stay as they are, all others go.
import {
  isTag,
  isText,
  type ChildNode,
  type Document,
  type Element,
  type ParentNode,
} from "domhandler";
import type { Removal } from "../removal.ts";
import { detachAll, foldSpace, pathOf, setChildren, walk } from "../tree.ts";
import { blockText, type Medium, type Segmentation } from "./blocks.ts";
import type { Choice } from "./choose-blocks.ts";
import { isKept } from "./verdict.ts";
import type { ElementFacts } from "./element-facts.ts";

const STEP = "main-content";
/** Elements without text that belong to the element they stand in. */
const STAYING: ReadonlySet<string> = new Set([
  "br",
  "hr",
  "wbr",
  "td",
  "th",
  "col",
  "colgroup",
  "source",
  "track",
  "input",
]);
const UNSHOWN: ReadonlySet<string> = new Set(["script", "style", "template"]);
/** A caller that explains shows tens of removals, not thousands. */
const MOST_REMOVALS = 500;
const SAMPLE_CHARACTERS = 80;

/** Takes out of the tree what the choice drops and tells each piece. */
export function pruneTree(
  root: Document,
  page: Segmentation,
  facts: ElementFacts,
  choice: Choice,
): Removal[] {
  const kept = choice.verdicts.map(isKept);
  const keptSize = sumKept(page, kept);
  const alive = new Set<ParentNode | ChildNode>([root]);
  const keep = (node: ChildNode): void => {
    for (
      let above: ChildNode | ParentNode | null = node;
      above !== null && !alive.has(above);
      above = above.parent
    )
      alive.add(above);
  };
  const whole = new Set<ParentNode>();
  page.blocks.forEach((block, index) => {
    if (!kept[index]) return;
    for (let text = block.textStart; text < block.textEnd; text++) {
      const node = page.texts[text];
      if (node !== undefined) keep(node);
    }
  });
  for (const medium of page.media) {
    if (!keepsMedium(page, facts, kept, keptSize, medium)) continue;
    keep(medium.node);
    whole.add(medium.node);
  }
  const removals = tellRemovals(page, facts, choice, alive);
  sweep(root, alive, whole);
  return removals;
}

function sumKept(page: Segmentation, kept: readonly boolean[]): Float64Array {
  const { parent } = page.elements;
  const size = new Float64Array(parent.length);
  page.blocks.forEach((block, index) => {
    if (kept[index] && block.container >= 0) size[block.container]! += block.size;
  });
  for (let element = parent.length - 1; element >= 0; element--)
    if (parent[element]! >= 0) size[parent[element]!]! += size[element]!;
  return size;
}

/** An image stays between two kept blocks, or where most of the nearest text around it stays. */
function keepsMedium(
  page: Segmentation,
  facts: ElementFacts,
  kept: readonly boolean[],
  keptSize: Float64Array,
  medium: Medium,
): boolean {
  const figure = figureOf(page, medium.element);
  const before = kept[(figure < 0 ? medium.blockBefore : page.elements.blockStart[figure]!) - 1];
  const after = kept[figure < 0 ? medium.blockBefore : page.elements.blockEnd[figure]!];
  if (before === true && after === true) return true;
  if (before !== true && after !== true && kept.length > 0) return false;
  let element = medium.element;
  for (let step = 0; step < 5 && element >= 0; step++) {
    const size = facts.size[element]!;
    if (size > 0) return keptSize[element]! * 2 > size;
    element = page.elements.parent[element]!;
  }
  return false;
}

function figureOf(page: Segmentation, inner: number): number {
  let element = inner;
  for (let step = 0; step < 5 && element >= 0; step++) {
    if (page.elements.nodes[element]!.name === "figure") return element;
    element = page.elements.parent[element]!;
  }
  return -1;
}

function tellRemovals(
  page: Segmentation,
  facts: ElementFacts,
  choice: Choice,
  alive: ReadonlySet<ParentNode | ChildNode>,
): Removal[] {
  const { nodes, parent, blockStart, blockEnd } = page.elements;
  const removals: Removal[] = [];
  const told = new Uint8Array(page.blocks.length);
  for (let element = 0; element < nodes.length && removals.length < MOST_REMOVALS; element++) {
    const node = nodes[element]!;
    const up = parent[element]!;
    const from = blockStart[element]!;
    const to = blockEnd[element]!;
    if (alive.has(node) || from === to || told[from] === 1 || (up >= 0 && !alive.has(nodes[up]!)))
      continue;
    told.fill(1, from, to);
    removals.push(tellRemoval(page, choice, node, from, to, facts.size[element]!));
  }
  for (let index = 0; index < page.blocks.length && removals.length < MOST_REMOVALS; index++) {
    const block = page.blocks[index]!;
    const node = nodes[block.container];
    const text = page.texts[block.textStart];
    if (told[index] === 1 || node === undefined || text === undefined || alive.has(text)) continue;
    removals.push(tellRemoval(page, choice, node, index, index + 1, block.size));
  }
  return removals;
}

function tellRemoval(
  page: Segmentation,
  choice: Choice,
  node: Element,
  from: number,
  to: number,
  size: number,
): Removal {
  let weight = 0;
  let sum = 0;
  let sample = "";
  for (let index = from; index < to; index++) {
    const block = page.blocks[index]!;
    weight += block.size;
    sum += block.size * choice.probabilities[index]!;
    if (sample.length < SAMPLE_CHARACTERS)
      sample += `${foldSpace(blockText(page, block).slice(0, 400))} `;
  }
  const verdict = choice.verdicts[from];
  return {
    step: STEP,
    rule: verdict === "repeated" ? "repeated" : `below ${choice.cut.toFixed(2)}`,
    path: pathOf(node),
    words: Math.round(size),
    sample: sample.trim().slice(0, SAMPLE_CHARACTERS),
    score: Number((weight > 0 ? sum / weight : 0).toFixed(3)),
  };
}

/** Takes out what is never shown as text, for a tree that stays whole otherwise. */
export function removeUnshown(root: Document): void {
  const unshown: Element[] = [];
  walk(root, (node) => {
    if (!isTag(node)) return "skip";
    if (!UNSHOWN.has(node.name)) return "children";
    unshown.push(node);
    return "skip";
  });
  detachAll(unshown);
}

/** Rebuilds the children of everything that stays. White space between what stays goes with it. */
function sweep(
  root: Document,
  alive: ReadonlySet<ParentNode | ChildNode>,
  whole: ReadonlySet<ParentNode>,
): void {
  const open: ParentNode[] = [root];
  for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
    if (whole.has(parent)) continue;
    const left: ChildNode[] = [];
    for (const child of parent.children) {
      const stays =
        alive.has(child) ||
        (isText(child)
          ? !/\S/.test(child.data)
          : isTag(child) && STAYING.has(child.name) && child.children.length === 0);
      if (!stays) {
        // An empty cell holds its column.
        if (isTag(child) && (child.name === "td" || child.name === "th")) {
          setChildren(child, []);
          left.push(child);
        } else {
          child.parent = null;
          child.prev = null;
          child.next = null;
        }
        continue;
      }
      left.push(child);
      if (isTag(child) && child.children.length > 0) open.push(child);
    }
    setChildren(parent, left);
  }
}
