// Tables by alignment only, with at most rules between rows: rows of pieces that line up.
import type { Grid, GridCell } from "./grid.ts";
import { type Piece, toPiece } from "../layout/lines.ts";
import { type Ruling, joinBoxes, type Word } from "../page-text.ts";
import { mergeRows, type TextRow } from "./table-rows.ts";

export type Row = { readonly pieces: readonly Piece[]; readonly y0: number; readonly y1: number };

const MAX_SINGLE_RUN = 2;

/** Groups the pieces of one column into rows from the top. */
export function toTextRows(pieces: readonly Piece[]): Row[] {
  const rows: { pieces: Piece[]; y0: number; y1: number }[] = [];
  for (const piece of pieces.toSorted((one, other) => one.y1 - other.y1 || one.x0 - other.x0)) {
    const last = rows.at(-1);
    const height = piece.y1 - piece.y0;
    if (last !== undefined && piece.y1 - last.y1 < 0.45 * Math.min(height, last.y1 - last.y0)) {
      last.pieces.push(piece);
      last.y0 = Math.min(last.y0, piece.y0);
    } else rows.push({ pieces: [piece], y0: piece.y0, y1: piece.y1 });
  }
  return rows.map((row) => ({
    ...row,
    pieces: row.pieces.toSorted((one, other) => one.x0 - other.x0),
  }));
}

export type FoundTable = { readonly from: number; readonly to: number; readonly grid: Grid };

/** Finds runs of rows that are tables: indices `from` (inclusive) to `to` (exclusive). */
export function findTextTables(rows: readonly Row[], horizontals: readonly Ruling[]): FoundTable[] {
  const found: FoundTable[] = [];
  const box = rows.length === 0 ? undefined : joinBoxes(rows.flatMap(({ pieces }) => pieces));
  if (box === undefined) return found;
  let at = 0;
  while (at < rows.length) {
    const end = growRun(rows, at, box, horizontals);
    if (end === undefined) {
      at++;
      continue;
    }
    const grid = toGrid(rows.slice(at, end), horizontals);
    if (grid !== undefined) found.push({ from: at, to: end, grid });
    at = end;
  }
  return found;
}

const isMulti = (row: Row | undefined): boolean => (row?.pieces.length ?? 0) >= 2;

/** Returns the end of the run of table-like rows that starts here, or undefined. */
function growRun(
  rows: readonly Row[],
  from: number,
  box: { x0: number; x1: number },
  horizontals: readonly Ruling[],
): number | undefined {
  if (!isMulti(rows[from])) return undefined;
  let last = from;
  let largest = Math.max(...(rows[from]?.pieces ?? []).map((piece) => piece.size));
  for (let at = from + 1; at < rows.length; at++) {
    const [row, before] = [rows[at] as Row, rows[at - 1] as Row];
    const size = Math.max(...row.pieces.map((piece) => piece.size));
    const ruled = horizontals.some(({ at: y }) => y > before.y1 - 2 && y < row.y1);
    if (row.y0 - before.y1 > (ruled ? 4 : 2.6) * size) break;
    // A larger row is a heading for the content after it, such as after a table of contents.
    if (size > MAX_HEAD_SIZE_RATIO * largest) break;
    largest = Math.max(largest, size);
    if (isMulti(row)) last = at;
    else if (at - last > MAX_SINGLE_RUN || isProse(row, box)) break;
  }
  let end = last + 1;
  // The last row may continue in single lines below its cells.
  while (
    end < rows.length &&
    isContinuation(rows[end] as Row, rows[end - 1] as Row, rows.slice(from, end))
  )
    end++;
  return end - from >= 2 ? end : undefined;
}

function isProse(row: Row, box: { x0: number; x1: number }): boolean {
  const piece = row.pieces[0] as Piece;
  const width = box.x1 - box.x0;
  return (
    piece.x1 - piece.x0 > 0.6 * width && piece.x0 < box.x0 + 0.12 * width && piece.words.length > 6
  );
}

/** True for a single piece right below that starts at a later column of the run. */
function isContinuation(row: Row, before: Row, run: readonly Row[]): boolean {
  if (row.pieces.length !== 1) return false;
  const [piece] = row.pieces as [Piece];
  if (row.y1 - before.y1 > 1.5 * piece.size) return false;
  return run.some(
    ({ pieces }) =>
      pieces.length >= 2 &&
      pieces.slice(1).some((other) => Math.abs(other.x0 - piece.x0) < 2 && piece.chars > 3),
  );
}

/** Type that is larger than the table's by this factor does not belong to it. */
const MAX_HEAD_SIZE_RATIO = 1.2;

type Track = { readonly from: number; readonly to: number };

/** Returns the columns of a run of rows: where its fullest rows have ink. */
function toTracks(rows: readonly Row[]): Track[] {
  const max = Math.max(...rows.map(({ pieces }) => pieces.length));
  const body = rows.filter(({ pieces }) => pieces.length >= Math.max(2, 0.6 * max));
  const box = joinBoxes(rows.flatMap(({ pieces }) => pieces));
  const start = Math.floor(box.x0);
  const length = Math.ceil(box.x1) - start + 1;
  if (length > 20_000) return [];
  const ink = new Uint32Array(length + 1);
  for (const { pieces } of body)
    for (const piece of pieces)
      for (let x = Math.floor(piece.x0) - start; x < Math.ceil(piece.x1) - start; x++)
        ink[x] = (ink[x] as number) + 1;
  const allowed = body.length >= 8 ? Math.floor(0.1 * body.length) : 0;
  const tracks: { from: number; to: number }[] = [];
  for (let x = 0; x < length; x++) {
    if ((ink[x] as number) <= allowed) continue;
    const last = tracks.at(-1);
    if (last !== undefined && start + x - last.to <= 2) last.to = start + x + 1;
    else tracks.push({ from: start + x, to: start + x + 1 });
  }
  return tracks;
}

function toGrid(rows: readonly Row[], horizontals: readonly Ruling[]): Grid | undefined {
  const tracks = toTracks(rows);
  if (tracks.length < 2 || tracks.length > 60) return undefined;
  const textRows = rows.map((row) => toTextRow(row, tracks));
  if (!isTabular(rows, textRows, tracks, horizontals)) return undefined;
  const { rows: merged, headRows } = mergeRows(textRows, horizontals);
  if (merged.length < 2) return undefined;
  const box = joinBoxes(rows.flatMap(({ pieces }) => pieces));
  const cells: GridCell[] = merged.flatMap((row, at) =>
    row.cells.map(({ column, columns, words }) => ({ row: at, column, rows: 1, columns, words })),
  );
  return { ...box, rows: merged.length, columns: tracks.length, cells, headRows };
}

/** Assigns the words of a row to columns. A piece across a column gap spans both. */
function toTextRow(row: Row, tracks: readonly Track[]): TextRow {
  const cells: { column: number; columns: number; words: Word[] }[] = [];
  for (const piece of row.pieces.flatMap((whole) => splitAtTracks(whole, tracks))) {
    const touched = tracks.flatMap((track, at) =>
      Math.min(track.to, piece.x1) - Math.max(track.from, piece.x0) >
      Math.min(4, 0.3 * (piece.x1 - piece.x0))
        ? [at]
        : [],
    );
    const column = touched[0] ?? findNearest(piece, tracks);
    const columns = Math.max(1, (touched.at(-1) ?? column) - column + 1);
    const same = cells.find((cell) => cell.column === column);
    if (same === undefined) cells.push({ column, columns, words: [...piece.words] });
    else {
      same.words.push(...piece.words);
      same.columns = Math.max(same.columns, columns);
    }
  }
  const sorted = cells.toSorted((one, other) => one.column - other.column);
  for (const [at, cell] of sorted.entries()) {
    const next = sorted[at + 1];
    if (next !== undefined) cell.columns = Math.min(cell.columns, next.column - cell.column);
  }
  return {
    cells: sorted,
    y0: row.y0,
    y1: row.y1,
    size: Math.max(...row.pieces.map(({ size }) => size)),
  };
}

function findNearest(piece: Piece, tracks: readonly Track[]): number {
  const measureDistance = (track: Track): number =>
    Math.max(track.from - piece.x1, piece.x0 - track.to, 0);
  let best = 0;
  for (const [at, track] of tracks.entries())
    if (measureDistance(track) < measureDistance(tracks[best] as Track)) best = at;
  return best;
}

/** Splits a piece whose words are in several columns with a clear gap at each border. */
function splitAtTracks(piece: Piece, tracks: readonly Track[]): Piece[] {
  const parts: Word[][] = [[]];
  for (const [at, word] of piece.words.entries()) {
    const before = piece.words[at - 1];
    const gap = before === undefined ? 0 : word.x0 - before.x1;
    const border =
      before !== undefined &&
      tracks.some(
        (track, next) =>
          next > 0 &&
          before.x1 <= track.from + 1 &&
          word.x0 >= (tracks[next - 1] as Track).to - 1 &&
          track.from - (tracks[next - 1] as Track).to > 0,
      );
    if (border && gap > 0.45 * piece.size) parts.push([word]);
    else parts.at(-1)?.push(word);
  }
  return parts.length === 1 ? [piece] : parts.map(toPiece);
}

const MARKER = /^(?:[•◦▪‣·●○■□–—\-*➢➤✓]|\(?(?:\d{1,3}|[a-zA-Z]|[ivxlc]{1,5})[.)])$/u;

/**
 * True if rows look like a table, not like a list, a table of contents or lines with accidental
 * gaps.
 */
function isTabular(
  rows: readonly Row[],
  textRows: readonly TextRow[],
  tracks: readonly Track[],
  horizontals: readonly Ruling[],
): boolean {
  const first = textRows.flatMap(({ cells }) => cells.filter(({ column }) => column === 0));
  const joinText = (words: readonly Word[]): string => words.map(({ text }) => text).join(" ");
  if (
    tracks.length === 2 &&
    first.filter(({ words }) => MARKER.test(joinText(words))).length > 0.5 * first.length
  )
    return false;
  if (tracks.length === 2 && hasLeaders(textRows)) return false;
  if (isListing(rows, horizontals)) return false;
  const filled = textRows.reduce(
    (sum, { cells }) => sum + cells.reduce((part, { columns }) => part + columns, 0),
    0,
  );
  if (filled < MIN_FILLED * textRows.length * tracks.length) return false;
  const multi = textRows.filter(({ cells }) => cells.length >= 2);
  const box = joinBoxes(rows.flatMap(({ pieces }) => pieces));
  const inside = horizontals.filter(
    ({ at, from, to }) =>
      at > box.y0 - 8 &&
      at < box.y1 + 8 &&
      Math.min(to, box.x1) - Math.max(from, box.x0) > 0.5 * (box.x1 - box.x0),
  );
  const needed = inside.length >= 2 ? 2 : 3;
  if (multi.length < needed || multi.length < 0.4 * textRows.length) return false;
  if (tracks.length === 2 && inside.length < 2 && isRunningPair(textRows)) return false;
  return measureAlignedShare(textRows, tracks) >= (inside.length >= 2 ? 0.4 : 0.55);
}

/** Aligned monospace output is code, unless lines are ruled between its rows. */
function isListing(rows: readonly Row[], horizontals: readonly Ruling[]): boolean {
  const words = rows.flatMap(({ pieces }) => pieces.flatMap((piece) => piece.words));
  const { y0, y1 } = joinBoxes(words);
  return (
    words.every(({ face }) => face.mono) && !horizontals.some(({ at }) => at > y0 - 2 && at < y1)
  );
}

/** True if leader dots connect the columns, as in tables of contents. */
function hasLeaders(textRows: readonly TextRow[]): boolean {
  const led = textRows.filter(({ cells }) =>
    cells.some(({ words }) =>
      /(?:\. ?){5}|…{2}|_{5}/.test(words.map(({ text }) => text).join(" ")),
    ),
  );
  return led.length > 0.3 * textRows.length;
}

/** Two columns that both contain long lines are running text. */
function isRunningPair(textRows: readonly TextRow[]): boolean {
  return [0, 1].every((column) => {
    const words = textRows.flatMap(({ cells }) =>
      cells.filter((cell) => cell.column === column).map((cell) => cell.words.length),
    );
    return words.reduce((sum, count) => sum + count, 0) / Math.max(1, words.length) > 5;
  });
}

/**
 * Minimum share of filled cells. Labels of a drawing are aligned too, but leave most cells empty.
 */
const MIN_FILLED = 0.35;
const MAX_ALIGNMENT_SLACK = 3;

/** Returns the share of columns whose cells line up at the left, right or centre. */
function measureAlignedShare(rows: readonly TextRow[], tracks: readonly Track[]): number {
  let aligned = 0;
  for (const column of tracks.keys()) {
    const boxes = rows.flatMap(({ cells }) =>
      cells
        .filter((cell) => cell.column === column && cell.columns === 1)
        .map(({ words }) => joinBoxes(words)),
    );
    const ends = [
      boxes.map(({ x0 }) => x0),
      boxes.map(({ x1 }) => x1),
      boxes.map(({ x0, x1 }) => (x0 + x1) / 2),
    ];
    if (ends.some((values) => countMostAlike(values) >= 0.6 * values.length)) aligned++;
  }
  return aligned / tracks.length;
}

function countMostAlike(values: readonly number[]): number {
  let max = 0;
  for (const value of values)
    max = Math.max(
      max,
      values.filter((other) => Math.abs(other - value) <= MAX_ALIGNMENT_SLACK).length,
    );
  return max;
}
