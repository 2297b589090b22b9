// Export of one account: its rows as lines of JSON and the files they refer to, without keys, hashes and sealed bytes.
import { sql, type Kysely, type RawBuilder } from "kysely";
import { RequestError } from "../../errors.ts";
import type { BlobStore } from "../blobs/blobs.ts";
import { isBlobRef } from "../blobs/blobs.ts";
import type { Database, Tables } from "../database/schema.ts";
import { listTables, readRows, withSnapshot } from "./table-rows.ts";
import { createTar, type TarWriter } from "./tar.ts";

export type ExportReport = {
  readonly account: string;
  readonly tables: Readonly<Record<string, number>>;
  readonly rows: number;
  readonly blobs: number;
};

/** Columns that would let a reader act as the account, or that are encrypted. */
const SECRET_COLUMNS = new Set(["hash", "previous_hash", "key_hash", "sealed", "state"]);

type Rule = { readonly table: string; readonly where: RawBuilder<boolean> };

/** Writes the export to a new tar file. `account` is a name or id. Throws NOT_FOUND. */
export async function exportAccount(
  file: string,
  account: string,
  { database, blobs }: { readonly database: Database; readonly blobs: BlobStore },
): Promise<ExportReport> {
  const id = await findAccount(database.kysely, account);
  const tar = await createTar(file);
  try {
    const refs = new Set<string>();
    const tables = await writeTables(tar, database, id, refs);
    const count = await writeBlobs(tar, blobs, refs);
    await tar.finish();
    const rows = Object.values(tables).reduce((total, each) => total + each, 0);
    return { account: id, tables, rows, blobs: count };
  } finally {
    await tar.close();
  }
}

async function findAccount(kysely: Kysely<Tables>, account: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select id::text from accounts where id::text = ${account} or name = ${account} order by created_at limit 2`.execute(
    kysely,
  );
  const [found] = rows;
  if (found === undefined)
    throw new RequestError("NOT_FOUND", `There is no account with the id or name ${account}.`);
  return found.id;
}

/** Tables with an account's rows: its own, and those that refer to them. */
async function listRules(kysely: Kysely<Tables>, id: string): Promise<Rule[]> {
  const { rows: owned } = await sql<{ table: string }>`
    select table_name as table from information_schema.columns
    where table_schema = current_schema() and column_name = 'account_id'`.execute(kysely);
  const { rows: links } = await sql<{ table: string; to: string; column: string; key: string }>`
    select a.relname as table, b.relname as "to", x.attname as column, y.attname as key from pg_constraint
    join pg_class a on a.oid = conrelid join pg_class b on b.oid = confrelid
    join pg_attribute x on x.attrelid = conrelid and x.attnum = conkey[1]
    join pg_attribute y on y.attrelid = confrelid and y.attnum = confkey[1]
    where contype = 'f' and cardinality(conkey) = 1`.execute(kysely);
  const { rows: jobRows } = await sql<{ table: string }>`
    select table_name as table from information_schema.columns
    where table_schema = current_schema() and column_name = 'job_id'`.execute(kysely);
  const rules = new Map<string, RawBuilder<boolean>>();
  rules.set("accounts", sql<boolean>`t.id = ${id}::uuid`);
  for (const { table } of owned) rules.set(table, sql<boolean>`t.account_id = ${id}::uuid`);
  for (const name of await listTables(kysely)) {
    if (rules.has(name)) continue;
    const link = links.find((each) => each.table === name && rules.has(each.to));
    if (link !== undefined)
      rules.set(
        name,
        sql<boolean>`t.${sql.ref(link.column)} in (select t.${sql.ref(link.key)} from ${sql.table(link.to)} t where ${rules.get(link.to)})`,
      );
    else if (jobRows.some(({ table }) => table === name))
      rules.set(
        name,
        sql<boolean>`t.job_id in (select t.id from jobs t where t.account_id = ${id}::uuid)`,
      );
  }
  return [...rules].map(([table, where]) => ({ table, where }));
}

async function writeTables(
  tar: TarWriter,
  { kysely }: Database,
  id: string,
  refs: Set<string>,
): Promise<Record<string, number>> {
  return await withSnapshot(kysely, async (transaction) => {
    const counts: Record<string, number> = {};
    for (const { table, where } of await listRules(transaction, id)) {
      let part = 0;
      for await (const rows of readRows(transaction, table, where)) {
        const lines = rows.map((row) => toPublicLine(row, refs));
        counts[table] = (counts[table] ?? 0) + rows.length;
        const name = ++part === 1 ? `${table}.ndjson` : `${table}-${part}.ndjson`;
        await tar.add(name, Buffer.from(`${lines.join("\n")}\n`));
      }
    }
    return counts;
  });
}

/** Removes secrets from a row, and notes the blobs that it refers to. */
function toPublicLine(row: string, refs: Set<string>): string {
  const entries = Object.entries(JSON.parse(row) as Record<string, unknown>);
  const kept = entries.filter(([name]) => !SECRET_COLUMNS.has(name));
  for (const [name, value] of kept)
    if (/(?:^|_)ref$/.test(name) && typeof value === "string" && isBlobRef(value)) refs.add(value);
  return JSON.stringify(Object.fromEntries(kept));
}

async function writeBlobs(
  tar: TarWriter,
  blobs: BlobStore,
  refs: ReadonlySet<string>,
): Promise<number> {
  let count = 0;
  for (const ref of refs) {
    const bytes = await blobs.get(ref, { keepDamaged: true });
    if (bytes === undefined) continue;
    await tar.add(`files/${ref}`, bytes);
    count++;
  }
  return count;
}
