// Tables as grids: spans filled in, header rows joined, row headers found. `<table>`, ARIA tables
// and CSS grids of cells.
import { foldSpace } from "../html/parse/tree.ts";
import { groupRows } from "./group-rows.ts";
import {
  fillSpans,
  MAX_COLUMNS,
  type FilledRow,
  type GridCell,
  type GridRow,
  type RawCell,
  type RawRow,
} from "./grid-rows.ts";
import { countColumns } from "./grid-styles.ts";
import { countHeaderRows, joinHeaders, looksLikeHeader } from "./header-rows.ts";
import { labelGridCells } from "./label-grid.ts";
import { isHidden, isStruck, type PageNode } from "./node.ts";
import type { NodeTree } from "./node-tree.ts";
import { joinIndentedLabels, joinSplitCells } from "./split-cells.ts";

export type Grid = {
  readonly node: PageNode;
  readonly caption: string;
  /** One text per column; header rows joined by a blank, "" where the column has none. */
  readonly headers: readonly string[];
  /** The cells that name the columns, from the last header row. */
  readonly heads: readonly (GridCell | undefined)[];
  readonly rows: readonly GridRow[];
  /** The first column names the rows. */
  readonly hasRowHeaders: boolean;
  /** Rows past the limit were left out. */
  readonly isCut: boolean;
};

const MAX_ROWS = 5_000;
const MAX_CELL = 2_000;

export function readGrids(tree: NodeTree): Grid[] {
  const grids: Grid[] = [];
  for (const node of tree.nodes) {
    if (isHidden(node)) continue;
    const { name, attribs } = node.element;
    const role = attribs["role"];
    const isTable = name === "table" && role !== "presentation" && role !== "none";
    const grid =
      isTable || role === "table" || role === "grid" || role === "treegrid"
        ? readTable(tree, node)
        : (readCssGrid(tree, node) ?? readGridOfRows(tree, node));
    if (grid !== undefined) grids.push(grid);
  }
  return grids;
}

function readTable(tree: NodeTree, table: PageNode): Grid | undefined {
  const rows: RawRow[] = [];
  let caption = "";
  let isCut = false;
  for (let at = table.index + 1; at < table.end;) {
    const node = tree.nodes[at] as PageNode;
    const { name, attribs } = node.element;
    const role = attribs["role"];
    const isNested = name === "table" || role === "table" || role === "grid";
    if (isHidden(node) || isNested) at = node.end;
    else if (name === "caption") {
      caption = tree.lineOf(node);
      at = node.end;
    } else if (name === "tr" || role === "row") {
      if (rows.length >= MAX_ROWS) {
        isCut = true;
        break;
      }
      rows.push({ node, cells: readCells(tree, node), part: getTablePart(tree, node, table) });
      at = node.end;
    } else at += 1;
  }
  return toGrid(tree, table, rows, caption, isCut);
}

function getTablePart(tree: NodeTree, row: PageNode, table: PageNode): string {
  for (let at = tree.parent(row); at !== undefined && at !== table; at = tree.parent(at))
    if (/^t(?:head|body|foot)$/.test(at.element.name)) return at.element.name;
  return "";
}

const CELL_ROLES: ReadonlySet<string> = new Set(["cell", "gridcell", "columnheader", "rowheader"]);

function readCells(tree: NodeTree, row: PageNode): RawCell[] {
  const cells: RawCell[] = [];
  for (const node of tree.children(row)) {
    const { name, attribs } = node.element;
    const role = attribs["role"] ?? "";
    if (isHidden(node) || (name !== "td" && name !== "th" && !CELL_ROLES.has(role))) continue;
    cells.push({
      node,
      text: (readAbbreviationTitle(tree, node) ?? tree.lineOf(node)).slice(0, MAX_CELL),
      isHeader: name === "th" || role === "columnheader" || role === "rowheader",
      columns: toSpan(attribs["colspan"] ?? attribs["aria-colspan"], MAX_COLUMNS),
      rows: toSpan(attribs["rowspan"] ?? attribs["aria-rowspan"], MAX_ROWS),
    });
  }
  return cells;
}

/** The long form of a column's name, such as "Goal difference" of `<abbr>GD</abbr>`. */
function readAbbreviationTitle(tree: NodeTree, cell: PageNode): string | undefined {
  const { name, attribs } = cell.element;
  if (name !== "th" && attribs["role"] !== "columnheader") return undefined;
  const text = tree.textOf(cell);
  if (text === "" || text.length > MAX_ABBREVIATION) return undefined;
  const titles = tree
    .below(cell)
    .filter(({ to, from }) => to - from === cell.to - cell.from)
    .map(({ element: { attribs: own } }) => own["abbr"] ?? own["title"] ?? own["aria-label"] ?? "")
    .map((title) => foldSpace(title).trim())
    .filter((title) => title.length > text.length && /\p{L}/u.test(title));
  return new Set(titles).size === 1 ? titles[0] : undefined;
}

const MAX_ABBREVIATION = 6;

function toSpan(written: string | undefined, limit: number): number {
  const span = Number(written ?? 1);
  if (span === 0) return limit;
  return Number.isInteger(span) && span > 0 ? Math.min(span, limit) : 1;
}

/** Cells of one CSS grid in its source order, `columns` a row: the first row may be a header. */
function readCssGrid(tree: NodeTree, node: PageNode): Grid | undefined {
  const columns = readCssColumns(tree, node);
  if (columns === undefined || labelGridCells(tree, node) !== undefined) return undefined;
  const cells = tree.children(node).filter((child) => !isHidden(child));
  if (cells.length < columns * 2 || cells.length % columns !== 0) return undefined;
  // Cells hold one short text each; cards are records.
  if (cells.some((cell) => cell.to - cell.from > 120 || tree.pieces(cell).length > 2))
    return undefined;
  const rows: RawRow[] = [];
  for (let at = 0; at < cells.length && rows.length < MAX_ROWS; at += columns)
    rows.push({
      node: cells[at] as PageNode,
      part: "",
      cells: cells.slice(at, at + columns).map((cell) => ({
        node: cell,
        text: tree.lineOf(cell),
        isHeader: false,
        columns: 1,
        rows: 1,
      })),
    });
  const [first, ...rest] = rows;
  if (first === undefined) return undefined;
  const isHeader = looksLikeHeader(tree, first, rest);
  if (!isHeader) return undefined;
  const head = { ...first, part: "thead" };
  return toGrid(tree, node, [head, ...rest], "", cells.length / columns > MAX_ROWS);
}

const MIN_GRID_ROWS = 3;
const MIN_GRID_COLUMNS = 3;

/** Rows that are CSS grids of as many cells as columns each, the first one of headers. */
function readGridOfRows(tree: NodeTree, node: PageNode): Grid | undefined {
  const children = tree.children(node).filter((child) => !isHidden(child) && child.to > child.from);
  const [head] = children;
  if (head === undefined || children.length < MIN_GRID_ROWS) return undefined;
  const columns = readCssColumns(tree, head);
  if (columns === undefined || columns < MIN_GRID_COLUMNS) return undefined;
  const rows: RawRow[] = [];
  for (const child of children.slice(0, MAX_ROWS + 1)) {
    const cells = tree.children(child).filter((cell) => !isHidden(cell));
    if (readCssColumns(tree, child) !== columns || cells.length !== columns) return undefined;
    rows.push({
      node: child,
      part: "",
      cells: cells.map((cell) => ({
        node: cell,
        text: tree.lineOf(cell),
        isHeader: false,
        columns: 1,
        rows: 1,
      })),
    });
  }
  const [first, ...rest] = rows;
  if (first === undefined || first.cells.some(({ text }) => text === "")) return undefined;
  if (!looksLikeHeader(tree, first, rest)) return undefined;
  return toGrid(tree, node, [{ ...first, part: "thead" }, ...rest], "", children.length > MAX_ROWS);
}

function readCssColumns(tree: NodeTree, node: PageNode): number | undefined {
  const named = /(?:^|\s)(?:[a-z]{2}:)?grid-cols-(\d{1,2})(?=\s|$)/.exec(
    node.element.attribs["class"] ?? "",
  )?.[1];
  const declared = countColumns(tree.readGridColumns(node));
  const columns = declared === 0 ? Number(named ?? 0) : declared;
  return columns >= 2 && columns <= MAX_COLUMNS ? columns : undefined;
}

function toGrid(
  tree: NodeTree,
  node: PageNode,
  raw: readonly RawRow[],
  caption: string,
  isCut: boolean,
): Grid | undefined {
  const filled = joinIndentedLabels<RawCell, FilledRow>(
    joinSplitCells<RawCell, FilledRow>(fillSpans(raw)),
  );
  const width = Math.max(0, ...filled.map(({ cells }) => cells.length));
  if (filled.length < 2 || width < 2) return undefined;
  const headRows = countHeaderRows(tree, filled);
  const body = filled.slice(headRows);
  const headers = joinHeaders(filled.slice(0, headRows), width);
  const rows = groupRows(body, width);
  if (rows.length === 0) return undefined;
  const hasRowHeaders = rows.filter(({ cells }) => cells[0]?.isHeader).length * 2 > rows.length;
  const heads = headRows === 0 ? [] : (filled[headRows - 1]?.cells ?? []);
  return { node, caption, headers, heads, rows, hasRowHeaders, isCut };
}

/** Text of a cell without what is crossed out in it. */
export function readCurrentText(
  tree: NodeTree,
  { node, text }: Pick<GridCell, "node" | "text">,
): string {
  const struck = tree.below(node).filter(isStruck);
  if (struck.length === 0) return text;
  const parts: string[] = [];
  let at = node.from;
  for (const { from, to } of struck) {
    if (from > at) parts.push(tree.text.slice(at, from));
    at = Math.max(at, to);
  }
  parts.push(tree.text.slice(at, node.to));
  return parts.join("").replaceAll(/\s+/g, " ").trim();
}
