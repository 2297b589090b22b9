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
 * Rows given as JSON, to be joined with a table by its key. The planner has no statistics in the embedded database: it takes
 * the rows for a hundred and any job for small, and reads the whole job to join them. A limit that it cannot know makes it
 * take them for ten, so it looks each one up in the index. `columns` are our own words, never a caller's.
 */
export function givenRows(
  rows: readonly object[],
  columns: Readonly<Record<string, ColumnKind>>,
): RawBuilder<unknown> {
  const declared = Object.entries(columns).map(([name, kind]) => `${name} ${kind}`);
  return sql`(select * from json_to_recordset(${toStorableJson(rows)}::json) as listed (${sql.raw(declared.join(", "))})
    limit (select ${rows.length}::integer)) as given`;
}

/** Numbers, each looked up in the index, as the column `given.key`. */
export const givenKeys = (keys: readonly bigint[]): RawBuilder<unknown> =>
  givenRows(
    keys.map((key) => ({ key: String(key) })),
    { key: "bigint" },
  );
