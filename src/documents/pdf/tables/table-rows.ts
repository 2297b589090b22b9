// Groups lines of a table without row rules into rows.
import type { Ruling, Word } from "../page-text.ts";
import { computeMedian, joinBoxes } from "../page-text.ts";

export type RowCell = {
  readonly column: number;
  readonly columns: number;
  readonly words: readonly Word[];
};

export type TextRow = {
  readonly cells: readonly RowCell[];
  readonly y0: number;
  readonly y1: number;
  readonly size: number;
};

/** Lines closer than this share of the usual step belong to one row. */
const MAX_TIGHT_STEP = 0.8;
/** Minimum share of line gaps with a rule for rules alone to separate rows. */
const MIN_RULED_SHARE = 0.5;

function isNumber(words: readonly Word[]): boolean {
  const text = words.map((word) => word.text).join("");
  return /\d/.test(text) && !/\p{L}/u.test(text);
}

const hasNumbers = (row: TextRow): boolean =>
  row.cells.some(({ column, words }) => column > 0 && isNumber(words));

export function mergeRows(
  rows: readonly TextRow[],
  horizontals: readonly Ruling[],
): { rows: TextRow[]; headRows: number } {
  const box = joinBoxes(rows.flatMap(({ cells }) => cells.map(({ words }) => joinBoxes(words))));
  const rules = horizontals.filter(
    ({ from, to }) => Math.min(to, box.x1) - Math.max(from, box.x0) > 0.5 * (box.x1 - box.x0),
  );
  const isRuled = rows.map((row, at) => at > 0 && hasRule(rules, rows[at - 1] as TextRow, row));
  const ruledCount = isRuled.filter(Boolean).length;
  const byRules = ruledCount >= 3 && ruledCount >= MIN_RULED_SHARE * (groupCount(rows) - 1);
  const steps = rows.slice(1).map((row, at) => row.y1 - (rows[at] as TextRow).y1);
  const usual = computeMedian(steps);
  const head = findHeadEnd(rows, isRuled);
  const merged: TextRow[] = [];
  let headRows = 0;
  for (const [at, row] of rows.entries()) {
    const before = merged.at(-1);
    const step = at === 0 ? Infinity : (steps[at - 1] as number);
    const joins =
      before !== undefined &&
      isRuled[at] === false &&
      (byRules
        ? step < 2.2 * row.size
        : at < head
          ? belongsToHead(before, row, step)
          : at > head && belongsToBody(before, row, step, usual));
    if (joins && before !== undefined) merged[merged.length - 1] = join(before, row);
    else {
      merged.push(row);
      if (at < head) headRows++;
    }
  }
  return { rows: merged, headRows };
}

const hasRule = (rules: readonly Ruling[], upper: TextRow, lower: TextRow): boolean =>
  rules.some(({ at }) => at > upper.y1 - 0.4 * upper.size && at < lower.y1 - 0.4 * lower.size);

/** Counts rows that start in the first column: the maximum number of groups by labels. */
const groupCount = (rows: readonly TextRow[]): number =>
  rows.filter(({ cells }) => cells[0]?.column === 0).length;

/**
 * Returns the end of the header: the first rule below a row without numbers, else the first row
 * with numbers.
 */
function findHeadEnd(rows: readonly TextRow[], isRuled: readonly boolean[]): number {
  const firstNumbers = rows.findIndex(hasNumbers);
  const firstRule = isRuled.findIndex((ruled, at) => ruled && at > 0);
  if (firstRule > 0 && firstRule <= 5 && (firstNumbers === -1 || firstRule <= firstNumbers))
    return firstRule;
  if (firstNumbers > 0 && firstNumbers <= 5) return firstNumbers;
  return 1;
}

function belongsToHead(before: TextRow, row: TextRow, step: number): boolean {
  if (step > 1.6 * row.size) return false;
  return [...before.cells, ...row.cells].every(({ columns }) => columns === 1);
}

function belongsToBody(before: TextRow, row: TextRow, step: number, usual: number): boolean {
  if (step < MAX_TIGHT_STEP * usual && step < 1.7 * row.size) return true;
  const columns = new Set(before.cells.map(({ column }) => column));
  const within = row.cells.every(({ column }) => columns.has(column));
  const startsInside = row.cells.every(({ column }) => column > 0);
  if (
    startsInside &&
    within &&
    step < 1.6 * row.size &&
    !row.cells.some(({ words }) => isNumber(words))
  )
    return true;
  // A label that continues on the next line is alone there, and its rest starts in lower case.
  const [label] = row.cells;
  const begins = label?.words[0]?.text ?? "";
  const alone = before.cells.length === 1 && before.cells[0]?.column === 0;
  const follows = row.cells.length === 1 && label?.column === 0;
  return (
    (alone || follows) && label?.column === 0 && /^\p{Ll}/u.test(begins) && step < 1.6 * row.size
  );
}

function join(upper: TextRow, lower: TextRow): TextRow {
  const cells = upper.cells.map((cell) => ({ ...cell, words: [...cell.words] }));
  for (const cell of lower.cells) {
    const same = cells.find(
      (other) => other.column <= cell.column && cell.column < other.column + other.columns,
    );
    if (same === undefined) cells.push({ ...cell, words: [...cell.words] });
    else same.words.push(...cell.words);
  }
  return {
    cells: cells.toSorted((one, other) => one.column - other.column),
    y0: upper.y0,
    y1: lower.y1,
    size: Math.max(upper.size, lower.size),
  };
}
