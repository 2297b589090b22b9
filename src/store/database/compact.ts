// Gives the disk space of removed rows back.
import { sql } from "kysely";
import type { Database } from "./schema.ts";

/**
 * Rewrites the tables of the embedded database, which blocks it meanwhile. PostgreSQL keeps the space for
 * new rows instead: rewriting there would lock its tables for other processes.
 */
export async function compact({ kysely, kind }: Database): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_stat_user_tables where schemaname = current_schema() order by relname`.execute(
    kysely,
  );
  for (const { name } of rows)
    await (
      kind === "pglite"
        ? sql`vacuum (full, analyze) ${sql.table(name)}`
        : sql`vacuum (analyze) ${sql.table(name)}`
    ).execute(kysely);
  if (kind === "pglite") await sql`checkpoint`.execute(kysely);
}

export async function measureDatabase({ kysely }: Database): Promise<number> {
  const { rows } = await sql<{
    bytes: number;
  }>`select pg_database_size(current_database())::double precision as bytes`.execute(kysely);
  return rows[0]?.bytes ?? 0;
}
