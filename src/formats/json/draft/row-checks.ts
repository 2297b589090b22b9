// Recognizes rows that are no records: totals, breaks, halves of records.
import { TOTAL } from "../../../page-model/grids.ts";
import type { Shape } from "../../../runtime/json-schema/shape.ts";
import { parseName } from "../names/names.ts";

/** Minimum share of records with a title for the others to be something else, such as a break. */
const MIN_TITLED = 0.6;

/** The naming property that most but not all records of a list have. */
export function findTitleOfMost(
  list: readonly Readonly<Record<string, unknown>>[],
  { properties }: Shape,
): string | undefined {
  const name = [...properties.keys()].find((key) => parseName(key).concepts.has("name"));
  if (name === undefined || list.length < 3) return undefined;
  const titled = list.filter((row) => row[name] !== undefined).length;
  return titled < list.length && titled >= list.length * MIN_TITLED ? name : undefined;
}

/** True if every second row has no field of the row before it: half records, not records. */
export function areHalves(list: readonly Readonly<Record<string, unknown>>[]): boolean {
  const changes = list.slice(1).map((row, at) => {
    const before = list[at] ?? {};
    return Object.keys(row).every((key) => before[key] === undefined);
  });
  return list.length >= 4 && changes.filter(Boolean).length >= changes.length * 0.8;
}

const BREAK =
  /^(?:(?:coffee|tea|lunch|dinner|refreshment|morning|afternoon|comfort)(?: (?:and|&) \p{L}+)? ?(?:break)?|break|registration(?: .{0,30})?|(?:kaffee|mittags)?pause|mittagessen|(?:check-?in|einlass|doors open)|pause(?:[- ]café)?|déjeuner|almuerzo|pausa(?: .{0,12})?|pranzo|lunchpauze)$/iu;

/** True for a break in a program: a row without the speakers that the others have. */
export function isBreak(row: Readonly<Record<string, unknown>>, { properties }: Shape): boolean {
  const speakers = [...properties.keys()].find((key) => /speaker|presenter|referent/i.test(key));
  return (
    speakers !== undefined &&
    row[speakers] === undefined &&
    Object.values(row).some((value) => typeof value === "string" && BREAK.test(value.trim()))
  );
}

/** True for a row of totals: one of its values is such a word. */
export const isSum = (row: Readonly<Record<string, unknown>>): boolean =>
  Object.values(row).some((value) => typeof value === "string" && TOTAL.test(value.trim()));

/** Rows without the total, and columns of numbers that must add up to it. */
const MIN_ADDED = 3;
const MIN_COLUMNS = 2;
/** Share by which rounded numbers may miss their total. */
const MAX_ROUNDING = 0.001;

/** The position of the only row whose numbers are the sums of the others': a country over its regions. */
export function findTotal(rows: readonly Readonly<Record<string, unknown>>[]): number | undefined {
  if (rows.length <= MIN_ADDED) return undefined;
  const keys = new Set(rows.flatMap((row) => Object.keys(row)));
  const sums = [...keys].flatMap((key) => {
    const numbers = rows.map((row) => row[key]);
    const isFull = numbers.every((value) => typeof value === "number" && value >= 0);
    return isFull ? [numbers as number[]] : [];
  });
  const isTotal = (at: number): boolean => {
    const added = sums.filter((numbers) => {
      const own = numbers[at] ?? 0;
      const others = numbers.reduce((sum, value) => sum + value, 0) - own;
      return own > 0 && Math.abs(own - others) <= own * MAX_ROUNDING;
    });
    return added.length >= MIN_COLUMNS;
  };
  const found = rows.flatMap((_, at) => (isTotal(at) ? [at] : []));
  return found.length === 1 ? found[0] : undefined;
}

/** The share of rows that must have a required property before rows without it count as incomplete. */
const MIN_COMPLETE = 0.5;

/**
 * The positions of rows with all required properties. A property that most rows lack is not on the
 * page: its absence says nothing about a row, unless most required properties are lacking: then the
 * rows are another list.
 */
export function selectComplete(
  rows: readonly Readonly<Record<string, unknown>>[],
  { required, properties }: Shape,
): number[] {
  const wanted = [...required].filter((name) => properties.get(name)?.nullable !== true);
  const asked = wanted.filter(
    (name) => rows.filter((row) => row[name] !== undefined).length >= rows.length * MIN_COMPLETE,
  );
  if (asked.length * 2 < wanted.length) return [];
  return rows.flatMap((row, at) => (asked.every((name) => row[name] !== undefined) ? [at] : []));
}
