// Log odds added up for many things at once: for each the sum, the number, the least and the most. In whole steps, so that the order in
// which words are met makes no difference.

/** Log odds are told in steps of a tenth. */
export const STEPS = 10;
const COLUMNS = 4;
/** Four columns for each of a number of things. */
export type Sums = Int32Array;

/** Empty sums for each of some numbers of things, side by side in one piece of memory. */
export function newSums(...counts: number[]): Sums[] {
  const { buffer } = new Int32Array(counts.reduce((sum, count) => sum + count, 0) * COLUMNS);
  let start = 0;
  return counts.map((count) => {
    const sums = new Int32Array(buffer, start, count * COLUMNS);
    start += sums.byteLength;
    return sums;
  });
}

/** Adds so many log odds to the sums of one thing: their sum, their number, the least and the most of them, in steps. */
export function addOdds(
  sums: Sums,
  at: number,
  sum: number,
  count: number,
  least: number,
  most: number,
): void {
  const start = at * COLUMNS;
  const before = sums[start + 1]!;
  sums[start]! += sum;
  sums[start + 1] = before + count;
  if (before === 0 || least < sums[start + 2]!) sums[start + 2] = least;
  if (before === 0 || most > sums[start + 3]!) sums[start + 3] = most;
}

/** Adds what one thing has to the sums of another. */
export function addSums(sums: Sums, at: number, from: Sums, other: number): void {
  const start = other * COLUMNS;
  const count = from[start + 1]!;
  if (count !== 0) addOdds(sums, at, from[start]!, count, from[start + 2]!, from[start + 3]!);
}

/** Writes the mean, the least and the most of one thing into a row that has zeros there. */
export function writeSums(sums: Sums, at: number, row: Float32Array, start: number): void {
  const from = at * COLUMNS;
  const count = sums[from + 1]!;
  if (count === 0) return;
  row[start] = sums[from]! / STEPS / count;
  row[start + 1] = sums[from + 2]! / STEPS;
  row[start + 2] = sums[from + 3]! / STEPS;
}
