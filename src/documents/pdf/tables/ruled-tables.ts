// Tables with drawn cells: crossing ruled lines form a grid, and missing strokes merge cells.
import type { Grid, GridCell } from "./grid.ts";
import { splitCellLines } from "./grid.ts";
import { type Box, type Ruling, joinBoxes, type Word } from "../page-text.ts";

/** Maximum gap at which lines still count as crossing. */
const MAX_CROSSING_GAP = 3.5;
const MAX_LINES = 400;
/** Grids with fewer filled cells are drawings. */
const MIN_FILLED = 0.2;

/** Returns the ruled grids that contain words, from top to bottom. */
export function findRuledTables(
  words: readonly Word[],
  horizontals: readonly Ruling[],
  verticals: readonly Ruling[],
): Grid[] {
  const grids: Grid[] = [];
  for (const { across, down } of findComponents(horizontals, verticals)) {
    const grid = toGrid(across, down, words);
    if (grid !== undefined && isTable(grid))
      grids.push({ ...grid, headRows: hasHead(grid) ? 1 : 0 });
  }
  const outer = grids.filter(
    (grid) => !grids.some((other) => other !== grid && isInside(grid, other)),
  );
  return outer.sort((one, other) => one.y0 - other.y0);
}

/** Returns all cells that ruled lines form, with any content. */
export function findRuledCells(
  horizontals: readonly Ruling[],
  verticals: readonly Ruling[],
): Box[] {
  return findComponents(horizontals, verticals).flatMap(({ across, down }) => {
    const lines = toPlaces(across, down);
    if (lines === undefined || down.length < 2) return [];
    const { xs, ys } = lines;
    return joinCells(xs, ys, across, down).map((region) => toRegionBox(region, xs, ys));
  });
}

const isInside = (inner: Box, outer: Box): boolean =>
  inner.x0 >= outer.x0 - 1 &&
  inner.x1 <= outer.x1 + 1 &&
  inner.y0 >= outer.y0 - 1 &&
  inner.y1 <= outer.y1 + 1;

type Component = { readonly across: readonly Ruling[]; readonly down: readonly Ruling[] };

/** Returns sets of lines that are connected by crossing or touching. */
function findComponents(horizontals: readonly Ruling[], verticals: readonly Ruling[]): Component[] {
  const across = horizontals.slice(0, MAX_LINES * 4);
  const down = verticals.slice(0, MAX_LINES * 4);
  const parent = Array.from({ length: across.length + down.length }, (_, at) => at);
  const root = (at: number): number => {
    let top = at;
    while (parent[top] !== top) top = parent[top] = parent[parent[top] as number] as number;
    return top;
  };
  for (const [a, line] of across.entries()) {
    for (const [d, other] of down.entries()) {
      if (
        other.at >= line.from - MAX_CROSSING_GAP &&
        other.at <= line.to + MAX_CROSSING_GAP &&
        line.at >= other.from - MAX_CROSSING_GAP &&
        line.at <= other.to + MAX_CROSSING_GAP
      )
        parent[root(a)] = root(across.length + d);
    }
  }
  const found = new Map<number, { across: Ruling[]; down: Ruling[] }>();
  const groupOf = (at: number): { across: Ruling[]; down: Ruling[] } => {
    const key = root(at);
    const group = found.get(key) ?? { across: [], down: [] };
    found.set(key, group);
    return group;
  };
  for (const [at, line] of across.entries()) groupOf(at).across.push(line);
  for (const [at, line] of down.entries()) groupOf(across.length + at).down.push(line);
  return [...found.values()].filter((group) => group.across.length >= 2 && group.down.length >= 1);
}

/** Returns line positions, merging those closer than a stroke's reach. */
function mergePlaces(values: readonly number[]): number[] {
  const merged: number[] = [];
  for (const value of values.toSorted((one, other) => one - other))
    if (merged.length === 0 || value - (merged.at(-1) as number) > MAX_CROSSING_GAP)
      merged.push(value);
  return merged;
}

/** Returns the column and row boundaries of a grid, or undefined if it is not a table. */
function toPlaces(
  across: readonly Ruling[],
  down: readonly Ruling[],
): { xs: number[]; ys: number[] } | undefined {
  if (across.length > MAX_LINES || down.length > MAX_LINES) return undefined;
  // A table without side lines ends where its horizontal lines end.
  const left = Math.min(...across.map(({ from }) => from));
  const right = Math.max(...across.map(({ to }) => to));
  const xs = mergePlaces([...down.map(({ at }) => at), left, right]);
  const ys = mergePlaces(across.map(({ at }) => at));
  if (xs.length < 2 || ys.length < 2 || (xs.length - 1) * (ys.length - 1) > 20_000)
    return undefined;
  return { xs, ys };
}

function toGrid(
  across: readonly Ruling[],
  down: readonly Ruling[],
  words: readonly Word[],
): Grid | undefined {
  const lines = toPlaces(across, down);
  if (lines === undefined) return undefined;
  const { xs, ys } = lines;
  const box = {
    x0: xs[0] as number,
    y0: ys[0] as number,
    x1: xs.at(-1) as number,
    y1: ys.at(-1) as number,
  };
  const regions = joinCells(xs, ys, across, down);
  const inside = words.filter((word) => holds(box, word));
  const cells: GridCell[] = regions.map((region) => ({
    ...region,
    words: inside.filter((word) => holds(toRegionBox(region, xs, ys), word)),
  }));
  const parted = cells.flatMap((cell) => splitWide(cell, xs));
  return removeEmptyTracks({
    ...box,
    rows: ys.length - 1,
    columns: xs.length - 1,
    cells: parted,
    headRows: 0,
  });
}

/** Minimum share of columns with their own words for a wide cell to be a row without strokes. */
const MIN_PARTED_SHARE = 0.6;

/**
 * Splits a wide cell of a row without column strokes, as in shaded rows, if its words are in
 * columns.
 */
function splitWide(cell: GridCell, xs: readonly number[]): GridCell[] {
  if (cell.columns < 2 || cell.rows > 1 || cell.words.length < 2) return [cell];
  const columns = Array.from({ length: cell.columns }, (_, at) => cell.column + at);
  const inner = columns.slice(1).map((at) => xs[at] as number);
  const straddles = (word: Word): boolean => inner.some((x) => word.x0 < x - 1 && word.x1 > x + 1);
  if (cell.words.some(straddles)) return [cell];
  const parts = columns.map((column) => {
    const [from, to] = [xs[column] as number, xs[column + 1] as number];
    const words = cell.words.filter(({ x0, x1 }) => (x0 + x1) / 2 >= from && (x0 + x1) / 2 < to);
    return { ...cell, column, columns: 1, words };
  });
  const filled = parts.filter(({ words }) => words.length > 0);
  if (filled.length < Math.max(2, MIN_PARTED_SHARE * cell.columns)) return [cell];
  const apart = filled.every(({ words }, at) => {
    const next = filled[at + 1];
    return (
      next === undefined ||
      joinBoxes(next.words).x0 - joinBoxes(words).x1 > 0.8 * (words[0] as Word).face.size
    );
  });
  return apart ? parts : [cell];
}

export const holds = (box: Box, word: Box): boolean => {
  const [x, y] = [(word.x0 + word.x1) / 2, (word.y0 + word.y1) / 2];
  return x >= box.x0 && x < box.x1 && y >= box.y0 && y < box.y1;
};

type Region = Omit<GridCell, "words">;

const toRegionBox = (region: Region, xs: readonly number[], ys: readonly number[]): Box => ({
  x0: xs[region.column] as number,
  x1: xs[region.column + region.columns] as number,
  y0: ys[region.row] as number,
  y1: ys[region.row + region.rows] as number,
});

/** Builds the cells of a grid. Neighbors without a stroke between them are merged. */
function joinCells(
  xs: readonly number[],
  ys: readonly number[],
  across: readonly Ruling[],
  down: readonly Ruling[],
): Region[] {
  const [columns, rows] = [xs.length - 1, ys.length - 1];
  const taken = new Set<number>();
  const regions: Region[] = [];
  const isOpen = (lines: readonly Ruling[], at: number, from: number, to: number): boolean =>
    !lines.some(
      (line) =>
        Math.abs(line.at - at) <= MAX_CROSSING_GAP + 0.5 &&
        Math.min(line.to, to) - Math.max(line.from, from) > 0.5 * (to - from),
    );
  const x = (at: number): number => xs[at] as number;
  const y = (at: number): number => ys[at] as number;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      if (taken.has(row * columns + column)) continue;
      let right = column + 1;
      while (
        right < columns &&
        !taken.has(row * columns + right) &&
        isOpen(down, x(right), y(row), y(row + 1))
      )
        right++;
      let bottom = row + 1;
      while (
        bottom < rows &&
        Array.from({ length: right - column }, (_, at) => column + at).every(
          (at) => !taken.has(bottom * columns + at) && isOpen(across, y(bottom), x(at), x(at + 1)),
        ) &&
        isClosedInside(down, xs, column, right, y(bottom), y(bottom + 1), isOpen)
      )
        bottom++;
      for (let r = row; r < bottom; r++)
        for (let c = column; c < right; c++) taken.add(r * columns + c);
      regions.push({ row, column, rows: bottom - row, columns: right - column });
    }
  }
  return regions;
}

/** True if the part of the next row below a cell is not itself split by strokes. */
function isClosedInside(
  down: readonly Ruling[],
  xs: readonly number[],
  column: number,
  right: number,
  from: number,
  to: number,
  isOpen: (lines: readonly Ruling[], at: number, from: number, to: number) => boolean,
): boolean {
  for (let at = column + 1; at < right; at++)
    if (!isOpen(down, xs[at] as number, from, to)) return false;
  return true;
}

/**
 * True if the first row is a header: each column but the first has a name, and none is a number.
 */
function hasHead(grid: Grid): boolean {
  const first = grid.cells.filter(({ row }) => row === 0);
  return (
    grid.rows > 1 &&
    first.length === grid.columns &&
    first.every(
      ({ words, rows, columns, column }) =>
        rows === 1 &&
        columns === 1 &&
        (column === 0 || words.some(({ text }) => /\p{L}|#/u.test(text))),
    )
  );
}

/**
 * Removes rows and columns that only exist because of double strokes and have no cell of their own.
 */
function removeEmptyTracks(grid: Grid): Grid {
  const dropRow = findEmptyTracks(
    grid,
    grid.rows,
    ({ row }) => row,
    ({ rows }) => rows,
  );
  const dropColumn = findEmptyTracks(
    grid,
    grid.columns,
    ({ column }) => column,
    ({ columns }) => columns,
  );
  const kept = (dropped: ReadonlySet<number>, from: number, to: number): number => {
    let count = 0;
    for (let at = from; at < to; at++) if (!dropped.has(at)) count++;
    return count;
  };
  const cells = grid.cells.flatMap((cell): GridCell[] => {
    const rows = kept(dropRow, cell.row, cell.row + cell.rows);
    const columns = kept(dropColumn, cell.column, cell.column + cell.columns);
    if (rows === 0 || columns === 0) return [];
    return [
      {
        ...cell,
        row: kept(dropRow, 0, cell.row),
        column: kept(dropColumn, 0, cell.column),
        rows,
        columns,
      },
    ];
  });
  return {
    ...grid,
    rows: kept(dropRow, 0, grid.rows),
    columns: kept(dropColumn, 0, grid.columns),
    cells,
  };
}

/** Returns tracks in which every cell is empty or spans a neighboring track. */
function findEmptyTracks(
  grid: Grid,
  count: number,
  start: (cell: GridCell) => number,
  size: (cell: GridCell) => number,
): Set<number> {
  const used = new Set<number>();
  for (const cell of grid.cells) if (cell.words.length > 0) used.add(start(cell));
  return new Set(
    Array.from({ length: count }, (_, at) => at).filter(
      (at) => !used.has(at) && isSpare(grid, at, start, size),
    ),
  );
}

const isSpare = (
  grid: Grid,
  track: number,
  start: (cell: GridCell) => number,
  size: (cell: GridCell) => number,
): boolean =>
  grid.cells.every(
    (cell) =>
      cell.words.length === 0 ||
      track < start(cell) ||
      track >= start(cell) + size(cell) ||
      size(cell) > 1,
  );

function isTable(grid: Grid): boolean {
  if (grid.rows < 2 || grid.columns < 2) return false;
  const filled = grid.cells.filter(({ words }) => words.length > 0);
  const rows = new Set(filled.map(({ row }) => row));
  const columns = new Set(filled.map(({ column }) => column));
  if (rows.size < 2 || columns.size < 2) return false;
  return filled.length >= Math.max(3, MIN_FILLED * grid.cells.length);
}

/**
 * Splits rows of tables that are ruled only around groups of rows: if the cells of a row contain
 * equally many aligned lines, each line is a row.
 */
export function splitUnruledRows(grid: Grid): Grid {
  const cells: GridCell[] = [];
  let added = 0;
  for (let row = 0; row < grid.rows; row++) {
    const own = grid.cells.filter((cell) => cell.row === row);
    const spanned = grid.cells.some(
      (cell) => cell.rows > 1 && cell.row <= row && row < cell.row + cell.rows,
    );
    const parts = spanned ? 1 : countHiddenRows(own);
    for (const cell of own) {
      const lines = parts > 1 ? groupByPlace(cell, own, parts) : [cell.words];
      for (const [at, words] of lines.entries())
        cells.push({ ...cell, row: row + added + at, words });
    }
    added += parts - 1;
  }
  return added === 0 ? grid : { ...grid, rows: grid.rows + added, cells };
}

const MIN_HIDDEN = 3;

function countHiddenRows(cells: readonly GridCell[]): number {
  const filled = cells.filter(({ words }) => words.length > 0);
  if (filled.length < 2) return 1;
  const counts = filled.map(({ words }) => splitCellLines(words).length);
  const max = Math.max(...counts);
  if (
    max < MIN_HIDDEN ||
    counts.filter((count) => count === max).length < Math.max(2, filled.length * 0.6)
  )
    return 1;
  const baselines = filled
    .map(({ words }) => splitCellLines(words).map((line) => joinBoxes(line).y1))
    .filter((lines) => lines.length === max);
  const [first] = baselines;
  const aligned = baselines.every((lines) =>
    lines.every((y, at) => Math.abs(y - ((first as number[])[at] as number)) < 2.5),
  );
  return aligned ? max : 1;
}

function groupByPlace(cell: GridCell, own: readonly GridCell[], parts: number): Word[][] {
  const guide = own.find(({ words }) => splitCellLines(words).length === parts);
  const baselines = splitCellLines(guide?.words ?? []).map((line) => joinBoxes(line).y1);
  const rows = Array.from({ length: parts }, (): Word[] => []);
  for (const word of cell.words) {
    let best = 0;
    for (const [at, y] of baselines.entries())
      if (Math.abs(y - word.y1) < Math.abs((baselines[best] as number) - word.y1)) best = at;
    rows[best]?.push(word);
  }
  return rows;
}
