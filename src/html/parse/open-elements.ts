// The open elements of a page: which are in scope, and which formatting elements continue. WHATWG
// HTML, §13.2.4.
import type { ChildNode, Element, ParentNode } from "domhandler";
import { type FormattingEntry, FormattingList } from "./formatting-list.ts";
import { createTag } from "./nodes.ts";
import { RULE, type TagRules } from "./tag-rules.ts";
import { MAX_DEPTH, TreeWriter } from "./tree-writer.ts";

/** Limits of the adoption agency algorithm, §13.2.6.4.7. */
const MAX_ADOPTIONS = 8;
const MAX_ADOPTED_FORMATTING = 3;

const LIST = /^(?:ol|ul)$/;
/** Table parts that determine whether the position is in a cell. */
const TABLE_PARTS = new Set("table tbody thead tfoot tr td th caption".split(" "));

export class OpenElements extends TreeWriter {
  protected readonly formatting = new FormattingList();

  /**
   * Returns the index of the innermost matching open element within the enclosing isolated element,
   * or -1.
   */
  protected indexWithin(matches: (name: string) => boolean): number {
    const { open, bottom } = this;
    for (let at = open.length - 1; at >= bottom; at--) {
      const { name, rules } = open[at] as TagRules;
      if ((rules & (RULE.tableContext | RULE.tablePart)) !== 0 && matches(name)) return at;
      if ((rules & RULE.isolated) !== 0) return -1;
    }
    return -1;
  }

  /** Returns the index of an element in scope, or -1. §13.2.4.2 */
  protected inScope(name: string, endsScope: (name: string) => boolean = () => true): number {
    const { open, bottom } = this;
    for (let at = open.length - 1; at >= bottom; at--) {
      const tag = open[at] as TagRules;
      if (tag.name === name) return at;
      if ((tag.rules & RULE.scope) !== 0 && endsScope(tag.name)) return -1;
    }
    return -1;
  }

  protected inButtonScope(): number {
    const { open, bottom } = this;
    for (let at = open.length - 1; at >= bottom; at--) {
      const tag = open[at] as TagRules;
      if (tag.name === "p") return at;
      if ((tag.rules & RULE.scope) !== 0 || tag.name === "button") return -1;
    }
    return -1;
  }

  protected closeParagraph(): void {
    const at = this.inButtonScope();
    if (at !== -1) this.closeFrom(at);
  }

  /** Closes the open list item before a new one. */
  protected closeItem(isItem: (name: string) => boolean): void {
    const { open, bottom } = this;
    for (let at = open.length - 1; at >= bottom; at--) {
      const { name, rules } = open[at] as TagRules;
      if (isItem(name)) {
        this.closeFrom(at);
        break;
      }
      const isTransparent = name === "address" || name === "div" || name === "p";
      if ((rules & (RULE.special | RULE.scope)) !== 0 && !isTransparent) break;
    }
    if (this.openParagraphs > 0) this.closeParagraph();
  }

  /** Closes an open link or <nobr> before a new one. */
  protected closeLink(tag: TagRules): void {
    const entry = this.formatting.findName(tag.name);
    if (entry === undefined) return;
    this.adopt(tag);
    this.formatting.remove(entry);
    if (!entry.isOpen) return;
    const at = this.parents.lastIndexOf(entry.element);
    if (at > 0) this.release(at - 1);
    entry.isOpen = false;
  }

  protected impliedEnds(except = ""): void {
    while (
      this.current !== undefined &&
      (this.current.rules & RULE.impliedEnd) !== 0 &&
      this.current.name !== except
    )
      this.close();
  }

  protected endAnyOther(name: string): void {
    const { open, bottom } = this;
    for (let at = open.length - 1; at >= bottom; at--) {
      const tag = open[at] as TagRules;
      if (tag.name === name) {
        this.closeFrom(at);
        return;
      }
      if ((tag.rules & (RULE.special | RULE.isolated)) !== 0) return;
    }
  }

  protected close(): void {
    const { current } = this;
    if (current === undefined) return;
    const node = this.parents[this.parents.length - 1] as ParentNode;
    if ((current.rules & RULE.formatting) !== 0) {
      const entry = this.formatting.findElement(node);
      if (entry !== undefined) entry.isOpen = false;
    } else if ((current.rules & RULE.marker) !== 0) this.formatting.clearToMarker();
    this.pop();
  }

  protected closeFrom(at: number): void {
    while (this.open.length > at) this.close();
  }

  /** Ends the innermost open element, a formatting element whose end tag was read. */
  protected endFormatting(): void {
    const entry = this.formatting.findElement(this.parents[this.parents.length - 1]);
    if (entry !== undefined) this.formatting.remove(entry);
  }

  /** Reopens formatting elements that a block ended too early. §13.2.4.3 */
  protected reconstruct(isFostered: boolean): void {
    const { entries } = this.formatting;
    let first = entries.length;
    while (first > 0) {
      const entry = entries[first - 1];
      if (entry === null || entry === undefined || entry.isOpen) break;
      first--;
    }
    for (let at = first; at < entries.length; at++) {
      const entry = entries[at];
      if (entry === null || entry === undefined) continue;
      const isMisplaced = isFostered && ((this.current?.rules ?? 0) & RULE.tableContext) !== 0;
      entry.element = this.insertCopy(
        entry.tag,
        copyElementAs(entry.element, entry.tag),
        isMisplaced,
      );
      entry.isOpen = true;
      this.isReordered = true;
    }
  }

  /**
   * The adoption agency algorithm: ends a formatting element that is not the innermost one.
   * §13.2.6.4.7
   */
  protected adopt(tag: TagRules): void {
    for (let round = 0; round < MAX_ADOPTIONS; round++) {
      const entry = this.formatting.findName(tag.name);
      if (entry === undefined) {
        this.endAnyOther(tag.name);
        return;
      }
      const at = entry.isOpen ? this.parents.lastIndexOf(entry.element) - 1 : -1;
      if (at < 0) {
        this.formatting.remove(entry);
        if (!entry.isOpen) return;
        this.endAnyOther(tag.name);
        return;
      }
      let block = -1;
      for (let above = at + 1; above < this.open.length; above++) {
        const { rules } = this.open[above] as TagRules;
        if ((rules & RULE.scope) !== 0) return;
        if (block === -1 && (rules & RULE.special) !== 0) block = above;
      }
      if (block === -1 || this.parents.length >= MAX_DEPTH - 1) {
        this.closeFrom(at);
        this.formatting.remove(entry);
        return;
      }
      this.adoptBlock(entry, at, block);
    }
  }

  protected adoptBlock(entry: FormattingEntry, at: number, furthest: number): void {
    const list = this.formatting;
    const block = this.parents[furthest + 1] as Element;
    let blockAt = furthest;
    let bookmark = list.entries.lastIndexOf(entry);
    let last: ChildNode = block;
    let count = 0;
    for (let node = furthest - 1; node > at; node--) {
      count++;
      const known = list.findElement(this.parents[node + 1]);
      if (known !== undefined && count > MAX_ADOPTED_FORMATTING) {
        const place = list.entries.lastIndexOf(known);
        if (place < bookmark) bookmark--;
        list.remove(known);
      }
      if (known === undefined || count > MAX_ADOPTED_FORMATTING) {
        this.release(node);
        blockAt--;
        continue;
      }
      const copy = copyElementAs(known.element, known.tag);
      known.element = copy;
      this.parents[node + 1] = copy;
      if (last === block) bookmark = list.entries.lastIndexOf(known) + 1;
      this.move(last, copy);
      last = copy;
    }
    const isFostered = ((this.open[at - 1]?.rules ?? 0) & RULE.tableContext) !== 0;
    this.move(last, this.parents[at] as ParentNode, isFostered);
    const copy = copyElementAs(entry.element, entry.tag);
    this.moveChildren(block, copy);
    this.move(copy, block);
    const place = list.entries.lastIndexOf(entry);
    list.entries.splice(bookmark, 0, { tag: entry.tag, element: copy, isOpen: true });
    list.entries.splice(place < bookmark ? place : place + 1, 1);
    this.open.splice(blockAt + 1, 0, entry.tag);
    this.parents.splice(blockAt + 2, 0, copy);
    this.release(at);
    this.refresh();
  }

  /** True if the innermost table is open outside its cells and caption. */
  protected isInTable(): boolean {
    const at = this.indexWithin((name) => TABLE_PARTS.has(name));
    return at !== -1 && ((this.open[at] as TagRules).rules & RULE.tableContext) !== 0;
  }

  protected endHeading(): void {
    const { open, bottom } = this;
    for (let at = open.length - 1; at >= bottom; at--) {
      const { rules } = open[at] as TagRules;
      if ((rules & RULE.heading) !== 0) {
        this.closeFrom(at);
        return;
      }
      if ((rules & RULE.scope) !== 0) return;
    }
  }

  protected lastOpen(name: string): number {
    if (this.openIsolated === 0) return -1;
    const { open, bottom } = this;
    for (let at = open.length - 1; at >= bottom; at--) if (open[at]?.name === name) return at;
    return -1;
  }

  protected inScopeOrList(name: string): number {
    const at = this.inScope(name);
    for (let above = this.open.length - 1; above > at && at !== -1; above--)
      if (LIST.test((this.open[above] as TagRules).name)) return -1;
    return at;
  }

  /** A second <html> or <body> only adds attributes to the first. */
  protected merge(element: Element | undefined): void {
    if (element === undefined) return;
    const written = this.toAttributes();
    if (Object.keys(written).every((name) => element.attribs[name] !== undefined)) return;
    element.attribs = { ...written, ...element.attribs };
    this.isReordered = true;
  }
}

const copyElementAs = ({ attribs, type }: Element, tag: TagRules): Element =>
  createTag(tag.name, { ...attribs }, [], type, tag.number, -1);
