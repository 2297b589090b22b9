// The nodes of a page with the walks over them that readers share.
import type { Document, Element } from "domhandler";
import type { NumberOrder } from "../html/metadata/date-text.ts";
import { findMainHeading, readTitles } from "./main-heading.ts";
import { hasOwnText, isBlock, isHidden, isStruck, type PageNode } from "./node.ts";
import { readNodes } from "./read-nodes.ts";
import { resolveCurrency, type CurrencyEvidence } from "./currency.ts";
import { readGridStyles } from "./grid-styles.ts";
import { readCurrencyEvidence } from "./read-currency.ts";
import { readTypedValues, type TypedValue } from "./typed-values.ts";

/** Maximum elements of a page; further ones are reported in `isCut`. */
export const MAX_NODES = 60_000;

/** Maximum characters of a price whose digits and sign are separate elements. */
const MAX_SPLIT_PRICE = 24;

/** Maximum characters of a node with its own text and inner blocks that counts as one piece. */
const MAX_PIECE_CHARACTERS = 600;

const DECIMAL_COMMA: ReadonlySet<string> = new Set(
  "bg cs da de el es et fi fr hr hu id it lt lv nb nl nn no pl pt ro ru sk sl sr sv tr uk vi".split(
    " ",
  ),
);

export type NodeTreeOptions = {
  /** Order of numbers in 3/4/2026. Default: the day first. */
  readonly order?: NumberOrder;
  readonly maxNodes?: number;
};

export class NodeTree {
  readonly nodes: readonly PageNode[];
  /** The visible text of the page, blocks separated by line breaks. */
  readonly text: string;
  /** The page has more elements than were read. */
  readonly isCut: boolean;
  readonly order: NumberOrder;
  readonly #byElement: ReadonlyMap<Element, PageNode>;
  readonly #typed = new Map<number, readonly TypedValue[]>();
  readonly #document: Document;
  /** The titles of the document, such as `title` and `og:title`. */
  readonly titles: readonly string[];
  #currency: CurrencyEvidence | undefined;
  #heading: PageNode | undefined | null = null;
  #asides: readonly number[] | undefined;
  #gridStyles: ReadonlyMap<string, string> | undefined;

  constructor(
    document: Document,
    { order = "day-first", maxNodes = MAX_NODES }: NodeTreeOptions = {},
  ) {
    const { nodes, text, byElement, isCut } = readNodes(document, maxNodes);
    this.#document = document;
    this.nodes = nodes;
    this.text = text;
    this.isCut = isCut;
    this.order = order;
    this.titles = readTitles(document);
    this.#byElement = byElement;
  }

  /** The node of a reference such as `n12`; undefined for any other text. */
  find(ref: string): PageNode | undefined {
    return /^n\d{1,7}$/.test(ref) ? this.nodes[Number(ref.slice(1))] : undefined;
  }

  /** Indexes of the `aside` elements, in document order. */
  get asides(): readonly number[] {
    this.#asides ??= this.nodes
      .filter(({ element }) => element.name === "aside")
      .map(({ index }) => index);
    return this.#asides;
  }

  /** `grid-template-columns` of a node, by its own style or a class; "" without one. */
  readGridColumns({ element: { attribs } }: PageNode): string {
    const { style = "", class: classes = "" } = attribs;
    const own = /grid-template-columns\s{0,5}:\s{0,5}([^;]{1,200})/i.exec(style)?.[1];
    if (own !== undefined || classes === "") return own ?? "";
    this.#gridStyles ??= readGridStyles(this.#document);
    if (this.#gridStyles.size === 0) return "";
    for (const name of classes.split(/\s+/)) {
      const columns = this.#gridStyles.get(name);
      if (columns !== undefined) return columns;
    }
    return "";
  }

  nodeOf(element: Element): PageNode | undefined {
    return this.#byElement.get(element);
  }

  /** The visible text of a node, lines separated by line breaks. */
  textOf({ from, to }: PageNode): string {
    return this.text.slice(from, to);
  }

  /** The visible text of a node in one line; the text for assistive technology if there is none. */
  lineOf(node: PageNode): string {
    const text = this.textOf(node).replaceAll("\n", " ");
    return text === "" ? node.spoken : text;
  }

  children(node: PageNode): PageNode[] {
    const found: PageNode[] = [];
    for (let at = node.index + 1; at < node.end; at = this.#at(at).end) found.push(this.#at(at));
    return found;
  }

  /** The next sibling. */
  next({ end, parent }: PageNode): PageNode | undefined {
    const node = this.nodes[end];
    return node?.parent === parent ? node : undefined;
  }

  /** The previous sibling; with `withText`, the previous one that has text. */
  previous(node: PageNode, withText = false): PageNode | undefined {
    const parent = this.parent(node);
    return parent === undefined
      ? undefined
      : this.children(parent).findLast(
          ({ index, from, to }) => index < node.index && (!withText || to > from),
        );
  }

  parent(node: PageNode): PageNode | undefined {
    return node.parent === -1 ? undefined : this.nodes[node.parent];
  }

  /** The node itself and everything below it, in document order. */
  below(node: PageNode): readonly PageNode[] {
    return this.nodes.slice(node.index, node.end);
  }

  contains(outer: PageNode, inner: PageNode): boolean {
    return inner.index >= outer.index && inner.index < outer.end;
  }

  /**
   * The outermost nodes at or below a node that have their own text: visual units such as a
   * paragraph, a cell or a badge. A large node with inner blocks is not a piece: stray characters
   * beside the blocks of a page would make the whole page one. A price whose digits and sign are
   * separate elements is one piece.
   */
  pieces(node: PageNode): PageNode[] {
    const found: PageNode[] = [];
    for (let at = node.index; at < node.end;) {
      const here = this.#at(at);
      if (isHidden(here)) at = here.end;
      else if (hasOwnText(here) ? !this.#holdsBlocks(here) : this.#isSplitPrice(here)) {
        found.push(here);
        at = here.end;
      } else at += 1;
    }
    return found;
  }

  #isSplitPrice(node: PageNode): boolean {
    const { from, to, index, end } = node;
    if (end - index < 3 || to === from || to - from > MAX_SPLIT_PRICE) return false;
    const inner = this.children(node);
    if (inner.some((each) => each.from === from && each.to === to)) return false;
    const line = this.lineOf(node);
    if (!/\d/.test(line)) return false;
    const [value] = this.typedValues(node);
    return (
      value?.type === "price" &&
      value.text.length === line.length &&
      inner.every(
        (each) => !isStruck(each) && this.typedValues(each).every(({ type }) => type !== "price"),
      )
    );
  }

  #holdsBlocks({ index, end, from, to }: PageNode): boolean {
    if (to - from <= MAX_PIECE_CHARACTERS) return false;
    for (let at = index + 1; at < end; at += 1) {
      const inner = this.#at(at);
      if (hasOwnText(inner) && isBlock(inner) && !isHidden(inner)) return true;
    }
    return false;
  }

  /** Typed values in the text of a node, or in its text for assistive technology. */
  typedValues(node: PageNode): readonly TypedValue[] {
    const known = this.#typed.get(node.index);
    if (known !== undefined) return known;
    const values = this.read(this.lineOf(node));
    this.#typed.set(node.index, values);
    return values;
  }

  /** True if the page's language writes decimals with a comma, so that `1.075` is 1075. */
  get usesDecimalComma(): boolean {
    return DECIMAL_COMMA.has(this.language);
  }

  /** The two letters of the document's language; empty if it states none. */
  get language(): string {
    const root = this.nodes.find(({ element }) => element.name === "html");
    return (root?.element.attribs["lang"] ?? "").slice(0, 2).toLowerCase();
  }

  /** The heading that names what the page is about. */
  get heading(): PageNode | undefined {
    if (this.#heading === null)
      this.#heading = findMainHeading(this.nodes, this.titles, (node) => this.lineOf(node));
    return this.#heading;
  }

  /** Typed values in any text, read as a text of this page. */
  read(text: string): TypedValue[] {
    return readTypedValues(text, this.order, (mark) => this.currencyOf(mark));
  }

  /** The ISO 4217 code of a sign on this page; undefined if it is ambiguous. */
  currencyOf(mark: string): string | undefined {
    return (
      resolveCurrency(mark) ??
      resolveCurrency(mark, (this.#currency ??= readCurrencyEvidence(this.#document, this.text)))
    );
  }

  #at(index: number): PageNode {
    return this.nodes[index] as PageNode;
  }
}
