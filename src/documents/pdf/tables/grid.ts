// A grid of words: the cells of a table, however they were found.
import { type TableCell, joinInlineText } from "../layout/block.ts";
import { type InlineOptions, toInlines } from "../layout/inlines.ts";
import { type Box, type Word } from "../page-text.ts";
import { type Piece, toPieces } from "../layout/lines.ts";

export type GridCell = {
  readonly row: number;
  readonly column: number;
  readonly rows: number;
  readonly columns: number;
  readonly words: readonly Word[];
};

export type Grid = Box & {
  readonly rows: number;
  readonly columns: number;
  readonly cells: readonly GridCell[];
  /** Number of header rows. */
  readonly headRows: number;
};

/** Splits the words of a cell into lines from top to bottom. */
export function splitCellLines(words: readonly Word[]): Word[][] {
  const rows: { y1: number; size: number; pieces: Piece[] }[] = [];
  for (const piece of toPieces(words)) {
    const row = rows.at(-1);
    if (row !== undefined && piece.y1 - row.y1 < 0.4 * row.size) row.pieces.push(piece);
    else rows.push({ y1: piece.y1, size: piece.size, pieces: [piece] });
  }
  return rows.map(({ pieces }) =>
    pieces.toSorted((one, other) => one.x0 - other.x0).flatMap(({ words: part }) => part),
  );
}

/**
 * Returns the rows of the table with cell contents. A position without a cell becomes an empty one.
 */
export function toTableRows(grid: Grid, options: InlineOptions): TableCell[][] {
  const covered = new Set<number>();
  const byPlace = new Map<number, GridCell>();
  for (const cell of grid.cells) {
    byPlace.set(cell.row * grid.columns + cell.column, cell);
    for (let row = cell.row; row < cell.row + cell.rows; row++)
      for (let column = cell.column; column < cell.column + cell.columns; column++)
        if (row !== cell.row || column !== cell.column) covered.add(row * grid.columns + column);
  }
  const rows = Array.from({ length: grid.rows }, (_, row) =>
    Array.from({ length: grid.columns }, (__, column): TableCell | undefined => {
      const cell = byPlace.get(row * grid.columns + column);
      const header = row < grid.headRows;
      if (cell !== undefined) {
        const content = toInlines(splitCellLines(cell.words), { ...options, plain: header });
        return { content, columns: cell.columns, rows: cell.rows, header };
      }
      return covered.has(row * grid.columns + column)
        ? undefined
        : { content: [], columns: 1, rows: 1, header };
    }).filter((cell) => cell !== undefined),
  );
  return rows.filter((row) => !isTypedRule(row));
}

/** True for a row of dashes or equals signs, a typed rule. */
function isTypedRule(row: readonly TableCell[]): boolean {
  const texts = row
    .map(({ content }) => joinInlineText(content).trim())
    .filter((text) => text !== "");
  return (
    texts.length > 0 &&
    texts.every((text) => /^[-=_~\u2500-\u2550–—+]{3,}$/u.test(text)) &&
    row.every((cell) => cell.rows === 1)
  );
}
