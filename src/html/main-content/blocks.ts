// Cuts a tree into blocks: a block is a run of inline content inside its nearest block element. One walk, no recursion,
// linear in the number of nodes. Tables of elements and blocks are kept in document order, a parent always before its children.
import {
  isTag,
  isText,
  type ChildNode,
  type Document,
  type Element,
  type ParentNode,
  type Text,
} from "domhandler";
import {
  addText,
  emptyCounts,
  finishText,
  isVisible,
  type KnownText,
  type TextCounts,
} from "./block-text.ts";

/** A run of text that is kept or dropped as a whole. `texts` is a range of `Segmentation.texts`. */
export type Block = TextCounts & {
  /** Index of the nearest block-level element. */
  readonly container: number;
  readonly textStart: number;
  textEnd: number;
  links: number;
  /** Characters in bold or emphasised. */
  bold: number;
  /** Images met inside the block. */
  images: number;
};

/** The recorded elements, as columns. An element's blocks are those from `blockStart` up to `blockEnd`. */
export type ElementTable = {
  readonly nodes: Element[];
  readonly parent: number[];
  readonly depth: number[];
  readonly blockStart: number[];
  readonly blockEnd: number[];
  /** Index after the last recorded descendant. */
  readonly end: number[];
  readonly images: number[];
  /** The nearest block-level element, itself included. */
  readonly container: number[];
};

/** Something without text that a reader sees, such as an image, and the number of blocks that ended before it. */
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
};

/** Elements that start a new line of their own; HTML, Rendering section, "flow content" and its neighbours. */
export const BLOCK_TAGS: ReadonlySet<string> = new Set(
  `address article aside blockquote body button caption center colgroup dd details dialog dir div dl dt fieldset figcaption figure footer form
  h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav noscript ol optgroup p pre search section summary table tbody td tfoot th
  thead tr ul`.split(/\s+/),
);

/** Elements whose text is not shown as text. */
export const SKIPPED_TAGS: ReadonlySet<string> = new Set(
  "script style select textarea svg iframe template head title object embed canvas audio video datalist noembed noframes".split(
    " ",
  ),
);

const MEDIA_TAGS: ReadonlySet<string> = new Set(
  "img picture video audio iframe object embed".split(" "),
);
const BOLD_TAGS: ReadonlySet<string> = new Set("b strong em i".split(" "));

/** Cuts the tree into blocks. `known` marks the words that a block shares with what the page says about itself. */
export function segment(root: Document, known: KnownText): Segmentation {
  return new Segmenter(known).walk(root);
}

class Segmenter {
  readonly #known: KnownText;
  readonly #elements: ElementTable = {
    nodes: [],
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
  #open: Block | undefined;
  #recorded = -1;
  #container = -1;
  #links = 0;
  /** Links begun so far, and the last of them that a block has counted. */
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
        const parent: ParentNode | null = node.parent;
        if (parent === null || parent === root) {
          node = null;
          break;
        }
        node = parent as Element;
        this.#leave(node);
      }
      if (node !== null) node = node.next;
    }
    this.#flush();
    return {
      elements: this.#elements,
      blocks: this.#blocks,
      texts: this.#texts,
      media: this.#media,
    };
  }

  /** Takes a node in; answers its first child when the walk should go down. */
  #enter(node: ChildNode): ChildNode | null {
    if (node.type === "text") {
      this.#text(node);
      return null;
    }
    if (!isTag(node)) return null;
    const element = node;
    const tag = element.name;
    if (MEDIA_TAGS.has(tag)) this.#medium(element);
    if (tag === "br") {
      if (this.#preformatted === 0 && ++this.#breaks >= 2) this.#flush();
      else if (this.#open !== undefined) addText(this.#open, " ", false, this.#known);
      return null;
    }
    if (SKIPPED_TAGS.has(tag)) return null;
    const isBlock = BLOCK_TAGS.has(tag);
    if (isBlock && this.#preformatted === 0) this.#flush();
    const first = element.firstChild;
    if (first === null || (isBlock && isBlank(element))) {
      if (isBlock) this.#breaks = 0;
      return null;
    }
    if (tag === "pre") this.#preformatted++;
    else if (tag === "a") {
      this.#links++;
      this.#linksBegun++;
    } else if (BOLD_TAGS.has(tag)) this.#bold++;
    if (this.#isRecorded(element, isBlock)) this.#record(element, isBlock);
    return first;
  }

  #isRecorded(element: Element, isBlock: boolean): boolean {
    if (this.#preformatted > 0 && element.name !== "pre") return false;
    if (isBlock) return true;
    for (let child: ChildNode | null = element.firstChild; child !== null; child = child.next)
      if (child.type === "tag") return true;
    return false;
  }

  #record(element: Element, isBlock: boolean): void {
    const { nodes, parent, depth, blockStart, blockEnd, end, images, container } = this.#elements;
    const index = nodes.length;
    nodes.push(element);
    parent.push(this.#recorded);
    depth.push(this.#recorded < 0 ? 0 : (depth[this.#recorded] ?? 0) + 1);
    blockStart.push(this.#blocks.length);
    blockEnd.push(0);
    end.push(0);
    images.push(0);
    this.#recorded = index;
    if (isBlock) this.#container = index;
    container.push(this.#container);
  }

  #leave(element: Element): void {
    const tag = element.name;
    if (tag === "a") this.#links--;
    else if (BOLD_TAGS.has(tag)) this.#bold--;
    const { nodes, parent, blockEnd, end, container } = this.#elements;
    const index = this.#recorded;
    const recorded = index >= 0 && nodes[index] === element;
    const isBlock = BLOCK_TAGS.has(tag);
    if (tag === "pre") this.#preformatted--;
    if (isBlock && this.#preformatted === 0) this.#flush();
    if (!recorded) return;
    blockEnd[index] = this.#blocks.length + (this.#open === undefined ? 0 : 1);
    end[index] = nodes.length;
    this.#recorded = parent[index] ?? -1;
    this.#container = container[this.#recorded] ?? -1;
  }

  #text(node: Text): void {
    if (!isVisible(node.data)) {
      if (this.#open !== undefined && node.data !== "") {
        addText(this.#open, " ", false, this.#known);
        this.#texts.push(node);
      }
      return;
    }
    this.#breaks = 0;
    if (this.#open === undefined) {
      const start = this.#texts.length;
      this.#open = {
        ...emptyCounts(),
        container: this.#container,
        textStart: start,
        textEnd: start,
        links: 0,
        bold: 0,
        images: 0,
      };
    }
    const before = this.#open.characters;
    addText(this.#open, node.data, this.#links > 0, this.#known);
    if (this.#links > 0 && this.#linkCounted !== this.#linksBegun) {
      this.#open.links++;
      this.#linkCounted = this.#linksBegun;
    }
    if (this.#bold > 0) this.#open.bold += this.#open.characters - before;
    this.#texts.push(node);
  }

  #medium(node: Element): void {
    if (this.#open !== undefined) this.#open.images++;
    if (this.#recorded >= 0)
      this.#elements.images[this.#recorded] = (this.#elements.images[this.#recorded] ?? 0) + 1;
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

/** True when nothing but white space and comments stands in an element. */
function isBlank(element: Element): boolean {
  return element.children.every(
    (child) => !isTag(child) && !(isText(child) && isVisible(child.data)),
  );
}

/** The text of a block, white space collapsed unless it stands in `pre`. */
export function blockText(page: Segmentation, block: Block): string {
  let text = "";
  for (let index = block.textStart; index < block.textEnd; index++)
    text += page.texts[index]?.data ?? "";
  const container = page.elements.nodes[block.container];
  return container?.name === "pre" ? text : text.replace(/\s+/g, " ").trim();
}
