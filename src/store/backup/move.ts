// Moves a server from one database and blob store to others, row by row, with a check of counts.
import { RequestError } from "../../errors.ts";
import type { BlobStore } from "../blobs/blobs.ts";
import { migrate } from "../database/migrate.ts";
import type { Database } from "../database/schema.ts";
import { checkCounts, type Counts } from "./backup.ts";
import { countRows, hasRows, listTables, readRows, withSnapshot, writeRows } from "./table-rows.ts";

export type MoveParts = {
  readonly from: { readonly database: Database; readonly blobs: BlobStore };
  readonly to: {
    readonly database: Database;
    /** Undefined when the blobs stay where they are. */
    readonly blobs: BlobStore | undefined;
  };
};

/**
 * Copies everything; the source stays as it is. Throws BAD_REQUEST if the target has rows, InternalError if the counts differ.
 */
export async function moveStore({ from, to }: MoveParts): Promise<Counts> {
  await migrate(to.database.kysely);
  if (await hasRows(to.database.kysely))
    throw new RequestError("BAD_REQUEST", "The target database is not empty: name a new one.");
  const blobs = to.blobs === undefined ? 0 : await copyBlobs(from.blobs, to.blobs);
  const expected: Record<string, number> = {};
  const tables: Record<string, number> = {};
  await withSnapshot(from.database.kysely, async (source) => {
    // One transaction, so that a failed move leaves the target empty.
    await to.database.kysely.transaction().execute(async (target) => {
      for (const name of await listTables(source)) {
        expected[name] = 0;
        for await (const rows of readRows(source, name)) {
          expected[name] += rows.length;
          await writeRows(target, name, rows);
        }
        tables[name] = await countRows(target, name);
      }
      checkCounts({ tables: expected, blobs }, { tables, blobs });
    });
  });
  return { tables, blobs };
}

async function copyBlobs(from: BlobStore, to: BlobStore): Promise<number> {
  let count = 0;
  for await (const { ref } of from.list()) {
    const bytes = await from.get(ref);
    if (bytes === undefined) continue;
    await to.put(bytes);
    count++;
  }
  return count;
}
