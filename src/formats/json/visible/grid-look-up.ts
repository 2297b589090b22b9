// Looks up one value of a table by row and column: `q3_2026_revenue` is the cell of row "Revenue"
// and column "Q3 2026".
import { isAside, type PageNode } from "../../../page-model/node.ts";
import type { Grid } from "../../../page-model/grids.ts";
import type { GridCell, GridRow } from "../../../page-model/grid-rows.ts";
import type { PageModel } from "../../../page-model/page-model.ts";
import { toSingularWords } from "../names/names.ts";

export type LookupResult = {
  readonly cell: GridCell;
  readonly grid: Grid;
  readonly row: GridRow;
  /** Index of the column. */
  readonly column: number;
};

/** Words about the form of a number, which are in neither row nor column. */
const FORM: ReadonlySet<string> = new Set([
  "amount",
  "value",
  "total",
  "count",
  "number",
  "percent",
  "usd",
  "eur",
  "gbp",
  "million",
  "thousand",
  "nok",
  "sek",
  "dkk",
  "chf",
  "jpy",
  "in",
  "per",
]);

/**
 * Returns the only cell whose row and column together name all words of a property. The row and the
 * column must each have a word that the other lacks; undefined if several cells match.
 */
export function lookUpCell(
  model: PageModel,
  words: readonly string[],
  columnWords: ReadonlySet<string> = NONE,
): LookupResult | undefined {
  if (words.length < 2 && columnWords.size === 0) return undefined;
  const found: LookupResult[] = [];
  for (const grid of model.grids.slice(0, MAX_GRIDS)) {
    if (isAside(grid.node)) continue;
    const columns = grid.headers.map((header) => new Set(toSingularWords(header)));
    const title = new Set(toSingularWords(grid.caption));
    for (const row of grid.rows.slice(0, 500)) {
      const [first] = row.cells;
      if (first === undefined) continue;
      const names = new Set([...toSingularWords(first.text), ...toSingularWords(row.group)]);
      if (![...names].some((name) => words.includes(name))) continue;
      const own = toSingularWords(first.text);
      for (const [at, cell] of row.cells.entries()) {
        const column = columns[at];
        if (at === 0 || cell === undefined || column === undefined || cell.text === "") continue;
        const isFound =
          columnWords.size === 0
            ? fits(words, names, own, column, title)
            : isRowOf(words, own) && isColumnOf(columnWords, column);
        if (isFound) found.push({ cell, grid, row, column: at });
      }
    }
  }
  const different = new Set(found.map(({ cell }) => cell.text));
  return different.size === 1 ? found[0] : undefined;
}

/** The place of a cell in its table. */
export function findCell(model: PageModel, node: PageNode): LookupResult | undefined {
  for (const grid of model.grids) {
    if (!model.contains(grid.node, node)) continue;
    for (const row of grid.rows) {
      const column = row.cells.findIndex((cell) => cell?.node === node);
      const cell = row.cells[column];
      if (cell !== undefined) return { cell, grid, row, column };
    }
  }
  return undefined;
}

const NONE: ReadonlySet<string> = new Set();

/** The row has the name of the property. */
const isRowOf = (words: readonly string[], own: readonly string[]): boolean =>
  own.length > 0 &&
  own.every((word) => words.includes(word) || STOP.has(word)) &&
  words.every((word) => own.includes(word) || FORM.has(word));

/** All words of a column's name, including one with a digit, are in the description. */
const isColumnOf = (described: ReadonlySet<string>, column: ReadonlySet<string>): boolean =>
  [...column].some((word) => /\d/.test(word)) &&
  [...column].every((word) => described.has(word) || STOP.has(word));

function fits(
  words: readonly string[],
  row: ReadonlySet<string>,
  own: readonly string[],
  column: ReadonlySet<string>,
  title: ReadonlySet<string>,
): boolean {
  const isNamed = words.every(
    (word) => row.has(word) || column.has(word) || title.has(word) || FORM.has(word),
  );
  if (!isNamed) return false;
  const fromRow = words.filter((word) => row.has(word) && !column.has(word));
  const fromColumn = words.filter((word) => column.has(word) && !row.has(word));
  // `income` does not match "Operating income": all words of the row's name must be in the
  // property.
  const isWhole = own
    .filter((word) => !/^\d+$/.test(word))
    .every((word) => words.includes(word) || STOP.has(word));
  return fromRow.length > 0 && fromColumn.length > 0 && isWhole;
}

const MAX_GRIDS = 40;

const STOP: ReadonlySet<string> = new Set([
  "of",
  "the",
  "and",
  "in",
  "for",
  "per",
  "de",
  "la",
  "le",
  "und",
  "der",
  "die",
]);

/** The cell of such a row and such a column; undefined for none or different ones. */
export function lookUpInColumn(
  model: PageModel,
  isColumn: (grid: Grid, column: number) => boolean,
  isRow: (label: string) => boolean,
): LookupResult | undefined {
  const found = model.grids
    .filter(({ node }) => !isAside(node))
    .slice(0, MAX_GRIDS)
    .flatMap((grid) => listCells(grid, isColumn, isRow));
  return new Set(found.map(({ cell }) => cell.text)).size === 1 ? found[0] : undefined;
}

function listCells(
  grid: Grid,
  isColumn: (grid: Grid, column: number) => boolean,
  isRow: (label: string) => boolean,
): LookupResult[] {
  const columns = grid.headers.flatMap((_, at) => (at > 0 && isColumn(grid, at) ? [at] : []));
  const [column, other] = columns;
  if (column === undefined || other !== undefined) return [];
  return grid.rows.flatMap((row) => {
    const cell = row.cells[column];
    const isFound = cell !== undefined && /\d/.test(cell.text) && isRow(row.cells[0]?.text ?? "");
    return isFound ? [{ cell, grid, row, column }] : [];
  });
}
