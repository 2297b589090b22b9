// Recognizes rows that are no records: totals, breaks, halves of records.
import type { Name } from "../names/names.ts";
import { TOTAL } from "../../../page-model/group-rows.ts";
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

/** True if every second row has no field of the row before it: each record takes two rows. */
export function areSplitRecords(list: readonly Readonly<Record<string, unknown>>[]): boolean {
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

/**
 * True for a row of totals: one of its values is such a word, or the group in a list of its parts.
 */
export function isSum(row: Readonly<Record<string, unknown>>, list?: Name): boolean {
  const isOfParts = list?.words.some((word) => PART_OF_GROUP.test(word)) === true;
  return Object.values(row).some(
    (value) =>
      typeof value === "string" &&
      (TOTAL.test(value.trim()) || (isOfParts && WHOLE_GROUP.test(value.trim()))),
  );
}

const PART_OF_GROUP = /^(?:segment|division|business|region|area|geography|market|sparte|gebiet)$/;
const WHOLE_GROUP =
  /^(?:(?:the )?group(?: total)?|total group|consolidated(?: total)?|segments? total|total segments|konzern|konzern gesamt|groupe|total groupe|grupo|total grupo|gruppo|totale gruppo|koncernen|groep)$/iu;

/** Rows that make a total, and columns of numbers that must add up to it. */
const MIN_ADDED = 2;
const MIN_COLUMNS = 2;
const MAX_ADDED = 100;
/** Share by which rounded numbers may miss their total. */
const MAX_ROUNDING = 0.001;

/**
 * The positions of totals: rows whose numbers are the sums of all others, as those of a country
 * over its regions, or of the rows behind them, as those of a region over its counties.
 */
export function findTotals(
  rows: readonly Readonly<Record<string, unknown>>[],
): ReadonlySet<number> {
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const columns = keys
    .map((key) => rows.map((row) => row[key]))
    .filter((values) => values.every((value) => value === undefined || typeof value === "number"))
    .map((values) => readColumn(values as readonly (number | undefined)[]));
  // The lines of an income statement add up in many ways.
  const positive = columns.filter(({ numbers }) => numbers.every((number) => number >= 0));
  const isSumOf = (at: number, from: number, to: number): boolean => {
    const isPart = to - from < rows.length;
    const given = columns.filter((column) => column.isGiven[at]);
    const added = (isPart ? positive : columns).filter((column) => {
      const own = column.numbers[at] ?? 0;
      const others = (column.sums[to] ?? 0) - (column.sums[from] ?? 0);
      const rest = from <= at && at < to ? others - own : others;
      return own > 0 && Math.abs(own - rest) <= findTolerance(column, own);
    });
    return added.length >= MIN_COLUMNS && added.length * 2 > given.length;
  };
  const all = rows.flatMap((_, at) =>
    rows.length > MIN_ADDED + 1 && isSumOf(at, 0, rows.length) ? [at] : [],
  );
  if (all.length === 1) return new Set(all);
  const parts = rows.flatMap((_, at) => {
    const last = Math.min(rows.length, at + 1 + MAX_ADDED);
    for (let to = at + 1 + MIN_ADDED; to <= last; to++) if (isSumOf(at, at + 1, to)) return [at];
    return [];
  });
  // Two rows that happen to add up are no reason to drop the one before them.
  return new Set(parts.length >= MIN_PARTS ? parts : []);
}

const MIN_PARTS = 2;

type Column = {
  /** True for the rows that have a number in it; a total has none in those that cannot be added. */
  readonly isGiven: readonly boolean[];
  readonly numbers: readonly number[];
  /** The sum of the numbers before each row, and of all. */
  readonly sums: readonly number[];
  /** The most by which the sum of numbers that are each rounded may differ. */
  readonly rounding: number;
};

function readColumn(values: readonly (number | undefined)[]): Column {
  const numbers = values.map((value) => value ?? 0);
  const sums = [0];
  let decimals = 0;
  for (const number of numbers) {
    sums.push((sums.at(-1) ?? 0) + number);
    decimals = Math.max(decimals, `${number}`.split(".")[1]?.length ?? 0);
  }
  return {
    isGiven: values.map((value) => value !== undefined),
    numbers,
    sums,
    rounding: (numbers.length * 10 ** -decimals) / 2,
  };
}

/** The difference between a total and the sum of numbers that are each rounded. */
const findTolerance = ({ rounding }: Column, total: number): number =>
  Math.max(rounding <= total * MAX_ROUNDED_SHARE ? rounding : 0, total * MAX_ROUNDING);

/** Share of a total above which differences are no rounding. */
const MAX_ROUNDED_SHARE = 0.01;

/**
 * The share of rows that must have a required property before rows without it count as incomplete.
 */
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
