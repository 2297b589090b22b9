// Joins amounts that a table splits over several columns: "$" | "2,874" | ")". Filings lay out
// financial tables this way, with empty columns as gaps.

type Cell = { readonly text: string; readonly columns: number };
type Row<Each extends Cell> = { readonly cells: readonly (Each | undefined)[] };

const SIGN_BEFORE = /^\(?(?:(?:US|CA|A|HK)?[$€£¥]|[A-Z]{3})$/u;
const SIGN_AFTER = /^(?:\)|\)?\s?[%％]|[%％]\)|x)$/u;

/** What a column is to its neighbors: its own values, a part of the next or of the previous one. */
type ColumnRole = "values" | "before" | "after" | "gap";

/** Returns the rows without the columns of signs, whose texts are joined to their amounts. */
export function joinSplitCells<Each extends Cell, Line extends Row<Each>>(
  rows: readonly Line[],
): readonly Line[] {
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length));
  const roles = Array.from({ length: width }, (_, column) => readRole(rows, column));
  if (!roles.some((role) => role === "before" || role === "after")) return rows;
  return rows.map((row) => ({ ...row, cells: joinCells(row.cells, roles) }));
}

function readRole(rows: readonly Row<Cell>[], column: number): ColumnRole {
  let role: ColumnRole = "gap";
  for (const { cells } of rows) {
    const cell = cells[column];
    if (column === 0) return "values";
    // A header over an amount has the columns of its signs, too.
    if (cell === undefined || cell.columns > 1 || cell.text === "") continue;
    const here = SIGN_BEFORE.test(cell.text)
      ? "before"
      : SIGN_AFTER.test(cell.text)
        ? "after"
        : "values";
    if (here === "values" || (role !== "gap" && role !== here)) return "values";
    role = here;
  }
  return role;
}

function joinCells<Each extends Cell>(
  cells: readonly (Each | undefined)[],
  roles: readonly ColumnRole[],
): (Each | undefined)[] {
  const joined: (Each | undefined)[] = [];
  let before = "";
  for (const [column, cell] of cells.entries()) {
    const role = roles[column] ?? "values";
    const sign = cell === undefined || cell.columns > 1 ? "" : cell.text;
    if (role === "values") {
      joined.push(
        cell === undefined || before === "" || cell.text === ""
          ? cell
          : { ...cell, text: `${before}${cell.text}` },
      );
      before = "";
    } else if (role === "before") before = sign;
    else if (role === "after" && sign !== "") {
      const last = joined.pop();
      joined.push(
        last === undefined || last.text === "" ? last : { ...last, text: last.text + sign },
      );
    }
  }
  return joined;
}

/**
 * Returns the rows without a first column that only indents labels: those of parts have it empty, all
 * others have one cell over both columns.
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
