// Tables as grids: spans filled in, header rows joined, row headers found. `<table>`, ARIA tables
// and CSS grids of cells.
import { foldSpace } from "../html/parse/tree.ts";
import { isHidden, isStruck, type PageNode } from "./node.ts";
import { countColumns } from "./grid-styles.ts";
import { labelGridCells } from "./label-grid.ts";
import type { NodeTree } from "./node-tree.ts";
import { joinIndentedLabels, joinSplitCells } from "./split-cells.ts";

export type GridCell = {
  readonly node: PageNode;
  /** Its text in one line. */
  readonly text: string;
  readonly isHeader: boolean;
};

export type GridRow = {
  readonly node: PageNode;
  /**
   * One cell per column; undefined where the row has none. A spanning cell is repeated in each of
   * its columns.
   */
  readonly cells: readonly (GridCell | undefined)[];
  /** Text of a row that spans the table above it, such as a group's name. */
  readonly group: string;
  /** In `tfoot`, or a total. */
  readonly isFooter: boolean;
};

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
const MAX_COLUMNS = 60;
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

type RawCell = GridCell & { readonly columns: number; readonly rows: number };
type RawRow = {
  readonly node: PageNode;
  readonly cells: readonly RawCell[];
  readonly part: string;
};

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
  let group = "";
  const rows: GridRow[] = [];
  for (const { node: row, cells, part } of body) {
    const spanning = findSpanningText(cells, width);
    if (spanning !== undefined && part !== "tfoot") {
      group = spanning;
      continue;
    }
    const first = cells[0]?.text ?? "";
    if (isGroupTitle(cells, width)) {
      group = first.slice(0, -1);
      continue;
    }
    rows.push({ node: row, cells, group, isFooter: part === "tfoot" || TOTAL.test(first) });
  }
  if (rows.length === 0) return undefined;
  const hasRowHeaders = rows.filter(({ cells }) => cells[0]?.isHeader).length * 2 > rows.length;
  const heads = headRows === 0 ? [] : (filled[headRows - 1]?.cells ?? []);
  return { node, caption, headers, heads, rows, hasRowHeaders, isCut };
}

/** The whole first text of a row or record that sums up the others; "Total Recall" is a film. */
export const TOTAL =
  /^(?:(?:sub|grand)?[- ]?total|sous-total|summe|zwischensumme|gesamt(?:summe)?|zusammen|insgesamt|total général|résultat de l[’']exercice|totale|totaal|razem|suma|celkem|spolu|összesen|summa|sammanlagt|i alt|yhteensä|toplam|合計|小計|合计|总计|總計|합계|소계|المجموع|итого|всего|hela (?:riket|landet|länet)|hele (?:landet|riket)|whole country|all (?:regions|counties|municipalities|areas))\s*[:：]?$/iu;

type FilledRow = {
  readonly node: PageNode;
  readonly cells: readonly (RawCell | undefined)[];
  readonly part: string;
};

/** Puts each cell into all columns and rows it spans. */
function fillSpans(rows: readonly RawRow[]): FilledRow[] {
  const pending: { cell: RawCell; left: number }[] = [];
  return rows.map(({ node, cells, part }) => {
    const line: (RawCell | undefined)[] = [];
    let next = 0;
    for (let column = 0; column < MAX_COLUMNS; column += 1) {
      const hanging = pending[column];
      if (hanging !== undefined && hanging.left > 0) {
        line[column] = hanging.cell;
        hanging.left -= 1;
        continue;
      }
      const cell = cells[next];
      if (cell === undefined) {
        if (column >= pending.length) break;
        line[column] = undefined;
        continue;
      }
      next += 1;
      for (let span = 0; span < cell.columns && column + span < MAX_COLUMNS; span += 1) {
        line[column + span] = cell;
        pending[column + span] = { cell, left: cell.rows - 1 };
      }
      column += cell.columns - 1;
    }
    while (line.length > 0 && line.at(-1) === undefined) line.pop();
    return { node, cells: line, part };
  });
}

/** Rows at the top that name the columns. */
function countHeaderRows(tree: NodeTree, rows: readonly FilledRow[]): number {
  let count = 0;
  while (count < rows.length - 1 && rows[count]?.part === "thead") count += 1;
  if (count > 0) return count;
  while (
    count < rows.length - 1 &&
    count < 4 &&
    isHeaderRow(rows[count]) &&
    // One cell over the whole width below a header names a part of the table.
    (count === 0 || new Set(rows[count]?.cells).size > 1)
  )
    count += 1;
  if (count > 0) return count;
  // Rows without a name that contain words or years: the header of a financial table.
  while (count < rows.length - 1 && count < 3 && isFinancialHeader(rows[count])) count += 1;
  if (count > 0) return count;
  const [first, ...rest] = rows;
  if (first === undefined || first.cells.length < 2) return 0;
  const cells = first.cells.filter((cell) => cell !== undefined);
  const rawRest = rest.map((row) => ({
    ...row,
    cells: row.cells.filter((cell) => cell !== undefined),
  }));
  return looksLikeHeader(tree, { ...first, cells }, rawRest) ? 1 : 0;
}

const isHeaderRow = (row: FilledRow | undefined): boolean =>
  row !== undefined &&
  row.cells.length > 1 &&
  row.cells.every((cell) => cell === undefined || cell.isHeader || cell.text === "") &&
  row.cells.some((cell) => cell?.isHeader);

const isFinancialHeader = (row: FilledRow | undefined): boolean =>
  row !== undefined &&
  row.cells.length > 1 &&
  ((row.cells[0]?.text ?? "") === "" || UNIT.test(row.cells[0]?.text ?? "")) &&
  row.cells
    .slice(1)
    .every((cell) => cell === undefined || !/\d/.test(cell.text.replaceAll(PERIOD, ""))) &&
  row.cells.slice(1).some((cell) => cell !== undefined && cell.text !== "");

/** The unit of a table in place of the name of its first column. */
const UNIT =
  /^\(?(?:unaudited|in|dollars in|amounts in|en|in)\s?(?:thousands|millions|millionen|tausend|tsd|mio|milliers|miles|millones|migliaia|milioni)?(?![\p{L}\s]{20}).{0,40}$/iu;

/** Years, days beside a month, dates, quarters and sums of months in the header of a financial table. */
const PERIOD =
  /(?<!\d)(?:\d{1,2}[./]\d{1,2}[./])?(?:19|20)\d\d(?!\d)|(?<=\p{L}{3}\.?\s)\d{1,2}(?:st|nd|rd|th)?(?=,|$)|(?<!\d)\d{1,2}\.?(?=\s\p{L}{3})|(?<![\p{L}\d])(?:[QHTS][1-4]|FY\s?\d{2}|\d{1,2}M)(?![\p{L}\d])/gu;

/** Short words over columns of which at least one holds values of another kind. */
function looksLikeHeader(tree: NodeTree, first: RawRow, rest: readonly RawRow[]): boolean {
  if (rest.length === 0 || first.cells.some(({ text }) => text.length > 60)) return false;
  // An address is a value, never the name of a column.
  if (first.cells.some(({ text }) => /\S@\S|:\/\//.test(text))) return false;
  const named = first.cells.filter(({ text }) => /\p{L}/u.test(text) && !/\d{2}/.test(text));
  if (named.length * 3 < first.cells.length * 2) return false;
  if (first.cells.every(({ node }) => isBold(tree, node))) return true;
  return first.cells.some(({ text }, column) => {
    if (/\d/.test(text)) return false;
    const below = rest.slice(0, 20).map(({ cells }) => cells[column]?.text ?? "");
    const filled = below.filter((value) => value !== "");
    return (
      filled.length > 0 &&
      filled.filter((value) => /\d/.test(value)).length * 5 >= filled.length * 4
    );
  });
}

function isBold(tree: NodeTree, cell: PageNode): boolean {
  return tree
    .below(cell)
    .some(
      ({ element: { name }, from, to }) =>
        (name === "b" || name === "strong") && from === cell.from && to === cell.to,
    );
}

function joinHeaders(rows: readonly FilledRow[], width: number): string[] {
  return Array.from({ length: width }, (_, column) => {
    const texts = rows.map(({ cells }) => cells[column]?.text ?? "").filter((text) => text !== "");
    return [...new Set(texts)].join(" ");
  });
}

/** The text of a row that is one cell over most of the columns. */
function findSpanningText(
  cells: readonly (RawCell | undefined)[],
  width: number,
): string | undefined {
  const different = new Set(cells.filter((cell) => cell !== undefined && cell.text !== ""));
  const [only] = different;
  if (different.size !== 1 || only === undefined) return undefined;
  return only.columns * 2 > width || (only.isHeader && cells.length === 1) ? only.text : undefined;
}

/** "Revenue:" in a row without figures, above those of its parts. */
const isGroupTitle = ([first, ...rest]: FilledRow["cells"], width: number): boolean =>
  width > 2 &&
  first !== undefined &&
  /\p{L}\s?:$/u.test(first.text) &&
  rest.every((cell) => cell === undefined || cell.text === "");

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
