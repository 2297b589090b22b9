// Aggregates log odds: sum, count, minimum and maximum per item. Integer steps make the result
// independent of the order of words.

/** Log odds are stored in steps of a tenth. */
export const STEPS_PER_UNIT = 10;
const COLUMNS_PER_ITEM = 4;
/** Four columns for each item. */
export type Sums = Int32Array;

/** Creates empty sums for several numbers of items, side by side in one buffer. */
export function createSums(...counts: number[]): Sums[] {
  const { buffer } = new Int32Array(
    counts.reduce((sum, count) => sum + count, 0) * COLUMNS_PER_ITEM,
  );
  let start = 0;
  return counts.map((count) => {
    const sums = new Int32Array(buffer, start, count * COLUMNS_PER_ITEM);
    start += sums.byteLength;
    return sums;
  });
}

/** Adds aggregated log odds to one item: sum, count, minimum and maximum, in steps. */
export function addOdds(
  sums: Sums,
  at: number,
  sum: number,
  count: number,
  least: number,
  most: number,
): void {
  const start = at * COLUMNS_PER_ITEM;
  const before = sums[start + 1]!;
  sums[start]! += sum;
  sums[start + 1] = before + count;
  if (before === 0 || least < sums[start + 2]!) sums[start + 2] = least;
  if (before === 0 || most > sums[start + 3]!) sums[start + 3] = most;
}

/** Adds the sums of one item to another. */
export function addSums(sums: Sums, at: number, from: Sums, other: number): void {
  const start = other * COLUMNS_PER_ITEM;
  const count = from[start + 1]!;
  if (count !== 0) addOdds(sums, at, from[start]!, count, from[start + 2]!, from[start + 3]!);
}

/** Writes mean, minimum and maximum of one item into a zeroed row. */
export function writeSums(sums: Sums, at: number, row: Float32Array, start: number): void {
  const from = at * COLUMNS_PER_ITEM;
  const count = sums[from + 1]!;
  if (count === 0) return;
  row[start] = sums[from]! / STEPS_PER_UNIT / count;
  row[start + 1] = sums[from + 2]! / STEPS_PER_UNIT;
  row[start + 2] = sums[from + 3]! / STEPS_PER_UNIT;
}
