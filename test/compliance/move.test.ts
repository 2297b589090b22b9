// From the embedded database to PostgreSQL: every row and blob, with equal counts.
import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { describe, expect, inject, it } from "vitest";
import { loadConfig } from "../../src/config.ts";
import { createLogger } from "../../src/logger.ts";
import { countRows, listTables } from "../../src/store/backup/table-rows.ts";
import { moveStore } from "../../src/store/backup/move.ts";
import { createBlobFolder } from "../../src/store/blobs/blob-folder.ts";
import { openDatabase } from "../../src/store/database/database.ts";
import { openPostgres } from "../../src/store/database/postgres.ts";
import { openStore } from "../../src/store/store.ts";
import { temporaryFolder } from "../databases.ts";

const url = inject("postgresUrls")["move"];
const ROWS = 20_000;
const log = createLogger("silent");

describe.skipIf(url === undefined)("move from the embedded database to PostgreSQL", () => {
  it("copies all rows and blobs byte for byte, and refuses a target that has rows", async () => {
    const dataDir = await temporaryFolder();
    const config = loadConfig({ dataDir }, {});
    const store = await openStore(config, log);
    const { kysely } = store.database;
    const id = "00000000-0000-7000-8000-000000000001";
    const name = 'with "quotes", \\ and ünïcode\n\u0001';
    await sql`insert into accounts (id, name, created_at, credit_budget)
      values (${id}, ${name}, 1, 9007199254740991)`.execute(kysely);
    // Bytes, JSON, large integers and nulls.
    await sql`insert into captures (id, cache_key, fetched_at, status_code, final_url, about, body_ref, body_inline, size_bytes)
      select gen_random_uuid(), 'key ' || i, 1700000000000 + i, 200, 'https://example.com/' || i,
        json_build_object('at', i, 'text', 'a "b" ' || chr(8364)), null, sha256(i::text::bytea), i
      from generate_series(1, ${ROWS}::int) i`.execute(kysely);
    for (let at = 0; at < 20; at++) await store.blobs.put(randomBytes(5_000));
    await store.close();

    const from = {
      database: await openDatabase(config, log),
      blobs: createBlobFolder(`${dataDir}/blobs`),
    };
    const target = openPostgres(url ?? "", 2, log);
    const blobs = createBlobFolder(await temporaryFolder());
    try {
      const counts = await moveStore({ from, to: { database: target, blobs } });
      expect(counts.blobs).toBe(20);
      expect(counts.tables).toMatchObject({ accounts: 1, captures: ROWS });
      for (const table of await listTables(from.database.kysely)) {
        expect(await countRows(target.kysely, table), table).toBe(
          await countRows(from.database.kysely, table),
        );
        const digest = sql<{ sum: string }>`
          select coalesce(md5(string_agg(md5(row_to_json(t)::text), '' order by md5(row_to_json(t)::text))), '') as sum
          from ${sql.table(table)} t`;
        const [here] = (await digest.execute(from.database.kysely)).rows;
        const [there] = (await digest.execute(target.kysely)).rows;
        expect(there, table).toEqual(here);
      }
      await expect(moveStore({ from, to: { database: target, blobs } })).rejects.toThrow(
        "not empty",
      );
    } finally {
      await target.close();
      await from.database.close();
    }
  }, 120_000);
});
