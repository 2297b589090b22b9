// Reduces a tree in place to its kept blocks: elements that hold kept text or a kept image stay,
// all others are removed.
import {
  isTag,
  type ChildNode,
  type Document,
  type Element,
  type ParentNode,
  type Text,
} from "domhandler";
import type { RemovedElement } from "../clean/removal.ts";
import {
  readAttribute,
  detachAll,
  foldSpace,
  describePath,
  setChildren,
  walk,
} from "../parse/tree.ts";
import { blockText, type Medium, type Segmentation } from "./blocks/blocks.ts";
import type { Choice } from "./passes/choose-blocks.ts";
import { isKept, type Verdict } from "./passes/verdict.ts";
import type { ElementFacts } from "./blocks/element-facts.ts";
import { tagNumber } from "../parse/tag-numbers.ts";

const STEP = "main-content";
/** Elements without text that belong to their parent. */
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
/** Elements that divide a page. */
const PARTS: ReadonlySet<string> = new Set(["div", "section", "aside", "header", "footer", "nav"]);
const FIGURE = tagNumber("figure");
const HIDDEN_TAGS: ReadonlySet<string> = new Set(["script", "style", "template"]);
/** --explain shows tens of removals, not thousands. */
const MAX_REMOVALS = 500;
const SAMPLE_CHARACTERS = 80;
/** Reasons for dropping a block, other than its probability. */
const RULES: Partial<Record<Verdict, string>> = {
  repeated: "repeated",
  site: "on most pages of the site",
  pointer: "leads to other articles",
  foreign: "another article",
  "lone-heading": "heading above nothing",
  kept: "above the cut, or part of a whole",
  "kept-heading": "heading of kept text",
};

/** Removes dropped content from the tree. Returns each removed part if `explain` is set. */
export function pruneTree(
  root: Document,
  page: Segmentation,
  facts: ElementFacts,
  choice: Choice,
  explain: boolean,
): RemovedElement[] {
  const kept = new Uint8Array(choice.verdicts.length);
  for (let index = 0; index < kept.length; index++)
    if (isKept(choice.verdicts[index])) kept[index] = 1;
  const wholes = findKeptMedia(page, facts, kept);
  const alive = explain ? new Set<ParentNode>([root]) : undefined;
  new Sweeper(page, kept, wholes, alive).sweep(root);
  return alive === undefined ? [] : reportRemovals(page, facts, choice, kept, alive);
}

function findKeptMedia(page: Segmentation, facts: ElementFacts, kept: Uint8Array): Medium[] {
  const found: Medium[] = [];
  if (page.media.length === 0) return found;
  const keptSize = sumKept(page, kept);
  for (const medium of page.media)
    if (keepsMedium(page, facts, kept, keptSize, medium)) found.push(medium);
  return found;
}

function sumKept(page: Segmentation, kept: Uint8Array): Float64Array {
  const { parent } = page.elements;
  const size = new Float64Array(parent.length);
  for (let index = 0; index < kept.length; index++) {
    const block = page.blocks[index]!;
    if (kept[index] === 1 && block.container >= 0) size[block.container]! += block.size;
  }
  for (let element = parent.length - 1; element >= 0; element--)
    if (parent[element]! >= 0) size[parent[element]!]! += size[element]!;
  return size;
}

/** An image stays between two kept blocks, or if most of the nearest text around it stays. */
function keepsMedium(
  page: Segmentation,
  facts: ElementFacts,
  kept: Uint8Array,
  keptSize: Float64Array,
  medium: Medium,
): boolean {
  const figure = findFigure(page, medium.element);
  const before = kept[(figure < 0 ? medium.blockBefore : page.elements.blockStart[figure]!) - 1];
  const after = kept[figure < 0 ? medium.blockBefore : page.elements.blockEnd[figure]!];
  if (before === 1 && after === 1) return true;
  if (before !== 1 && after !== 1 && kept.length > 0) return false;
  let element = medium.element;
  let part = "";
  for (let step = 0; step < 5 && element >= 0; step++) {
    const { name } = page.elements.nodes[element]!;
    const size = facts.size[element]!;
    // A page part that holds only images, outside all other parts, is a banner.
    if (size > 0) return keptSize[element]! * 2 > size && !(name === "body" && PARTS.has(part));
    part = name;
    element = page.elements.parent[element]!;
  }
  return false;
}

function findFigure(page: Segmentation, inner: number): number {
  let element = inner;
  for (let step = 0; step < 5 && element >= 0; step++) {
    if (page.elements.tag[element] === FIGURE) return element;
    element = page.elements.parent[element]!;
  }
  return -1;
}

function reportRemovals(
  page: Segmentation,
  facts: ElementFacts,
  choice: Choice,
  kept: Uint8Array,
  alive: ReadonlySet<ParentNode>,
): RemovedElement[] {
  const { nodes, parent, blockStart, blockEnd } = page.elements;
  const removals: RemovedElement[] = [];
  const told = new Uint8Array(page.blocks.length);
  for (let element = 0; element < nodes.length && removals.length < MAX_REMOVALS; element++) {
    const node = nodes[element]!;
    const up = parent[element]!;
    const from = blockStart[element]!;
    const to = blockEnd[element]!;
    if (alive.has(node) || from === to || told[from] === 1 || (up >= 0 && !alive.has(nodes[up]!)))
      continue;
    told.fill(1, from, to);
    removals.push(reportRemoval(page, choice, node, from, to, facts.size[element]!, true));
  }
  for (let index = 0; index < page.blocks.length && removals.length < MAX_REMOVALS; index++) {
    const block = page.blocks[index]!;
    const node = nodes[block.container];
    if (told[index] === 1 || kept[index] === 1 || node === undefined) continue;
    removals.push(reportRemoval(page, choice, node, index, index + 1, block.size, false));
  }
  return removals;
}

function reportRemoval(
  page: Segmentation,
  choice: Choice,
  node: Element,
  from: number,
  to: number,
  size: number,
  isWhole: boolean,
): RemovedElement {
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
  return {
    step: STEP,
    rule: describeRule(choice.verdicts[from], choice.cut),
    path: describePath(node),
    words: Math.round(size),
    sample: sample.trim().slice(0, SAMPLE_CHARACTERS),
    score: Number((weight > 0 ? sum / weight : 0).toFixed(3)),
    ...(isWhole ? { element: node } : {}),
  };
}

/** Returns the rule by which a block was kept or dropped. */
export function describeRule(verdict: Verdict | undefined, cut: number): string {
  return RULES[verdict ?? "dropped"] ?? `below ${cut.toFixed(2)}`;
}

/** Removes nodes that are never shown as text, from a tree that otherwise stays whole. */
export function removeUnshown(root: Document): void {
  const unshown: Element[] = [];
  walk(root, (node) => {
    if (!isTag(node)) return "skip";
    if (!HIDDEN_TAGS.has(node.name)) return "children";
    unshown.push(node);
    return "skip";
  });
  detachAll(unshown);
}

/** Removes everything without kept text or images, and the whitespace between, in one walk. */
class Sweeper {
  readonly #texts: readonly Text[];
  readonly #isKept: Uint8Array;
  readonly #wholes: readonly Medium[];
  readonly #told: Set<ParentNode> | undefined;
  /**
   * The open elements. For each, and the root before them: whether it holds kept content, and
   * whether a child was removed.
   */
  readonly #path: Element[] = [];
  readonly #alive: boolean[] = [false];
  readonly #torn: boolean[] = [false];
  #nextText = 0;
  #nextWhole = 0;
  /** Depth of the outermost kept medium, inside which nothing is removed; 0 for none. */
  #whole = 0;

  constructor(
    page: Segmentation,
    kept: Uint8Array,
    wholes: readonly Medium[],
    told: Set<ParentNode> | undefined,
  ) {
    this.#texts = page.texts;
    this.#isKept = new Uint8Array(page.texts.length);
    for (let index = 0; index < kept.length; index++) {
      const { textStart, textEnd } = page.blocks[index]!;
      if (kept[index] === 1) this.#isKept.fill(1, textStart, textEnd);
    }
    this.#wholes = wholes;
    this.#told = told;
  }

  sweep(root: Document): void {
    let node = root.firstChild;
    while (node !== null) {
      const { next }: ChildNode = node;
      node = this.#enter(node) ?? next ?? this.#ascend();
    }
    if (this.#torn[0] === true) relinkChildren(root);
  }

  /** Handles a node without children. Returns the first child of any other node. */
  #enter(node: ChildNode): ChildNode | null {
    if (node.type === "text") {
      const isKnown = node === this.#texts[this.#nextText];
      if (isKnown && this.#isKept[this.#nextText++] === 1) this.#alive[this.#path.length] = true;
      else if (!isSpace(node.data)) this.#cut(node);
      return null;
    }
    if (!isTag(node)) {
      this.#cut(node);
      return null;
    }
    const isWhole = node === this.#wholes[this.#nextWhole]?.node;
    if (isWhole) {
      this.#nextWhole++;
      this.#told?.add(node);
      this.#alive[this.#path.length] = true;
    }
    const first = node.firstChild;
    if (first === null) {
      if (!isWhole && !STAYING.has(node.name)) this.#cut(node);
      return null;
    }
    this.#path.push(node);
    this.#alive.push(isWhole);
    this.#torn.push(false);
    if (isWhole && this.#whole === 0) this.#whole = this.#path.length;
    return first;
  }

  /** Closes the open elements that have no more children. Returns the node after them. */
  #ascend(): ChildNode | null {
    for (let element = this.#path.pop(); element !== undefined; element = this.#path.pop()) {
      const { next } = element;
      const isAlive = this.#alive.pop() === true;
      const isTorn = this.#torn.pop() === true;
      if (this.#path.length < this.#whole) this.#whole = 0;
      if (isAlive) {
        if (isTorn) relinkChildren(element);
        this.#told?.add(element);
        this.#alive[this.#path.length] = true;
      } else if (element.name === "td" || element.name === "th")
        // An empty cell keeps its column.
        setChildren(element, []);
      else if (!isTaskBox(element)) this.#cut(element);
      else if (isTorn) relinkChildren(element);
      if (next !== null) return next;
    }
    return null;
  }

  #cut(node: ChildNode): void {
    if (this.#whole > 0) return;
    node.parent = null;
    node.prev = null;
    node.next = null;
    this.#torn[this.#path.length] = true;
  }
}

/** Relinks an element's remaining children. */
function relinkChildren(parent: ParentNode): void {
  const kept: ChildNode[] = [];
  for (const child of parent.children) if (child.parent === parent) kept.push(child);
  setChildren(parent, kept);
}

function isSpace(text: string): boolean {
  for (let index = 0; index < text.length; index++)
    if (text.charCodeAt(index) > 32) return !/\S/.test(text);
  return true;
}

/**
 * True if an element contains only a task's check box. Its list item decides whether it is removed.
 */
function isTaskBox({ name, parent }: Element): boolean {
  return (
    name === "label" &&
    parent !== null &&
    isTag(parent) &&
    /(?:^|\s)task-list-item(?:\s|$)/.test(readAttribute(parent, "class"))
  );
}
