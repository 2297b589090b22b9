// Many rows in one statement with one parameter: the rows travel as JSON and the database takes them apart. The text of
// the statement depends on the table alone, and PGlite handles 20 rows in about the time of two single inserts.
import { sql, type RawBuilder } from "kysely";

export type ColumnKind = "uuid" | "text" | "bigint" | "integer" | "boolean" | "jsonb" | "bytea";

/** PostgreSQL text and jsonb take neither U+0000 nor half a surrogate pair; pages contain both. */
function storable(_name: string, value: unknown): unknown {
  return typeof value === "string" ? value.toWellFormed().replaceAll("\0", "\uFFFD") : value;
}

/** JSON that PostgreSQL accepts: U+0000 and lone surrogates become U+FFFD. */
export function toStorableJson(value: unknown): string {
  const text = JSON.stringify(value) ?? "null";
  return /\\u(0000|d[89a-f])/.test(text) ? JSON.stringify(value, storable) : text;
}

/**
 * The statement that inserts rows of `columns` into `table`; a row whose key exists already is skipped. Values of a bytea
 * column are given as base64 text. `table` and `columns` are our own words, never a caller's.
 */
export function rowInsert(
  table: string,
  columns: Readonly<Record<string, ColumnKind>>,
): (rows: readonly object[]) => RawBuilder<unknown> {
  const names = Object.keys(columns);
  const chosen = names.map((name) =>
    columns[name] === "bytea" ? `decode(${name}, 'base64')` : name,
  );
  const declared = names.map(
    (name) => `${name} ${columns[name] === "bytea" ? "text" : columns[name]}`,
  );
  const before = `insert into ${table} (${names.join(", ")}) select ${chosen.join(", ")} from json_to_recordset(`;
  const after = `::json) as given (${declared.join(", ")}) on conflict do nothing`;
  return (rows) => sql`${sql.raw(before)}${toStorableJson(rows)}${sql.raw(after)}`;
}

/**
 * Rows of one statement where there may be any number. The embedded database takes the memory for a statement from the
 * system and never gives it back: a page with 100,000 links in one statement costs 90 MB for as long as the process lives.
 */
export const ROWS_AT_ONCE = 4_000;

/**
 * An array parameter of 64-bit integers. `column = any(array)` is looked up in the index value by value; the same values
 * joined as rows are taken for a hundred, and the whole job is read to join them.
 */
export function bigintArray(values: readonly bigint[]): RawBuilder<unknown> {
  return sql`${`{${values.join(",")}}`}::bigint[]`;
}
