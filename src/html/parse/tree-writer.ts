// Tracks the open elements of a page under construction, and writes nodes into its tree.
import {
  type ChildNode,
  type Comment,
  Document,
  type Element,
  type ParentNode,
  type ProcessingInstruction,
  type Text,
} from "domhandler";
import { AttributeCollector } from "./attribute-collector.ts";
import { createTag, createText } from "./nodes.ts";
import { isMountName, NOTED, ElementIndex } from "../evidence/element-index.ts";
import { HTML_CONTEXT, RULE, type TagRules } from "./tag-rules.ts";

/** Deeper elements become siblings, as in browsers (Blink stops at 512 too). */
export const MAX_DEPTH = 512;

/** Maximum open elements to search, so that a page of a million open tags stays linear. */
const MAX_OPEN = 2 * MAX_DEPTH;

/** Ancestors to check for a <noscript>. */
const MAX_NOSCRIPT_LEVELS = 6;

/** Inline elements: the words on both sides of their tags may belong together. */
const INLINE = new Set(
  "a abbr b bdi bdo cite code del em font i ins kbd label mark q s samp small span strong sub sup time tt u var wbr".split(
    " ",
  ),
);

/**
 * Writes nodes. From `MAX_DEPTH` on the tree stays flat: an element is kept, and its children
 * follow it as siblings.
 */
export class TreeWriter extends AttributeCollector {
  readonly root = new Document([]);
  readonly notes = new ElementIndex();
  /** Nodes were moved, so the notes are no longer in document order. */
  isReordered = false;
  protected readonly html: string;
  /** The open elements, innermost last. */
  protected readonly open: TagRules[] = [];
  /**
   * Their nodes, after the document: the node of `open[at]` is `parents[at + 1]`, or its parent if
   * it is too deep.
   */
  protected readonly parents: ParentNode[] = [this.root];
  /** Name contexts (HTML, SVG or MathML), innermost last. */
  protected readonly contexts: number[] = [HTML_CONTEXT];
  /** Number of open <p> and isolated elements (`RULE.isolated`). */
  protected openParagraphs = 0;
  protected openIsolated = 0;
  #parent: ParentNode = this.root;
  /** The text node that following text is appended to. */
  #text: Text | null = null;
  /** True if a block boundary came before the next text, too deep for the tree to show it. */
  #isParted = false;

  constructor(html: string) {
    super(html);
    this.html = html;
  }

  isInForeignContext(): boolean {
    return this.contexts[this.contexts.length - 1] !== HTML_CONTEXT;
  }

  isInNoscript(): boolean {
    const { parents } = this;
    for (let at = parents.length - 1; at >= 0 && at >= parents.length - MAX_NOSCRIPT_LEVELS; at--)
      if ((parents[at] as Partial<Element>).name === "noscript") return true;
    return false;
  }

  /** Must be called once, at the end of the document. */
  end(): void {
    this.#endText();
  }

  /** The innermost open element. */
  protected get current(): TagRules | undefined {
    return this.open[this.open.length - 1];
  }

  /** The outermost index that searches check. */
  protected get bottom(): number {
    return Math.max(0, this.open.length - MAX_OPEN);
  }

  /**
   * Inserts an element with the attributes of the current start tag, and leaves it open unless it
   * is void.
   */
  protected insert(tag: TagRules, isFostered: boolean): Element {
    const element = createTag(
      tag.name,
      this.toAttributes(),
      [],
      tag.type,
      tag.number,
      this.attributeFlags,
    );
    this.#write(element, isFostered);
    if (tag.groups !== 0) this.notes.add(element, tag.groups);
    if (this.isNotable) this.notes.notable.push(element);
    const { id } = this;
    if (id === undefined ? tag.isMount : isMountName(id)) this.notes.mounts.push(element);
    if (tag.isVoid) this.notes.text.leave(element);
    else this.#push(element, tag);
    return element;
  }

  /** Inserts an implied element without attributes. */
  protected insertImplied(tag: TagRules, isFostered = false): Element {
    return this.insertCopy(tag, createTag(tag.name, {}, [], tag.type, tag.number, 0), isFostered);
  }

  /** Inserts an existing element and leaves it open. */
  protected insertCopy(tag: TagRules, element: Element, isFostered: boolean): Element {
    this.#write(element, isFostered);
    if (tag.groups !== 0) this.notes.add(element, tag.groups);
    this.#push(element, tag);
    return element;
  }

  #push(element: Element, tag: TagRules): void {
    this.open.push(tag);
    if (tag.context !== undefined) this.contexts.push(tag.context);
    if (tag.name === "p") this.openParagraphs++;
    else if ((tag.rules & RULE.isolated) !== 0) this.openIsolated++;
    if (this.parents.length < MAX_DEPTH) {
      this.parents.push(element);
      this.#parent = element;
      return;
    }
    this.#writePart(tag);
    this.parents.push(this.#parent);
    this.notes.text.leave(element);
  }

  /** Ends the innermost open element. */
  protected pop(): void {
    const tag = this.open.pop();
    if (tag === undefined) return;
    if (tag.context !== undefined) this.contexts.pop();
    if (tag.name === "p") this.openParagraphs--;
    else if ((tag.rules & RULE.isolated) !== 0) this.openIsolated--;
    this.#endText();
    const closed = this.parents.pop() as ParentNode;
    const parent = this.parents[this.parents.length - 1] as ParentNode;
    if (parent === closed) this.#writePart(tag);
    else if ((tag.groups & NOTED.counted) !== 0) this.notes.text.leave(closed as Element);
    this.#parent = parent;
  }

  /** Removes an element from the open ones without ending those in it. */
  protected release(at: number): void {
    const [tag] = this.open.splice(at, 1);
    this.parents.splice(at + 1, 1);
    if (tag?.name === "p") this.openParagraphs--;
    if (tag !== undefined && (tag.groups & NOTED.counted) !== 0) this.isReordered = true;
    this.refresh();
  }

  /** Updates the insertion point after the open elements have changed. */
  protected refresh(): void {
    this.#endText();
    this.#parent = this.parents[this.parents.length - 1] as ParentNode;
  }

  protected addText(data: string): void {
    if (this.#text !== null) {
      this.#text.data += data;
      return;
    }
    const text = createText(this.#isParted ? `\n${data}` : data);
    this.#isParted = false;
    this.#write(text, false);
    this.#text = text;
  }

  /** Adds text before the innermost open table, where browsers show text between its cells. */
  protected addFosteredText(data: string): void {
    const { parent, before } = this.#findFosterPlace();
    const last = before === null ? (parent.children.at(-1) ?? null) : before.prev;
    if (last !== null && last.type === createText("").type) {
      this.#endText();
      (last as Text).data += data;
      this.isReordered = true;
    } else this.#write(createText(data), true);
  }

  protected addNonContent(node: Comment | ProcessingInstruction): void {
    this.#write(node, false);
    this.notes.nonContent.push(node);
  }

  /** Moves a node to the end of a parent, or to its foster position. */
  protected move(node: ChildNode, parent: ParentNode, isFostered = false): void {
    this.#endText();
    this.isReordered = true;
    detach(node);
    const place = isFostered ? this.#findFosterPlace() : { parent, before: null };
    attach(node, place.parent, place.before);
  }

  /** Moves all children of an element into an empty one. */
  protected moveChildren(from: Element, to: Element): void {
    this.#endText();
    this.isReordered = true;
    to.children = from.children;
    from.children = [];
    for (const child of to.children) child.parent = to;
  }

  /** Keeps words on both sides of an element apart if it is too deep to contain them. */
  #writePart({ name }: TagRules): void {
    if (!INLINE.has(name)) this.#isParted = true;
  }

  /** Ends the current text node. */
  #endText(): void {
    if (this.#text === null) return;
    this.notes.text.add(this.#text.data);
    this.#text = null;
  }

  #write(node: ChildNode, isFostered: boolean): void {
    this.#endText();
    if (!isFostered) {
      attach(node, this.#parent, null);
      return;
    }
    this.isReordered = true;
    const { parent, before } = this.#findFosterPlace();
    attach(node, parent, before);
  }

  /** Returns the position before the innermost open table. WHATWG HTML, §13.2.6.1 */
  #findFosterPlace(): { parent: ParentNode; before: ChildNode | null } {
    for (let at = this.open.length - 1; at >= 0; at--) {
      const { name } = this.open[at] as TagRules;
      if (name === "template" || name === "noscript") break;
      if (name !== "table") continue;
      const table = this.parents[at + 1] as ParentNode;
      const outer = this.parents[at] as ParentNode;
      if (table === outer) break;
      const { parent } = table as Element;
      return parent === null
        ? { parent: outer, before: null }
        : { parent, before: table as Element };
    }
    return { parent: this.#parent, before: null };
  }
}

function attach(node: ChildNode, parent: ParentNode, before: ChildNode | null): void {
  const { children } = parent;
  node.parent = parent;
  if (before !== null) {
    const previous = before.prev;
    children.splice(children.lastIndexOf(before), 0, node);
    node.prev = previous;
    node.next = before;
    before.prev = node;
    if (previous !== null) previous.next = node;
    return;
  }
  const { length } = children;
  if (length === 0) {
    // Most elements have one child, and a growing array would reserve space for many.
    parent.children = [node];
    return;
  }
  const last = children[length - 1] as ChildNode;
  children.push(node);
  node.prev = last;
  last.next = node;
}

function detach(node: ChildNode): void {
  const { parent, prev, next } = node;
  if (prev !== null) prev.next = next;
  if (next !== null) next.prev = prev;
  if (parent !== null) parent.children.splice(parent.children.lastIndexOf(node), 1);
  node.prev = null;
  node.next = null;
  node.parent = null;
}
