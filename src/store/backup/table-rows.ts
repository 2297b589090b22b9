// Rows of any table as JSON texts, and back. PostgreSQL itself converts the values, so every column type keeps its value on
// both engines and a new table needs no code here.
import { sql, type Kysely, type Transaction } from "kysely";
import type { Tables } from "../database/schema.ts";

type Rows = Kysely<Tables>;

/** Its rows are made by the migrations. */
const MIGRATIONS = "migrations";
const ROWS_PER_FETCH = 500;
/** Characters of rows in one statement. */
const MAX_STATEMENT = 4_000_000;

/** Names of all tables; those that others refer to come first. */
export async function listTables(kysely: Rows): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where relkind = 'r' and nspname = current_schema() and relname <> ${MIGRATIONS} order by relname`.execute(
    kysely,
  );
  const { rows: links } = await sql<{ from: string; to: string }>`
    select a.relname as "from", b.relname as "to" from pg_constraint
    join pg_class a on a.oid = conrelid join pg_class b on b.oid = confrelid
    where contype = 'f' and conrelid <> confrelid`.execute(kysely);
  const ordered: string[] = [];
  const visit = (name: string): void => {
    if (ordered.includes(name)) return;
    for (const link of links) if (link.from === name) visit(link.to);
    if (!ordered.includes(name)) ordered.push(name);
  };
  for (const { name } of tables) visit(name);
  return ordered;
}

/**
 * Reads the rows of a table in groups of at most some megabytes, as one JSON text each. `where` is a condition on the table,
 * whose alias is `t`.
 */
export async function* readRows(
  transaction: Transaction<Tables>,
  table: string,
  where = sql`true`,
): AsyncGenerator<string[]> {
  const cursor = sql.ref(`rows_of_${table}`);
  await sql`declare ${cursor} no scroll cursor for
    select row_to_json(t)::text as row from ${sql.table(table)} t where ${where}`.execute(
    transaction,
  );
  for (;;) {
    const { rows } = await sql<{
      row: string;
    }>`fetch ${sql.lit(ROWS_PER_FETCH)} from ${cursor}`.execute(transaction);
    let group: string[] = [];
    let length = 0;
    for (const { row } of rows) {
      if (length + row.length > MAX_STATEMENT && group.length > 0) {
        yield group;
        group = [];
        length = 0;
      }
      group.push(row);
      length += row.length;
    }
    if (group.length > 0) yield group;
    if (rows.length < ROWS_PER_FETCH) break;
  }
  await sql`close ${cursor}`.execute(transaction);
}

/** Inserts rows that `readRows` read from a table of the same migration. */
export async function writeRows(
  kysely: Rows,
  table: string,
  rows: readonly string[],
): Promise<void> {
  await sql`insert into ${sql.table(table)}
    select * from json_populate_recordset(null::${sql.table(table)}, ${`[${rows.join(",")}]`}::json)`.execute(
    kysely,
  );
}

export async function countRows(kysely: Rows, table: string): Promise<number> {
  const { rows } = await sql<{
    count: number;
  }>`select count(*)::double precision as count from ${sql.table(table)}`.execute(kysely);
  return rows[0]?.count ?? 0;
}

/** Runs `work` on one consistent view of all tables. */
export async function withSnapshot<T>(
  kysely: Rows,
  work: (transaction: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  return await kysely.transaction().setIsolationLevel("repeatable read").execute(work);
}

/** True if a server has used this database. */
export async function hasRows(kysely: Rows): Promise<boolean> {
  for (const table of await listTables(kysely))
    if ((await countRows(kysely, table)) > 0) return true;
  return false;
}
