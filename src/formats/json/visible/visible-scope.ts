// The part of a page model that values are searched in: the page around its main heading, one
// record, or one table row.
import {
  hasOwnText,
  isAside,
  isHidden,
  isStruck,
  type PageNode,
} from "../../../page-model/node.ts";
import type { PageModel } from "../../../page-model/page-model.ts";
import type { Pair } from "../../../page-model/pairs.ts";
import type { PageRecord, RecordSet } from "../../../page-model/records.ts";
import type { TypedValue, ValueType } from "../../../page-model/typed-values.ts";
import type { GridCell } from "../../../page-model/grid-rows.ts";
import { listLinkedRowRanges } from "./linked-rows.ts";

export type Place = { readonly value: TypedValue; readonly node: PageNode };

/** A column of a table, or a row of a turned one. */
export type TableColumn = {
  readonly name: string;
  /**
   * Other names: the last of several header rows, where it is the only such column; the measure
   * with its year.
   */
  readonly aliases?: readonly string[];
  /** The start of the name that several columns share: a header over them. */
  readonly lead?: string;
  /** Most of its cells are numbers. */
  readonly isNumeric?: boolean;
};

/** A cell of a table row with the name of its column. */
export type NamedCell = TableColumn & {
  readonly cell: GridCell;
  /** All columns of the table, also those in which the row has no cell. */
  readonly columns?: readonly TableColumn[];
};

/** A currency sign or code alone. */
const CURRENCY_SIGN =
  /^(?:(?:US|AU|CA|NZ|HK|[ACRS])?\p{Sc}|[A-Z]{3}|円|元|원|zł|Kč|kr\.?|Ft|lei|TL|руб\.?|грн\.?)$/u;
const MAX_SIGN = 5;
/** Maximum characters of the line in which the parts of a price stand side by side. */
export const MAX_PRICE_LINE = 60;

type Range = readonly [from: number, end: number];

export class VisibleScope {
  readonly model: PageModel;
  readonly roots: readonly PageNode[];
  /** The whole page without its asides and the cards of other items. */
  readonly isPage: boolean;
  readonly cells: readonly NamedCell[];
  /** The node at the title position of the list's records. */
  readonly named: PageNode | undefined;
  readonly #excluded: readonly Range[];
  #pairs: readonly Pair[] | undefined;
  #pieces: readonly PageNode[] | undefined;
  #places: readonly Place[] | undefined;
  #linked: readonly Range[] | undefined;

  private constructor(
    model: PageModel,
    roots: readonly PageNode[],
    cells: readonly NamedCell[],
    excluded: readonly Range[] | undefined,
    named?: PageNode,
  ) {
    this.model = model;
    this.roots = roots;
    this.cells = cells;
    this.named = named;
    this.isPage = excluded !== undefined;
    this.#excluded = excluded ?? [];
  }

  static page(model: PageModel): VisibleScope {
    const roots = model.nodes.filter(({ parent }) => parent === -1);
    return new VisibleScope(model, roots, [], findOtherItemRanges(model));
  }

  static record(model: PageModel, { nodes }: PageRecord, named?: PageNode): VisibleScope {
    return new VisibleScope(model, nodes, [], undefined, named);
  }

  static row(model: PageModel, node: PageNode, cells: readonly NamedCell[]): VisibleScope {
    const roots = node.element.name === "tr" ? [node] : cells.map(({ cell }) => cell.node);
    return new VisibleScope(model, roots, cells, undefined);
  }

  has(node: PageNode): boolean {
    if (!this.roots.some((root) => this.model.contains(root, node))) return false;
    return !this.isPage || (!isAside(node) && !isInRanges(this.#excluded, node.index));
  }

  get pairs(): readonly Pair[] {
    this.#pairs ??= listPairsWithin(this.model, this.roots).filter(
      (pair) => this.has(pair.node) && !isHidden(pair.node) && !this.#isOfLinked(pair.labelNode),
    );
    return this.#pairs;
  }

  /** Visible pieces of text, in document order. */
  get pieces(): readonly PageNode[] {
    this.#pieces ??= this.roots
      .flatMap((root) => this.model.pieces(root))
      .filter((piece) => this.has(piece));
    return this.#pieces;
  }

  /** Visible elements of these names. */
  elements(...names: readonly string[]): PageNode[] {
    return this.roots.flatMap((root) =>
      this.model
        .below(root)
        .filter((node) => names.includes(node.element.name) && !isHidden(node) && this.has(node)),
    );
  }

  /**
   * Typed values in pieces and in texts for assistive technology, each with the smallest node that
   * holds it.
   */
  get places(): readonly Place[] {
    this.#places ??= this.#readPlaces();
    return this.#places;
  }

  #readPlaces(): Place[] {
    const places: Place[] = [];
    for (const piece of this.pieces) {
      for (const value of this.model.typedValues(piece))
        places.push({ value, node: findSmallestHolder(this.model, piece, value) });
      const split = this.#readPriceAround(piece);
      if (split !== undefined) places.push(split);
    }
    for (const root of this.roots)
      for (const node of this.model.below(root)) {
        if (node.spoken === "" || isHidden(node) || !this.has(node)) continue;
        if (!/[\p{L}\d]/u.test(this.model.textOf(node)))
          for (const value of this.model.typedValues(node)) places.push({ value, node });
        // A bare number whose label names the counted items: <span aria-label="2
        // bedrooms">2</span>.
        else if (/^\d{1,4}$/.test(this.model.textOf(node)))
          for (const value of this.model.read(node.spoken))
            if (value.type === "quantity") places.push({ value, node });
      }
    return places.filter(({ node }) => !isHidden(node) && !this.#isOfLinked(node));
  }

  /** The price whose sign is a piece of its own beside other words: "Price", "29.99", "€". */
  #readPriceAround(sign: PageNode): Place | undefined {
    const { model } = this;
    if (sign.to - sign.from > MAX_SIGN || !CURRENCY_SIGN.test(model.lineOf(sign))) return undefined;
    const parent = model.parent(sign);
    if (parent === undefined || parent.to - parent.from > MAX_PRICE_LINE) return undefined;
    const at = sign.from - parent.from;
    const value = model
      .typedValues(parent)
      .find((each) => each.type === "price" && each.at <= at && at < each.at + each.text.length);
    if (value === undefined || /\n/.test(model.textOf(parent))) return undefined;
    const isStruckOut = model.below(parent).some((node) => hasOwnText(node) && isStruck(node));
    return isStruckOut ? undefined : { value, node: parent };
  }

  /** True for the page behind a link at the start of a row: it describes the linked item. */
  #isOfLinked({ index }: PageNode): boolean {
    if (!this.isPage) return false;
    this.#linked ??= joinRanges(listLinkedRowRanges(this.model));
    return isInRanges(this.#linked, index);
  }
}

/**
 * The innermost node of a piece that has the whole value, so that its own state, such as crossed
 * out, is known.
 */
function findSmallestHolder(model: PageModel, piece: PageNode, value: TypedValue): PageNode {
  let found = piece;
  const from = piece.from + value.at;
  const to = from + value.text.length;
  for (const node of model.below(piece))
    if (node.from <= from && node.to >= to && !isHidden(node)) found = node;
  return found;
}

/** Values of one type in a scope. */
export const selectPlacesOfType = ({ places }: VisibleScope, type: ValueType): Place[] =>
  places.filter(({ value }) => value.type === type);

/** Pairs by the position of their label, for scopes that are a small part of the page. */
const sortedPairs = new WeakMap<PageModel, readonly Pair[]>();

function listPairsWithin(model: PageModel, roots: readonly PageNode[]): Pair[] {
  let sorted = sortedPairs.get(model);
  if (sorted === undefined) {
    sorted = model.pairs.toSorted((one, other) => one.labelNode.index - other.labelNode.index);
    sortedPairs.set(model, sorted);
  }
  const all = sorted;
  return roots.flatMap(({ index, end }) => {
    let low = 0;
    let high = all.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((all[middle] as Pair).labelNode.index < index) low = middle + 1;
      else high = middle;
    }
    const found: Pair[] = [];
    for (let at = low; at < all.length && (all[at] as Pair).labelNode.index < end; at += 1)
      found.push(all[at] as Pair);
    return found;
  });
}

/** Records that are separate items, outside the page's main item. */
function findOtherItemRanges(model: PageModel): Range[] {
  const { heading } = model;
  const ranges = model.recordSets
    .filter((set) => set.isAside || isItemList(model, set, heading))
    .flatMap(({ records }) =>
      records.flatMap(({ nodes }) => nodes.map(({ index, end }) => [index, end] as const)),
    )
    .toSorted(([one], [other]) => one - other);
  return joinRanges(ranges);
}

/** Nested and touching ranges are one. */
function joinRanges(sorted: readonly Range[]): Range[] {
  const joined: [number, number][] = [];
  for (const [from, end] of sorted) {
    const last = joined.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], end);
    else joined.push([from, end]);
  }
  return joined;
}

function isInRanges(ranges: readonly Range[], index: number): boolean {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.[1] ?? 0) <= index) low = middle + 1;
    else high = middle;
  }
  const range = ranges[low];
  return range !== undefined && range[0] <= index;
}

/**
 * Cards that are a link, begin with a link and have a price, or have a link and a heading or image
 * each; a short heading with a short value is a label with
 * its value.
 */
function isItemCard(model: PageModel, { nodes }: PageRecord): boolean {
  const inner = nodes.flatMap((node) => model.below(node));
  const links = inner.filter(({ element }) => element.name === "a");
  if (links.length === 0 || !nodes.some((node) => node.to - node.from > 8)) return false;
  const [only] = nodes;
  if (nodes.length === 1 && only?.element.name === "a" && model.pieces(only).length >= 2)
    return true;
  const headings = inner.filter(({ element }) => /^h[2-6]$/.test(element.name));
  const isHeadingLinked = headings.some((heading) =>
    links.some((link) => model.contains(link, heading) || model.contains(heading, link)),
  );
  // A heading with what follows is a section of an article, unless it leads to another page.
  if (nodes.length > 1) return isHeadingLinked;
  if (inner.some(({ element }) => element.name === "img")) return true;
  const [first, ...others] = nodes.flatMap((node) => model.pieces(node));
  const isLinked = first !== undefined && links.some((link) => model.contains(link, first));
  const isPriced = others.some((piece) =>
    model.typedValues(piece).some(({ type }) => type === "price"),
  );
  if (isLinked && isPriced) return true;
  if (headings.length === 0) return false;
  const length = nodes.reduce((sum, { from, to }) => sum + to - from, 0);
  return length > MAX_LABELED || isHeadingLinked;
}

/** Characters of a label with its value. */
const MAX_LABELED = 80;

/** Most of the records are cards of items. */
export function isItemList(
  model: PageModel,
  set: RecordSet,
  heading: PageNode | undefined,
): boolean {
  if (set.records.length < 2) return false;
  const holdsHeading =
    heading !== undefined &&
    set.records.some(({ nodes }) => nodes.some((node) => model.contains(node, heading)));
  if (holdsHeading) return false;
  const cards = set.records.slice(0, 8).filter((record) => isItemCard(model, record));
  return cards.length * 2 > Math.min(8, set.records.length);
}

/** Picks the values in the smallest part of the page that has the main heading and any of them. */
export function selectNearestToHeading(scope: VisibleScope, places: readonly Place[]): Place[] {
  const { model } = scope;
  const { heading } = model;
  if (heading === undefined) return [...places];
  for (let at = model.parent(heading); at !== undefined; at = model.parent(at)) {
    const inside = places.filter(({ node }) => model.contains(at as PageNode, node));
    if (inside.length > 0) return inside;
  }
  return [];
}

/** The nodes with text that are not inside others of them; given and returned in document order. */
export function selectOutermost(model: PageModel, nodes: readonly PageNode[]): PageNode[] {
  const found: PageNode[] = [];
  for (const node of nodes) {
    const last = found.at(-1);
    if (node.to > node.from && (last === undefined || !model.contains(last, node)))
      found.push(node);
  }
  return found;
}
