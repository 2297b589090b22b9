// Queries over collected rows: filters, order, counts, and joins of two tables by a common value.
import { isFilled } from "../answer/target.ts";
import { readNumber } from "./cell-number.ts";
import type { CollectedTable, CollectedRow } from "./collected.ts";

export const OPERATORS = [
  "=",
  "!=",
  "<",
  "<=",
  ">",
  ">=",
  "contains",
  "not contains",
  "is missing",
  "is present",
] as const;
export type Operator = (typeof OPERATORS)[number];

export type TableQuery = {
  readonly where?: readonly {
    readonly column: string;
    readonly is: Operator;
    readonly value?: unknown;
  }[];
  /** Rows of another table whose column has the same value. */
  readonly join?: { readonly table: CollectedTable; readonly on: string; readonly to?: string };
  readonly sort?: readonly { readonly column: string; readonly descending?: boolean }[];
  /** The first row of each value of the column. */
  readonly distinct?: string;
  readonly columns?: readonly string[];
  readonly limit?: number;
};

/** Thrown for a column that the table does not have, with the message for the model. */
export class QueryFault extends Error {}

/** Joins, filters, sorts, takes distinct rows, limits, and picks columns, in this order. */
export function queryTable(table: CollectedTable, query: TableQuery): Omit<CollectedTable, "name"> {
  const joined = query.join === undefined ? table : join(table, query.join);
  const { columns } = joined;
  const check = (column: string): string => {
    if (columns.includes(column)) return column;
    throw new QueryFault(
      `${table.name} has no column ${JSON.stringify(column)}; it has ${columns.join(", ")}.`,
    );
  };
  let rows = [...joined.rows];
  for (const { column, is, value } of query.where ?? []) {
    check(column);
    rows = rows.filter((row) => fits(row.value[column], is, value));
  }
  for (const { column, descending = false } of (query.sort ?? []).toReversed()) {
    check(column);
    rows = rows.toSorted((one, other) =>
      compareForSort(one.value[column], other.value[column], descending),
    );
  }
  if (query.distinct !== undefined) {
    const column = check(query.distinct);
    const seen = new Set<string>();
    rows = rows.filter(({ value }) => {
      const key = fold(value[column]);
      return key !== "" && !seen.has(key) && seen.add(key);
    });
  }
  if (query.limit !== undefined) rows = rows.slice(0, query.limit);
  if (query.columns === undefined) return { columns, rows };
  const chosen = query.columns.map(check);
  return { columns: chosen, rows: rows.map((row) => pick(row, chosen)) };
}

function pick({ value, sources }: CollectedRow, columns: readonly string[]): CollectedRow {
  const copyOwn = <T>(record: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(record).filter(([name]) => columns.includes(name)));
  return { value: copyOwn(value), sources: copyOwn(sources) };
}

const fold = (value: unknown): string =>
  isFilled(value)
    ? (typeof value === "string" ? value : JSON.stringify(value))
        .normalize("NFKC")
        .toLowerCase()
        .replaceAll(/\s+/g, " ")
        .trim()
    : "";

/** Numbers, also in texts that contain one. */
const parseNumber = (value: unknown): number | undefined =>
  typeof value === "number"
    ? value
    : typeof value === "string" && /\d/.test(value) && !ISO_DATE.test(value)
      ? readNumber(value, false)
      : undefined;
const ISO_DATE = /^\d{4}-\d{2}(?:-\d{2})?/;

/** Negative, 0 or positive; compares two numbers by size, otherwise words. */
function compare(one: unknown, other: unknown): number {
  const first = parseNumber(one);
  const second = parseNumber(other);
  if (first !== undefined && second !== undefined) return first - second;
  return fold(one) < fold(other) ? -1 : fold(one) > fold(other) ? 1 : 0;
}

/** Missing values come last in both directions. */
function compareForSort(one: unknown, other: unknown, descending: boolean): number {
  if (!isFilled(one) || !isFilled(other)) return Number(isFilled(other)) - Number(isFilled(one));
  return descending ? compare(other, one) : compare(one, other);
}

function fits(own: unknown, is: Operator, value: unknown): boolean {
  if (is === "is missing") return !isFilled(own);
  if (is === "is present") return isFilled(own);
  // An empty cell matches no comparison.
  if (!isFilled(own)) return false;
  switch (is) {
    case "=":
      return isEqual(own, value);
    case "!=":
      return !isEqual(own, value);
    case "contains":
      return fold(own).includes(fold(value));
    case "not contains":
      return !fold(own).includes(fold(value));
    case "<":
      return compare(own, value) < 0;
    case "<=":
      return compare(own, value) <= 0;
    case ">":
      return compare(own, value) > 0;
    case ">=":
      return compare(own, value) >= 0;
  }
}

function isEqual(own: unknown, value: unknown): boolean {
  if (fold(own) === fold(value)) return true;
  return typeof own === "number" && parseNumber(value) === own;
}

/**
 * Each row with the first of the other table that has the same value; rows without one are left
 * out.
 */
function join(
  { columns, rows, name }: CollectedTable,
  { table, on, to = on }: NonNullable<TableQuery["join"]>,
): CollectedTable {
  if (!columns.includes(on) || !table.columns.includes(to))
    throw new QueryFault(
      `The join needs a column of each table; ${name} has ${columns.join(", ")}, ${table.name} has ${table.columns.join(", ")}.`,
    );
  const byKey = new Map<string, CollectedRow>();
  for (const row of table.rows) {
    const key = fold(row.value[to]);
    if (key !== "" && !byKey.has(key)) byKey.set(key, row);
  }
  const renamed = new Map(
    table.columns.flatMap((column): [string, string][] =>
      column === to && to === on
        ? []
        : [[column, columns.includes(column) ? `${table.name}.${column}` : column]],
    ),
  );
  const found = rows.flatMap(({ value, sources }): CollectedRow[] => {
    const match = byKey.get(fold(value[on]));
    if (match === undefined) return [];
    const more: Record<string, unknown> = {};
    const moreSources: Record<string, CollectedRow["sources"][string]> = {};
    for (const [column, named] of renamed) {
      if (match.value[column] !== undefined) more[named] = match.value[column];
      const source = match.sources[column];
      if (source !== undefined) moreSources[named] = source;
    }
    return [{ value: { ...value, ...more }, sources: { ...sources, ...moreSources } }];
  });
  return { name, columns: [...columns, ...renamed.values()], rows: found };
}
