// From the embedded database to PostgreSQL, and from a folder of blobs to a folder or a bucket: every row and blob, with equal counts.
import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { sql } from "kysely";
import { afterAll, describe, expect, inject, it } from "vitest";
import { loadConfig } from "../../src/config.ts";
import { InternalError } from "../../src/errors.ts";
import { createLogger } from "../../src/logger.ts";
import { countRows, listTables } from "../../src/store/backup/table-rows.ts";
import { moveStore } from "../../src/store/backup/move.ts";
import { createBlobFolder } from "../../src/store/blobs/blob-folder.ts";
import { openBlobBucket, parseS3Location } from "../../src/store/blobs/blob-s3.ts";
import { openDatabase } from "../../src/store/database/database.ts";
import { openPostgres } from "../../src/store/database/postgres.ts";
import { openStore } from "../../src/store/store.ts";
import { BUCKET, BUCKET_KEYS, startBucket, type BucketServer } from "../bucket.ts";
import { run } from "../command-line.ts";
import { temporaryDataFolder, temporaryFolder } from "../databases.ts";

const urls = inject("postgresUrls");
const url = urls["move"];
/** More than an answer of the store lists. */
const BLOBS = 1_100;
const ROWS = 20_000;
const log = createLogger("silent");

let bucket: BucketServer | undefined;
afterAll(() => bucket?.close());

describe.skipIf(url === undefined)("move from the embedded database to PostgreSQL", () => {
  it("copies all rows and blobs byte for byte, and refuses a target that has rows", async () => {
    const dataDir = await temporaryDataFolder();
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

  it("quarry move copies every blob into a bucket, where the new server finds it", async () => {
    const dataDir = await temporaryFolder();
    const store = await openStore(loadConfig({ dataDir }, {}), log);
    const refs: string[] = [];
    for (let at = 0; at < BLOBS; at++) refs.push(await store.blobs.put(randomBytes(500)));
    await store.close();
    bucket = await startBucket(await temporaryFolder());
    const place = `s3://${BUCKET}/moved?region=us-east-1&endpoint=${bucket.endpoint}`;
    const { code, stdout, stderr } = await run(
      ["move", "--to", urls["move to a bucket"] ?? "", "--blobs", place, "--json"],
      {
        HOME: dataDir,
        QUARRY_DATA_DIR: dataDir,
        AWS_ACCESS_KEY_ID: BUCKET_KEYS.s3AccessKeyId.reveal(),
        AWS_SECRET_ACCESS_KEY: BUCKET_KEYS.s3SecretAccessKey.reveal(),
      },
    );
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ blobs: BLOBS, damagedBlobs: 0 });
    const old = createBlobFolder(`${dataDir}/blobs`);
    const moved = await openBlobBucket(parseS3Location(place), BUCKET_KEYS);
    for (const ref of refs) expect(await moved.get(ref)).toEqual(await old.get(ref));
    await moved.close();
  }, 120_000);

  it("fails without a row when the target lost a blob, and reports a blob that is damaged at the source", async () => {
    const dataDir = await temporaryFolder();
    const config = loadConfig({ dataDir }, {});
    const store = await openStore(config, log);
    for (let at = 0; at < 40; at++) await store.blobs.put(randomBytes(500));
    const damaged = await store.blobs.put(randomBytes(500));
    await store.close();
    const from = {
      database: await openDatabase(config, log),
      blobs: createBlobFolder(`${dataDir}/blobs`),
    };
    const target = openPostgres(urls["move of damaged blobs"] ?? "", 2, log);
    const blobs = createBlobFolder(await temporaryFolder());
    const losing = {
      ...blobs,
      async put(bytes: Uint8Array) {
        const ref = await blobs.put(bytes);
        if (ref < "2") await blobs.delete(ref);
        return ref;
      },
    };
    try {
      const failed = moveStore({ from, to: { database: target, blobs: losing } });
      await expect(failed).rejects.toThrow(InternalError);
      await expect(failed).rejects.toThrow(/lacks \d+ of 41 blobs/);
      await writeFile(`${dataDir}/blobs/${damaged.slice(0, 2)}/${damaged}.zst`, "damaged");
      const counts = await moveStore({ from, to: { database: target, blobs } });
      expect(counts).toMatchObject({ blobs: 40, damagedBlobs: 1 });
    } finally {
      await target.close();
      await from.database.close();
    }
  }, 120_000);
});
