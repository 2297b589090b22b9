// Splits a tree into blocks. A block is a run of inline content inside its nearest block element.
// One walk without recursion, linear in the number of nodes. Elements and blocks are in document
// order, parents before children.
import { isTag, type ChildNode, type Document, type Element, type Text } from "domhandler";
import {
  addText,
  finishText,
  isVisible,
  createBlock,
  type Block,
  type KnownText,
} from "./block-text.ts";
import { getElementTagNumber } from "../../parse/nodes.ts";
import { TAG_NUMBERS, tagNumber } from "../../parse/tag-numbers.ts";
import { foldSpace } from "../../parse/tree.ts";

/**
 * The recorded elements, as columns. An element's blocks are `blockStart` to `blockEnd`
 * (exclusive).
 */
export type ElementTable = {
  readonly nodes: Element[];
  /** Tag number, see `tag-numbers.ts`. */
  readonly tag: number[];
  readonly parent: number[];
  readonly depth: number[];
  readonly blockStart: number[];
  readonly blockEnd: number[];
  /** Index after the last recorded descendant. */
  readonly end: number[];
  readonly images: number[];
  /** The nearest block-level element, possibly the element itself. */
  readonly container: number[];
};

/**
 * A visible element without text, such as an image, and the number of blocks that ended before it.
 */
export type Medium = {
  readonly node: Element;
  readonly element: number;
  readonly blockBefore: number;
};

export type Segmentation = {
  readonly elements: ElementTable;
  readonly blocks: Block[];
  readonly texts: Text[];
  readonly media: Medium[];
  /** Hashes of the first words of each block, block after block. */
  readonly words: Int32Array;
};

/** Tag traits for the walk. */
const BLOCK_FLAG = 1;
const SKIPPED_FLAG = 2;
const MEDIUM_FLAG = 4;
const BOLD_FLAG = 8;
const LINK_FLAG = 16;
const PREFORMATTED_FLAG = 32;
const BREAK_FLAG = 64;
/** The tag number is stored above the trait bits. */
const NUMBER_SHIFT = 8;
const TAGS = Int32Array.from({ length: TAG_NUMBERS }, (_, number) => number << NUMBER_SHIFT);
const setMeaning = (names: string, meaning: number): void => {
  for (const name of names.split(/\s+/)) TAGS[tagNumber(name)]! |= meaning;
};
// Elements that start a new line (HTML standard, Rendering, "flow content" and its neighbors).
setMeaning(
  `address article aside blockquote body button caption center colgroup dd details dialog dir div dl dt fieldset figcaption figure footer form
  h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav noscript ol optgroup p pre search section summary table tbody td tfoot th
  thead tr ul`,
  BLOCK_FLAG,
);
// Elements whose text is not visible.
setMeaning(
  `script style select textarea svg iframe template head title object embed canvas audio video datalist noembed noframes`,
  SKIPPED_FLAG,
);
setMeaning("img picture video audio iframe object embed", MEDIUM_FLAG);
setMeaning("b strong em i", BOLD_FLAG);
setMeaning("a", LINK_FLAG);
setMeaning("pre", PREFORMATTED_FLAG);
setMeaning("br", BREAK_FLAG);

/**
 * Splits the tree into blocks. `known` marks the words that a block shares with the page's
 * metadata.
 */
export function segmentPage(root: Document, known: KnownText): Segmentation {
  return new Segmenter(known).walk(root);
}

class Segmenter {
  readonly #known: KnownText;
  readonly #elements: ElementTable = {
    nodes: [],
    tag: [],
    parent: [],
    depth: [],
    blockStart: [],
    blockEnd: [],
    end: [],
    images: [],
    container: [],
  };
  readonly #blocks: Block[] = [];
  readonly #texts: Text[] = [];
  readonly #media: Medium[] = [];
  /**
   * The open elements: their tag traits and the number of blocks that ended before each. Entries
   * beyond the current depth are stale and kept, because emptying an array frees its memory.
   */
  readonly #path: Element[] = [];
  readonly #meanings: number[] = [];
  readonly #starts: number[] = [];
  #depth = 0;
  /**
   * Number of open elements, from the root, that are recorded. Inline elements are recorded when
   * they contain a block-level element or an image.
   */
  #recordedDepth = 0;
  #open: Block | undefined;
  #recorded = -1;
  #container = -1;
  #links = 0;
  /** Links started so far, and the last one that a block has counted. */
  #linksBegun = 0;
  #linkCounted = 0;
  #bold = 0;
  #preformatted = 0;
  #breaks = 0;

  constructor(known: KnownText) {
    this.#known = known;
  }

  walk(root: Document): Segmentation {
    let node: ChildNode | null = root.firstChild;
    while (node !== null) {
      const next = this.#enter(node);
      if (next !== null) {
        node = next;
        continue;
      }
      while (node !== null && node.next === null) {
        if (this.#depth === 0) node = null;
        else node = this.#leave();
      }
      if (node !== null) node = node.next;
    }
    this.#flush();
    return {
      elements: this.#elements,
      blocks: this.#blocks,
      texts: this.#texts,
      media: this.#media,
      words: this.#known.heard.all(),
    };
  }

  /** Enters a node. Returns its first child if the walk should descend. */
  #enter(node: ChildNode): ChildNode | null {
    if (node.type === "text") {
      this.#text(node);
      return null;
    }
    if (!isTag(node)) return null;
    const meaning = TAGS[getElementTagNumber(node)]!;
    if ((meaning & MEDIUM_FLAG) !== 0) this.#medium(node);
    if ((meaning & BREAK_FLAG) !== 0) {
      if (this.#preformatted === 0 && ++this.#breaks >= 2) this.#flush();
      else if (this.#open !== undefined) addText(this.#open, " ", false, this.#known);
      return null;
    }
    if ((meaning & SKIPPED_FLAG) !== 0) return null;
    const isBlock = (meaning & BLOCK_FLAG) !== 0;
    if (isBlock && this.#preformatted === 0) this.#flush();
    const first = node.firstChild;
    if (first === null || (isBlock && isBlank(first))) {
      if (isBlock) this.#breaks = 0;
      return null;
    }
    this.#path[this.#depth] = node;
    this.#meanings[this.#depth] = meaning;
    this.#starts[this.#depth] = this.#blocks.length;
    this.#depth++;
    if (isBlock && this.#preformatted === 0) this.#record();
    if ((meaning & (PREFORMATTED_FLAG | LINK_FLAG | BOLD_FLAG)) !== 0) {
      if ((meaning & PREFORMATTED_FLAG) !== 0) this.#preformatted++;
      else if ((meaning & LINK_FLAG) !== 0) {
        this.#links++;
        this.#linksBegun++;
      } else this.#bold++;
    }
    return first;
  }

  /** Records the open elements that are not recorded yet. */
  #record(): void {
    const { nodes, tag, parent, depth, blockStart, blockEnd, end, images, container } =
      this.#elements;
    for (let at = this.#recordedDepth; at < this.#depth; at++) {
      const index = nodes.length;
      nodes[index] = this.#path[at]!;
      tag[index] = this.#meanings[at]! >> NUMBER_SHIFT;
      parent[index] = this.#recorded;
      depth[index] = at;
      blockStart[index] = this.#starts[at]!;
      blockEnd[index] = 0;
      end[index] = 0;
      images[index] = 0;
      this.#recorded = index;
      if ((this.#meanings[at]! & BLOCK_FLAG) !== 0) this.#container = index;
      container[index] = this.#container;
    }
    this.#recordedDepth = this.#depth;
  }

  /** Leaves the innermost element and returns it. */
  #leave(): Element {
    this.#depth--;
    const element = this.#path[this.#depth]!;
    const meaning = this.#meanings[this.#depth]!;
    if ((meaning & (PREFORMATTED_FLAG | LINK_FLAG | BOLD_FLAG)) !== 0) {
      if ((meaning & PREFORMATTED_FLAG) !== 0) this.#preformatted--;
      else if ((meaning & LINK_FLAG) !== 0) this.#links--;
      else this.#bold--;
    }
    if ((meaning & BLOCK_FLAG) !== 0 && this.#preformatted === 0) this.#flush();
    if (this.#recordedDepth <= this.#depth) return element;
    this.#recordedDepth = this.#depth;
    const { nodes, parent, blockEnd, end, container } = this.#elements;
    const index = this.#recorded;
    blockEnd[index] = this.#blocks.length + (this.#open === undefined ? 0 : 1);
    end[index] = nodes.length;
    this.#recorded = parent[index]!;
    this.#container = this.#recorded < 0 ? -1 : container[this.#recorded]!;
    return element;
  }

  #text(node: Text): void {
    const { data } = node;
    if (!isVisible(data)) {
      if (this.#open !== undefined && data !== "") {
        addText(this.#open, " ", false, this.#known);
        this.#texts.push(node);
      }
      return;
    }
    this.#breaks = 0;
    const block = (this.#open ??= createBlock(
      this.#container,
      this.#texts.length,
      this.#known.heard.length,
    ));
    const before = block.characters;
    addText(block, data, this.#links > 0, this.#known);
    if (this.#links > 0 && this.#linkCounted !== this.#linksBegun) {
      block.links++;
      this.#linkCounted = this.#linksBegun;
    }
    if (this.#bold > 0) block.bold += block.characters - before;
    this.#texts.push(node);
  }

  #medium(node: Element): void {
    if (this.#open !== undefined) this.#open.images++;
    if (this.#preformatted === 0) this.#record();
    if (this.#recorded >= 0) this.#elements.images[this.#recorded]!++;
    this.#media.push({
      node,
      element: this.#recorded,
      blockBefore: this.#blocks.length + (this.#open === undefined ? 0 : 1),
    });
  }

  #flush(): void {
    const block = this.#open;
    this.#breaks = 0;
    if (block === undefined) return;
    block.textEnd = this.#texts.length;
    finishText(block, this.#known);
    this.#blocks.push(block);
    this.#open = undefined;
  }
}

/** True if only whitespace and comments follow from this child on. */
function isBlank(first: ChildNode): boolean {
  for (let child: ChildNode | null = first; child !== null; child = child.next)
    if (isTag(child) || (child.type === "text" && isVisible(child.data))) return false;
  return true;
}

/** Returns the text of a block. Whitespace is collapsed except in `pre`. */
export function blockText(page: Segmentation, block: Block): string {
  let text = "";
  for (let index = block.textStart; index < block.textEnd; index++)
    text += page.texts[index]?.data ?? "";
  const container = page.elements.nodes[block.container];
  return container?.name === "pre" ? text : foldSpace(text);
}

/** Mean probability of a range of blocks, weighted by size. */
export function computeMean(
  page: Segmentation,
  probabilities: Float64Array,
  from: number,
  to: number,
): number {
  let weight = 0;
  let sum = 0;
  for (let index = from; index < to; index++) {
    weight += page.blocks[index]!.size;
    sum += page.blocks[index]!.size * probabilities[index]!;
  }
  return weight > 0 ? sum / weight : 0;
}
