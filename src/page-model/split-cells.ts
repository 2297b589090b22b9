// Joins amounts that a table splits over several columns: "$" | "2,874" | ")". Filings lay out
// financial tables this way, with empty columns as gaps.

import { isCurrencyMark } from "./currency.ts";

type Cell = { readonly text: string; readonly columns: number };
type Row<Each extends Cell> = { readonly cells: readonly (Each | undefined)[] };

const SIGN_AFTER = /^(?:\)|\)?\s?[%％]|[%％]\))$/u;
const isSignBefore = (text: string): boolean => isCurrencyMark(text.replace(/^\(/, ""));

/** An amount, also without its sign or a bracket, or with the mark of a note: "(2,874", "613*". */
const AMOUNT =
  /^\(?\s?[-−–+±]?\s?\p{Sc}?\s?\d[\d.,'’\s]*[%％]?\)?[%％]?(?:\([a-z\d]\)|[*†‡]{1,2})?$/u;
/** What stands for an amount that there is none of. */
const NO_AMOUNT = /^[-−–—]$/u;
/** Share of the filled cells beside signs that must be amounts. */
const MIN_AMOUNTS = 0.8;

/** What a column is to its neighbors: its own values, a part of the next or of the previous one. */
type ColumnRole = "values" | "before" | "after" | "gap";

/** Returns the rows without the columns of signs, whose texts are joined to their amounts. */
export function joinSplitCells<Each extends Cell, Line extends Row<Each>>(
  rows: readonly Line[],
): readonly Line[] {
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length));
  // The first column names the rows.
  const looks = Array.from({ length: width }, (_, column) =>
    column === 0 ? "values" : readRole(rows, column),
  );
  const roles = looks.map((role, column) =>
    role === "gap" || isBesideAmounts(rows, looks, column) ? role : "values",
  );
  if (!roles.some((role) => role === "before" || role === "after")) return rows;
  return rows.map((row) => ({ ...row, cells: joinCells(row.cells, roles) }));
}

/** The text of a cell in one column; a header over an amount has the columns of its signs, too. */
const readText = (cell: Cell | undefined): string =>
  cell === undefined || cell.columns > 1 ? "" : cell.text;

function readRole(rows: readonly Row<Cell>[], column: number): ColumnRole {
  let role: ColumnRole = "gap";
  let code = "";
  for (const { cells } of rows) {
    const text = readText(cells[column]);
    if (text === "") continue;
    const here = isSignBefore(text) ? "before" : SIGN_AFTER.test(text) ? "after" : "values";
    if (here === "values" || (role !== "gap" && role !== here)) return "values";
    role = here;
    // Different codes are what a list of currencies gives.
    if (!/^[A-Z]{3}$/.test(text)) continue;
    if (code !== "" && code !== text) return "values";
    code = text;
  }
  return role;
}

/** True for a column of signs whose neighbor has amounts from the first sign on. */
function isBesideAmounts(
  rows: readonly Row<Cell>[],
  looks: readonly ColumnRole[],
  column: number,
): boolean {
  const isBefore = looks[column] === "before";
  const beside = isBefore ? looks.indexOf("values", column) : looks.lastIndexOf("values", column);
  if (beside === -1) return false;
  const first = rows.findIndex(({ cells }) => readText(cells[column]) !== "");
  const texts = rows
    .slice(first)
    .map(({ cells }) => readText(cells[beside]))
    .filter((text) => text !== "" && !NO_AMOUNT.test(text));
  return texts.filter((text) => AMOUNT.test(text)).length >= texts.length * MIN_AMOUNTS;
}

function joinCells<Each extends Cell>(
  cells: readonly (Each | undefined)[],
  roles: readonly ColumnRole[],
): (Each | undefined)[] {
  const joined: (Each | undefined)[] = [];
  let before = "";
  let isAmount = false;
  for (const [column, cell] of cells.entries()) {
    const role = roles[column] ?? "values";
    if (role === "values") {
      isAmount = cell !== undefined && AMOUNT.test(cell.text);
      const hasSign = isAmount && cell !== undefined && before !== "";
      joined.push(hasSign ? { ...cell, text: before + cell.text } : cell);
      before = "";
    } else if (role === "before") before = readText(cell);
    else if (role === "after" && isAmount && readText(cell) !== "") {
      const last = joined.pop();
      joined.push(last === undefined ? last : { ...last, text: last.text + readText(cell) });
    }
  }
  return joined;
}

/**
 * Returns the rows without a first column that only indents labels: those of parts have it empty,
 * all others have one cell over both columns.
 */
export function joinIndentedLabels<Each extends Cell, Line extends Row<Each>>(
  rows: readonly Line[],
): readonly Line[] {
  const long = rows.filter(({ cells }) => cells.length > MIN_INDENTED);
  const isIndent = ({ cells: [first, second] }: Line): boolean =>
    first === undefined || first.text === "" || first === second;
  const indented = long.filter(
    ({ cells: [first, second] }) => first?.text === "" && (second?.text ?? "") !== "",
  );
  const spread = long.filter(
    ({ cells: [first, second] }) => first !== undefined && first.text !== "" && first === second,
  );
  if (indented.length === 0 || spread.length < 2 || !long.every(isIndent)) return rows;
  return rows.map((row) =>
    row.cells.length > MIN_INDENTED ? { ...row, cells: row.cells.slice(1) } : row,
  );
}

/** Two columns of labels, and one of values. */
const MIN_INDENTED = 2;
