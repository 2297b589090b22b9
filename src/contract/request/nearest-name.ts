/** Compares names without case and separators. */
const normalizeName = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]/g, "");

/** Longer names are not misspellings, and comparing them takes time. */
const MAX_CHARACTERS = 100;

/**
 * Edit distance: insertions, deletions, changes and swaps of neighbors (optimal string alignment).
 */
function measureDistance(left: string, right: string): number {
  let before: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row++) {
    const next = [row];
    for (let column = 1; column <= right.length; column++) {
      const isSame = left[row - 1] === right[column - 1];
      let cost = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
      );
      const isSwapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (row > 1 && column > 1 && isSwapped) cost = Math.min(cost, (before[column - 2] ?? 0) + 1);
      next.push(cost);
    }
    before = last;
    last = next;
  }
  return last[right.length] ?? 0;
}

/**
 * Returns the name that `given` probably misspells; undefined if none is close. One letter in three
 * may differ.
 */
export function findNearestName(given: string, names: Iterable<string>): string | undefined {
  if (given === "" || given.length > MAX_CHARACTERS) return undefined;
  const wanted = normalizeName(given);
  let best: string | undefined;
  let min = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const name of names) {
    const candidate = normalizeName(name);
    if (Math.abs(candidate.length - wanted.length) >= min) continue;
    const cost = measureDistance(wanted, candidate);
    // A name that would change completely is not close.
    if (cost < min && cost < candidate.length) {
      best = name;
      min = cost;
    }
  }
  return best;
}
