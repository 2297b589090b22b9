// Header rows of a table: which rows name its columns, and the names that they make together.
import { isCurrencyMark } from "./currency.ts";
import type { FilledRow, RawRow } from "./grid-rows.ts";
import type { PageNode } from "./node.ts";
import type { NodeTree } from "./node-tree.ts";

/** The number of rows at the top that name the columns. */
export function countHeaderRows(tree: NodeTree, rows: readonly FilledRow[]): number {
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
  ((row.cells[0]?.text ?? "") === "" || isUnit(row.cells[0]?.text ?? "")) &&
  row.cells
    .slice(1)
    .every((cell) => cell === undefined || !/\d/.test(cell.text.replaceAll(PERIOD, ""))) &&
  row.cells.slice(1).some((cell) => cell !== undefined && cell.text !== "");

/** True for the unit of a table in place of the name of its first column: "in millions". */
function isUnit(text: string): boolean {
  if (text.length > MAX_UNIT) return false;
  if (/^\(?unaudited\)?$/i.test(text)) return true;
  const [, unit = ""] = BEFORE_UNIT.exec(text) ?? [];
  return unit
    .split(/[\s,;()]+/)
    .slice(0, MAX_UNIT_WORDS)
    .some((word) => SCALE.test(word) || SCALED_CURRENCY.test(word) || isCurrencyMark(word));
}

const MAX_UNIT = 60;
/** Words behind "in" of which one must be a scale or a currency: "in US dollars". */
const MAX_UNIT_WORDS = 3;
const BEFORE_UNIT =
  /^\(?(?:unaudited[;,]? ?)?\(?(?:(?:all )?(?:dollars|euros?|amounts|figures|values) |\p{Sc} ?)?(?:in|en|em|i|w) (.+)$/iu;
/** "In stock" and "En route" begin rows, too: only a scale or a unit says that it is one. */
const SCALE =
  /^(?:thousands?|millions?|billions?|tausend|tsd\.?|millionen|mio\.?|milliarden|mrd\.?|mille|milliers|milliards|miles|millones|migliaia|milioni|miliardi|milhares|milhões|tusental|tusen|miljoner|miljarder|millioner|milliarder|duizend(?:en)?|miljoen(?:en)?|mln|mld|tys\.?|tkr|mkr|mdkr|dollars?|euros?|pounds?|%|％|per ?cent|percentages?|prozent|pourcentages?|porcentajes?|percentuali)$/iu;
/** "TEUR", "M€", "£m". */
const SCALED_CURRENCY =
  /^(?:[MTK](?:EUR|USD|SEK|NOK|DKK|CHF|GBP)|[MTk]\p{Sc}|\p{Sc}(?:m|mn|bn|k))$/iu;

/**
 * Years, days beside a month, dates, quarters and sums of months in the header of a financial
 * table.
 */
const PERIOD =
  /(?<!\d)(?:\d{1,2}[./]\d{1,2}[./])?(?:19|20)\d\d(?!\d)|(?<=\p{L}{3}\.?\s)\d{1,2}(?:st|nd|rd|th)?(?=,|$)|(?<!\d)\d{1,2}\.?(?=\s\p{L}{3})|(?<![\p{L}\d])(?:[QHTS][1-4]|FY\s?\d{2}|\d{1,2}M)(?![\p{L}\d])/gu;

/** Short words over columns of which at least one holds values of another kind. */
export function looksLikeHeader(tree: NodeTree, first: RawRow, rest: readonly RawRow[]): boolean {
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

/** One text per column: those of its header rows, joined by a blank. */
export function joinHeaders(rows: readonly FilledRow[], width: number): string[] {
  return Array.from({ length: width }, (_, column) => {
    const texts = rows.map(({ cells }) => cells[column]?.text ?? "").filter((text) => text !== "");
    return [...new Set(texts)].join(" ");
  });
}
