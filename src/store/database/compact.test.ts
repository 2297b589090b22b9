import { rm } from "node:fs/promises";
import path from "node:path";
import { sql } from "kysely";
import { afterAll, expect, it } from "vitest";
import { createDataFolder } from "../../../test/data-folder.ts";
import { createLogger } from "../../logger.ts";
import { compact, measureDatabase } from "./compact.ts";
import { openEmbedded } from "./pglite.ts";

const folder = await createDataFolder();
afterAll(async () => await rm(folder, { recursive: true, force: true }));

it("compacting gives the space of removed rows back and keeps the others", async () => {
  const database = await openEmbedded(path.join(folder, "database"), createLogger("silent"));
  try {
    const { kysely } = database;
    await sql`create table notes (id integer primary key, text text)`.execute(kysely);
    await sql`insert into notes select i, repeat(md5(i::text), 20) from generate_series(1, 20000) i`.execute(
      kysely,
    );
    await sql`delete from notes where id % 10 <> 0`.execute(kysely);
    const before = await measureDatabase(database);
    await compact(database);
    expect(before - (await measureDatabase(database))).toBeGreaterThan(10_000_000);
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from notes`.execute(
      kysely,
    );
    expect(rows[0]?.count).toBe(2_000);
  } finally {
    await database.close();
  }
}, 60_000);
