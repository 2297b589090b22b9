// A page for extractors: the page model, and facts about nodes for sources and learning.
import type { Document } from "domhandler";
import { resolveBaseUrl, resolveUrl } from "../html/links/base-url.ts";
import { numberOrder } from "../html/metadata/date-text.ts";
import type { PageNode } from "../page-model/node.ts";
import { PageModel } from "../page-model/page-model.ts";
import type { Pair } from "../page-model/pairs.ts";
import { foldLabel } from "./fold-label.ts";
import { readPageData, type PageData } from "./page-data.ts";

export type PageSource = {
  readonly document: Document;
  /** Final URL. */
  readonly url: string;
  readonly language?: string | undefined;
};

/** The part of a page that paths start from: the whole page, or one record. */
export type Scope = {
  /** Index of its first node. */
  readonly from: number;
  /** Index after its last node. */
  readonly to: number;
  /** The node of `.`; undefined for the page and for records of several siblings. */
  readonly root: PageNode | undefined;
  /** Records within the record, in document order; their content is excluded. */
  readonly holes?: readonly Scope[];
};

export const isInScope = ({ index }: PageNode, { from, to, holes }: Scope): boolean =>
  index >= from &&
  index < to &&
  (holes === undefined || !holes.some((hole) => index >= hole.from && index < hole.to));

const MAX_LABEL = 80;
/**
 * Maximum ancestors of a value in which its label is searched, and characters of the largest one.
 */
const MAX_AROUND = 4;
const MAX_VALUE_CHARACTERS = 600;

export class ExtractorPage {
  readonly model: PageModel;
  readonly url: string;
  readonly #document: Document;
  #base: string | undefined;
  #data: PageData | undefined;
  #flat: string | undefined;
  #pairs: Map<string, Pair[]> | undefined;
  #pairsByNode: Map<number, Pair[]> | undefined;
  #headings: readonly PageNode[] | undefined;
  #columns: Map<number, string> | undefined;
  #positions: Int32Array | undefined;
  #backPositions: Int32Array | undefined;

  constructor({ document, url, language }: PageSource) {
    const order = numberOrder(language, URL.parse(url)?.hostname ?? "");
    this.model = new PageModel(document, { order });
    this.url = url;
    this.#document = document;
  }

  get scope(): Scope {
    return { from: 0, to: this.model.nodes.length, root: undefined };
  }

  /**
   * The visible text with plain blanks for line breaks and other blanks; offsets are those of
   * `model.text`.
   */
  get flat(): string {
    this.#flat ??= this.model.text.replaceAll(/[\n\u00A0\u2009\u202F]/g, " ");
    return this.#flat;
  }

  textOf({ from, to }: PageNode): string {
    return this.flat.slice(from, to);
  }

  get data(): PageData {
    this.#data ??= readPageData(this.#document);
    return this.#data;
  }

  resolve(written: string): string | undefined {
    this.#base ??= resolveBaseUrl(this.#document, this.url);
    return resolveUrl(written, this.#base);
  }

  /**
   * The words before a node within a scope: of the same line, else of the line before; "" without
   * any.
   */
  labelBefore(node: PageNode, scope: Scope): string {
    const start = this.model.nodes[scope.from]?.from ?? 0;
    const before = this.model.text
      .slice(Math.max(start, node.from - MAX_LABEL - 40), node.from)
      .trimEnd();
    const line = before.slice(before.lastIndexOf("\n") + 1);
    return line.length > MAX_LABEL ? "" : foldLabel(line);
  }

  /** Labels with their values, by folded label. */
  pairsOf(label: string): readonly Pair[] {
    this.#pairs ??= Map.groupBy(this.model.pairs, (pair) => foldLabel(pair.label));
    return this.#pairs.get(label) ?? [];
  }

  /** Labels whose value is this node. */
  labelsOf(node: PageNode): readonly Pair[] {
    this.#pairsByNode ??= Map.groupBy(this.model.pairs, (pair) => pair.node.index);
    return this.#pairsByNode.get(node.index) ?? [];
  }

  /** Folded labels of a node: the words before it, and labels of a value that contains it. */
  labelsAround(node: PageNode, scope: Scope): Set<string> {
    const labels = new Set([this.labelBefore(node, scope)]);
    let at: PageNode | undefined = node;
    for (let left = MAX_AROUND; left > 0 && at !== undefined && at.index >= scope.from; left -= 1) {
      if (at.to - at.from > MAX_VALUE_CHARACTERS) break;
      for (const { label } of this.labelsOf(at)) labels.add(foldLabel(label));
      at = this.model.parent(at);
    }
    labels.delete("");
    return labels;
  }

  /** The folded header of a cell's column; "" for other nodes. */
  columnOf(node: PageNode): string {
    this.#columns ??= this.#readColumns();
    return this.#columns.get(node.index) ?? "";
  }

  /** The last visible heading of a tag before a scope. */
  headingAbove(tag: string, { from }: Scope): PageNode | undefined {
    this.#headings ??= this.model.nodes.filter(
      (node) => /^h[1-6]$/.test(node.element.name) && node.to > node.from,
    );
    return this.#headings.findLast((node) => node.index < from && node.element.name === tag);
  }

  /** Position of a node among the siblings of its tag, from 1. */
  positionOf({ index }: PageNode): number {
    this.#positions ??= this.#countSiblings(false);
    return this.#positions[index] ?? 0;
  }

  /** Position among the siblings of its tag from the end, -1 for the last. */
  backPositionOf({ index }: PageNode): number {
    this.#backPositions ??= this.#countSiblings(true);
    return -(this.#backPositions[index] ?? 0);
  }

  #countSiblings(fromEnd: boolean): Int32Array {
    const { nodes } = this.model;
    const positions = new Int32Array(nodes.length);
    const counts = new Map<string, number>();
    for (let step = 0; step < nodes.length; step += 1) {
      const node = nodes[fromEnd ? nodes.length - 1 - step : step] as PageNode;
      const key = `${node.parent} ${node.element.name}`;
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      positions[node.index] = count;
    }
    return positions;
  }

  #readColumns(): Map<number, string> {
    const columns = new Map<number, string>();
    for (const { headers, rows } of this.model.grids)
      for (const { cells } of rows)
        for (const [at, cell] of cells.entries()) {
          const header = foldLabel(headers[at] ?? "");
          if (cell !== undefined && header !== "" && !columns.has(cell.node.index))
            columns.set(cell.node.index, header);
        }
    return columns;
  }
}
