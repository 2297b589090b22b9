// Writes many rows with one parameter: the rows travel as JSON and the database unpacks them. The
// statement's text depends on the table only, and PGlite handles 20 rows in about the time of two
// single inserts.
import { sql, type RawBuilder } from "kysely";

export type ColumnKind =
  | "uuid"
  | "text"
  | "bigint"
  | "integer"
  | "boolean"
  | "json"
  | "jsonb"
  | "bytea";

/** PostgreSQL text and jsonb accept neither U+0000 nor lone surrogates; pages contain both. */
function toStorable(_name: string, value: unknown): unknown {
  return typeof value === "string" ? value.toWellFormed().replaceAll("\0", "\uFFFD") : value;
}

/** Serializes JSON for PostgreSQL: U+0000 and lone surrogates become U+FFFD. */
export function toStorableJson(value: unknown): string {
  const text = JSON.stringify(value) ?? "null";
  return /\\u(0000|d[89a-f])/.test(text) ? JSON.stringify(value, toStorable) : text;
}

/**
 * Builds the statement that inserts rows of `columns` into `table`; rows with an existing key are
 * skipped. Values of bytea columns are base64 text. `table` and `columns` must never come from a
 * caller.
 */
export function buildRowInsert(
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
 * Maximum rows per statement. The embedded database never returns a statement's memory to the
 * system: a page with 100,000 links in one statement would hold 90 MB for the life of the process.
 */
export const ROWS_PER_BATCH = 4_000;

/**
 * Rows given as JSON, to join a table by its key. The embedded database has no statistics: its
 * planner assumes a hundred rows and a small job, and would scan the whole job. A limit unknown to
 * the planner makes it assume ten rows and use the index. `columns` must never come from a caller.
 */
export function buildGivenRows(
  rows: readonly object[],
  columns: Readonly<Record<string, ColumnKind>>,
): RawBuilder<unknown> {
  const declared = Object.entries(columns).map(([name, kind]) => `${name} ${kind}`);
  return sql`(select * from json_to_recordset(${toStorableJson(rows)}::json) as listed (${sql.raw(declared.join(", "))})
    limit (select ${rows.length}::integer)) as given`;
}

/** Numbers as the column `given.key`, each looked up in the index. */
export const buildGivenKeys = (keys: readonly bigint[]): RawBuilder<unknown> =>
  buildGivenRows(
    keys.map((key) => ({ key: String(key) })),
    { key: "bigint" },
  );
