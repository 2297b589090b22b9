// Formats a grid of cell texts as a GFM table. https://github.github.com/gfm/#tables-extension-

export type Cell = {
  readonly text: string;
  readonly columns: number;
  readonly rows: number;
  readonly isHeader: boolean;
  readonly align: "" | "left" | "center" | "right";
};

export type Row = { readonly cells: readonly Cell[]; readonly inHead: boolean };

/**
 * Spans are expanded and rows filled only while the grid stays within this factor of the page's
 * real cells.
 */
const MAX_GROWTH = 8;

/**
 * Formats rows as a GFM table, or returns "" if they are empty. For cells with spans see `toGrid`.
 */
export function toTable(rows: readonly Row[]): string {
  const filled = rows.filter((row) => row.cells.length > 0);
  if (!filled.some((row) => row.cells.some((cell) => cell.text !== ""))) return "";
  const grid = toGrid(filled);
  const width = grid.reduce((max, line) => Math.max(max, line.length), 0);
  const used = findUsedColumns(grid, width);
  const lines: string[] = [];
  const header = hasHeaderRow(filled);
  const align = findAlignment(filled, width);
  const room = limitColumns(filled);
  const isRagged = used.length * grid.length > room;
  /**
   * GFM treats missing cells at the end of a row as empty. They are omitted if one row is much
   * wider than the others.
   */
  const write = (line: readonly string[], isShort = false): void => {
    const parts: string[] = [];
    for (const column of used) {
      if (isShort && column >= line.length) break;
      parts.push(line[column] ?? "");
    }
    lines.push(`| ${parts.join(" | ")} |`);
  };
  write(header ? (grid[0] ?? []) : []);
  lines.push(`| ${used.map((column) => align[column] ?? "---").join(" | ")} |`);
  for (let index = header ? 1 : 0; index < grid.length; index++) {
    const line = grid[index] as string[];
    if (line.some((text) => text !== "")) write(line, isRagged);
  }
  return lines.join("\n");
}

const limitColumns = (rows: readonly Row[]): number =>
  rows.reduce((sum, row) => sum + row.cells.length, 0) * MAX_GROWTH + 1_000;

/**
 * Expands spans. A cell over several rows is repeated in each, so that every row can be read alone.
 * A header over several columns is repeated over each. Any other wide cell fills only its first
 * column.
 */
function toGrid(rows: readonly Row[]): string[][] {
  let room = limitColumns(rows);
  const grid: string[][] = [];
  const hanging: { text: string; left: number }[] = [];
  for (let at = 0; at < rows.length; at++) {
    const { cells: line, inHead } = rows[at] as Row;
    const out: string[] = [];
    const placeHanging = (): void => {
      for (;;) {
        const above = hanging[out.length];
        if (above === undefined || above.left === 0 || room <= 0) return;
        above.left--;
        out.push(above.text);
        room--;
      }
    };
    for (const cell of line) {
      placeHanging();
      const spread = room > 0;
      const columns = spread ? cell.columns : 1;
      const repeats = (inHead || cell.isHeader) && cell.columns < 20 && line.length > 1;
      for (let column = 0; column < columns; column++) {
        const text = column === 0 || repeats ? cell.text : "";
        const left = spread ? Math.min(cell.rows, rows.length - at) - 1 : 0;
        if (left > 0) hanging[out.length] = { text, left };
        out.push(text);
        room--;
      }
    }
    placeHanging();
    grid.push(out);
  }
  return grid;
}

/** Returns the columns that contain text. Columns that are empty in every row are only spacers. */
function findUsedColumns(grid: readonly string[][], width: number): number[] {
  const used = Array.from({ length: width }, () => false);
  for (const line of grid)
    for (let column = 0; column < line.length; column++)
      if (line[column] !== "") used[column] = true;
  const columns: number[] = [];
  for (let column = 0; column < width; column++) if (used[column] === true) columns.push(column);
  return columns;
}

/** True if the first row is a header: by markup, or because all its text is bold. */
function hasHeaderRow(rows: readonly Row[]): boolean {
  const [first] = rows;
  if (first === undefined) return false;
  if (first.inHead) return true;
  const filled = first.cells.filter((cell) => cell.text !== "");
  if (filled.length === 0) return false;
  if (filled.every((cell) => cell.isHeader)) return rows.length > 1 || filled.length > 1;
  return (
    rows.length > 1 &&
    filled.length === first.cells.length &&
    filled.every((cell) => cell.isHeader || /^\*\*[^*]+\*\*$/.test(cell.text))
  );
}

const ALIGNMENT = { "": "---", left: ":---", center: ":---:", right: "---:" } as const;

function findAlignment(rows: readonly Row[], width: number): string[] {
  const align: string[] = [];
  const source = rows[1] ?? rows[0];
  for (const cell of source?.cells ?? [])
    for (let column = 0; column < cell.columns && align.length < width; column++)
      align.push(ALIGNMENT[cell.align]);
  return align;
}
