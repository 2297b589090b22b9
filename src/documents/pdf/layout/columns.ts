// Splits a page or a part of it into columns in reading order: gutters separate columns of running
// text, and content across a gutter separates the part above from the part below.
import { type Box, joinBoxes } from "../page-text.ts";
import type { Piece } from "./lines.ts";
import type { Grid } from "../tables/grid.ts";

/** A piece of a line, or a ruled table that was already found. */
export type Item = Box & ({ readonly piece: Piece } | { readonly grid: Grid });

export const toPieceItem = (piece: Piece): Item => ({ ...copyBox(piece), piece });
export const toGridItem = (grid: Grid): Item => ({ ...copyBox(grid), grid });

const copyBox = ({ x0, y0, x1, y1 }: Box): Box => ({ x0, y0, x1, y1 });

const MAX_DEPTH = 12;
/** Maximum share of lines across a gutter (headings over both columns). */
const MAX_CROSSING_SHARE = 0.12;
/** Minimum share of the text on each side of a gutter. */
const MIN_SIDE = 0.12;
const MIN_LINES = 3;
const MIN_INDEPENDENT = 5;

/**
 * Returns the parts of the page in reading order. Each is one column, lines sorted from the top.
 */
export function toColumns(items: readonly Item[], depth = 0): Item[][] {
  if (items.length === 0) return [];
  const gutter = depth < MAX_DEPTH ? findGutter(items) : undefined;
  if (gutter === undefined) return [sortByTop(items)];
  const parts: Item[][] = [];
  for (const band of toBands(items, gutter)) {
    const left = band.filter((item) => item.x1 <= gutter.middle);
    const right = band.filter((item) => item.x0 >= gutter.middle);
    const crossing = band.length - left.length - right.length;
    if (
      crossing === 0 &&
      left.length > 0 &&
      right.length > 0 &&
      ((isRunning(left) && isRunning(right)) || isIndependent(left, right))
    )
      parts.push(...toColumns(left, depth + 1), ...toColumns(right, depth + 1));
    else if (crossing === 0 && band.length < items.length)
      parts.push(...toColumns(band, depth + 1));
    else parts.push(sortByTop(band));
  }
  return joinFlat(parts);
}

const sortByTop = (items: readonly Item[]): Item[] =>
  items.toSorted((one, other) => one.y1 - other.y1 || one.x0 - other.x0);

/** Joins consecutive parts without a gutter between them. */
function joinFlat(parts: readonly Item[][]): Item[][] {
  const joined: Item[][] = [];
  for (const part of parts) {
    const before = joined.at(-1);
    if (
      before !== undefined &&
      isBelow(before, part) &&
      !areSideBySide(before, part) &&
      isSameSpan(before, part)
    )
      joined[joined.length - 1] = [...before, ...part];
    else joined.push(part);
  }
  return joined;
}

function isSameSpan(one: readonly Item[], other: readonly Item[]): boolean {
  const [a, b] = [joinBoxes(one), joinBoxes(other)];
  const common = Math.min(a.x1, b.x1) - Math.max(a.x0, b.x0);
  return common > 0.5 * Math.min(a.x1 - a.x0, b.x1 - b.x0);
}

const isBelow = (upper: readonly Item[], lower: readonly Item[]): boolean =>
  joinBoxes(lower).y0 >= joinBoxes(upper).y1 - 6;

const areSideBySide = (one: readonly Item[], other: readonly Item[]): boolean => {
  const [a, b] = [joinBoxes(one), joinBoxes(other)];
  return a.x1 <= b.x0 || b.x1 <= a.x0;
};

type Gutter = { readonly from: number; readonly to: number; readonly middle: number };

const weighItem = (item: Item): number =>
  "piece" in item ? 1 : Math.max(1, (item.y1 - item.y0) / 12);

/** Returns the best empty strip from top to bottom with running text on both sides. */
function findGutter(items: readonly Item[]): Gutter | undefined {
  const box = joinBoxes(items);
  const start = Math.floor(box.x0);
  const length = Math.ceil(box.x1) - start + 1;
  if (length < 60 || length > 20_000) return undefined;
  const steps = new Float64Array(length + 1);
  let total = 0;
  let size = 0;
  for (const item of items) {
    const weight = weighItem(item);
    total += weight;
    size = Math.max(size, "piece" in item ? Math.min(item.piece.size, 14) : 0);
    const at = Math.max(0, Math.floor(item.x0) - start);
    steps[at] = (steps[at] as number) + weight;
    const end = Math.min(length, Math.ceil(item.x1) - start);
    steps[end] = (steps[end] as number) - weight;
  }
  const allowed = total * MAX_CROSSING_SHARE;
  let best: (Gutter & { crossing: number }) | undefined;
  let run: { from: number; crossing: number } | undefined;
  let count = 0;
  for (let x = 0; x <= length; x++) {
    count += steps[x] as number;
    if (run !== undefined && (x === length || Math.abs(count - run.crossing) > 0.01)) {
      const found = { from: start + run.from, to: start + x, middle: start + (run.from + x) / 2 };
      const gutter = { ...found, crossing: run.crossing };
      if (isGutter(gutter, items, total, size) && isBetter(gutter, best)) best = gutter;
      run = undefined;
    }
    if (x < length && count <= allowed) run ??= { from: x, crossing: count };
  }
  return best;
}

/** True if fewer lines cross it, or as many and it is wider. */
function isBetter(
  one: Gutter & { readonly crossing: number },
  other: (Gutter & { readonly crossing: number }) | undefined,
): boolean {
  if (other === undefined) return true;
  if (Math.abs(one.crossing - other.crossing) > 0.01) return one.crossing < other.crossing;
  return one.to - one.from > other.to - other.from;
}

function isGutter(gutter: Gutter, items: readonly Item[], total: number, size: number): boolean {
  if (gutter.to - gutter.from < Math.max(7, 0.8 * size)) return false;
  let [left, right] = [0, 0];
  for (const item of items) {
    if (item.x1 <= gutter.middle) left += weighItem(item);
    else if (item.x0 >= gutter.middle) right += weighItem(item);
  }
  return (
    left >= MIN_LINES && right >= MIN_LINES && left >= MIN_SIDE * total && right >= MIN_SIDE * total
  );
}

/** Returns the items between those that cross the gutter, and the crossing ones, from the top. */
function toBands(items: readonly Item[], gutter: Gutter): Item[][] {
  const bands: { y1: number; crosses: boolean; items: Item[] }[] = [];
  for (const item of sortByTop(items)) {
    const crosses = item.x0 < gutter.middle && item.x1 > gutter.middle;
    const last = bands.at(-1);
    if (last !== undefined && last.crosses === crosses) last.items.push(item);
    else bands.push({ y1: item.y1, crosses, items: [item] });
  }
  return bands.map((band) => band.items);
}

/** Rows of a table share lines; columns of a page have separate lines. */
function isIndependent(left: readonly Item[], right: readonly Item[]): boolean {
  const [fewer, more] = left.length < right.length ? [left, right] : [right, left];
  if (fewer.length < MIN_INDEPENDENT) return false;
  const lines = more.flatMap((item) => ("piece" in item ? [item.y1] : []));
  const own = fewer.filter(
    (item) => "piece" in item && !lines.some((y) => Math.abs(y - item.y1) < 1.2),
  );
  return own.length > 0.6 * fewer.length;
}

/** True for running text: most of it is in lines that fill the column. */
function isRunning(items: readonly Item[]): boolean {
  const box = joinBoxes(items);
  const width = box.x1 - box.x0;
  let [filled, all, lines] = [0, 0, 0];
  for (const item of items) {
    if ("grid" in item) {
      filled += 200;
      all += 200;
      lines += 3;
      continue;
    }
    all += item.piece.chars;
    lines++;
    if (item.x1 - item.x0 > 0.6 * width && item.piece.words.length >= 3) filled += item.piece.chars;
  }
  return lines >= 2 && all / lines >= 14 && filled >= 0.5 * all;
}
