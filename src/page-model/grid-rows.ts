// The rows of a table: its cells as written, and in all columns and rows that they span.
import type { PageNode } from "./node.ts";

/** Columns of a table that are read. */
export const MAX_COLUMNS = 60;

export type GridCell = {
  readonly node: PageNode;
  /** Its text in one line. */
  readonly text: string;
  readonly isHeader: boolean;
};

/** A cell with the columns and rows that it spans. */
export type RawCell = GridCell & { readonly columns: number; readonly rows: number };
export type RawRow = {
  readonly node: PageNode;
  readonly cells: readonly RawCell[];
  readonly part: string;
};

export type FilledRow = {
  readonly node: PageNode;
  readonly cells: readonly (RawCell | undefined)[];
  readonly part: string;
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

/** Puts each cell into all columns and rows it spans. */
export function fillSpans(rows: readonly RawRow[]): FilledRow[] {
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
