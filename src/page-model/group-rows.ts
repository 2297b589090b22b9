// Groups of the rows of a table: their titles, their totals, and the grand total of these.
import type { FilledRow, GridCell, GridRow, RawCell } from "./grid-rows.ts";
import { parseNumber, toSigned } from "./parse-number.ts";

/** The whole first text of a row or record that sums up the others; "Total Recall" is a film. */
export const TOTAL =
  /^(?:(?:sub|grand)?[- ]?total|sous-total|summe|zwischensumme|gesamt(?:summe)?|zusammen|insgesamt|total général|résultat de l[’']exercice|totale|totaal|razem|suma|celkem|spolu|összesen|summa|sammanlagt|i alt|yhteensä|toplam|合計|小計|合计|总计|總計|합계|소계|المجموع|итого|всего|(?:(?:kraj|polska)\s)?ogółem|(?:deutschland|österreich|schweiz)\s(?:insgesamt|total)|hela (?:riket|landet|länet)|hele (?:landet|riket)|whole country|all (?:regions|counties|municipalities|areas))\s*[:：]?$/iu;

/**
 * Returns the rows with their groups. A title names the rows below it up to the total of the group.
 * Totals are footers.
 */
export function groupRows(body: readonly FilledRow[], width: number): GridRow[] {
  const rows: GridRow[] = [];
  const totals: Figures[] = [];
  let group = "";
  /** Position behind the last row of a group that its sums end. */
  let end = body.length;
  for (const [at, { node, cells, part }] of body.entries()) {
    if (at === end) group = "";
    const isFoot = part === "tfoot";
    const title = isFoot ? undefined : findTitle(cells, width);
    if (title !== undefined) {
      group = title;
      end = body.length;
      continue;
    }
    const first = (cells[0]?.text ?? "").trim();
    const summed = isFoot ? undefined : findSummedEnd(body, at);
    if (summed !== undefined) {
      group = first;
      end = summed;
    }
    const isTotal = TOTAL.test(first);
    const isFooter = isFoot || isTotal || summed !== undefined;
    if (isFooter && !isFoot && group !== "") totals.push(readFigures(cells));
    rows.push({ node, cells, group, isFooter });
    if (isTotal || isTotalOf(first, group)) group = "";
  }
  return markGrandTotal(rows, totals);
}

/** The title of a group: one cell over most columns, or a text over its parts. */
function findTitle(cells: FilledRow["cells"], width: number): string | undefined {
  const text =
    findSpanningText(cells, width) ?? (isTitle(cells, width) ? cells[0]?.text : undefined);
  return text?.trim().replace(/\s?:$/u, "");
}

/** "Total North" or "North, total" in the group "North". */
function isTotalOf(text: string, group: string): boolean {
  const at = group === "" ? -1 : text.toLowerCase().indexOf(group.toLowerCase());
  if (at === -1) return false;
  const rest = `${text.slice(0, at)} ${text.slice(at + group.length)}`;
  return TOTAL.test(
    rest.replaceAll(/[,–—-]|(?<!\p{L})(?:for|of|für|der|de)(?!\p{L})/giu, "").trim(),
  );
}

const isGroupHeader = (cell: RawCell | undefined): boolean =>
  cell?.node.element.name === "th" &&
  cell.node.element.attribs["scope"] === "rowgroup" &&
  cell.rows === 1;

/** The position behind the rows whose figures add up to those beside the header of a row group. */
function findSummedEnd(body: readonly FilledRow[], at: number): number | undefined {
  const head = body[at];
  if (head === undefined || !isGroupHeader(head.cells[0])) return undefined;
  const own = readFigures(head.cells);
  const parts: Figures[] = [];
  let end: number | undefined;
  const last = Math.min(body.length, at + 1 + MAX_PARTS);
  let to = at + 1;
  for (; to < last && !isGroupHeader(body[to]?.cells[0]); to += 1) {
    const figures = readFigures(body[to]?.cells ?? []);
    parts.push(figures);
    if (figures.some((figure) => figure !== undefined) && isSumOf(own, parts)) end = to + 1;
  }
  // One row may have the figures of the row before it by chance, unless the group ends there.
  return end === at + 2 && to > end ? undefined : end;
}

/** Rows of a group that are added up. */
const MAX_PARTS = 200;

/** The number of each cell but the first one. */
type Figures = readonly (Figure | undefined)[];
type Figure = { readonly amount: number; readonly decimals: number };

const readFigures = (cells: readonly (GridCell | undefined)[]): Figures =>
  cells.slice(1).map((cell) => {
    const written = toSigned(cell?.text ?? "").replaceAll(/\p{Sc}|\s?[%％]$/gu, "");
    const amount = parseNumber(written);
    return amount === undefined
      ? undefined
      : { amount, decimals: `${amount}`.split(".")[1]?.length ?? 0 };
  });

/**
 * True if most numbers of a row are the sums of those of other rows, as far as these are rounded.
 */
function isSumOf(total: Figures, parts: readonly Figures[]): boolean {
  let compared = 0;
  let added = 0;
  for (const [column, figure] of total.entries()) {
    if (figure === undefined) continue;
    const numbers = parts.flatMap((part) => part[column] ?? []);
    if (numbers.length * 2 <= parts.length) continue;
    compared += 1;
    const sum = numbers.reduce((all, { amount }) => all + amount, 0);
    const decimals = Math.max(figure.decimals, ...numbers.map((each) => each.decimals));
    const step = 10 ** -decimals / 2;
    const rounding = step * (numbers.length + 1);
    const allowed = rounding <= Math.abs(figure.amount) * MAX_ROUNDED_SHARE ? rounding : step;
    if (figure.amount !== 0 && Math.abs(sum - figure.amount) <= allowed) added += 1;
  }
  return added * 2 > compared;
}

/** Share of a total above which differences are no rounding. */
const MAX_ROUNDED_SHARE = 0.01;
const MIN_TOTALS = 2;

/** The first or last row outside of all groups may sum up their totals, under any name. */
function markGrandTotal(rows: readonly GridRow[], totals: readonly Figures[]): GridRow[] {
  if (totals.length < MIN_TOTALS) return [...rows];
  return rows.map((row, at) => {
    const mayBe = (at === 0 || at === rows.length - 1) && row.group === "" && !row.isFooter;
    const isTotal = mayBe && isSumOf(readFigures(row.cells), totals);
    return isTotal ? { ...row, isFooter: true } : row;
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

/** "Revenue:" or the header of a row group in a row without figures, above those of its parts. */
const isTitle = ([first, ...rest]: FilledRow["cells"], width: number): boolean =>
  width > 2 &&
  first !== undefined &&
  (/\p{L}\s?:$/u.test(first.text) || (first.text !== "" && isGroupHeader(first))) &&
  rest.every((cell) => cell === undefined || cell.text === "");
