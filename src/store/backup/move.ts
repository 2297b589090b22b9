// Moves a server from one database and blob store to others, row by row, with a check of counts.
import { RequestError } from "../../errors.ts";
import type { BlobStore } from "../blobs/blobs.ts";
import { migrate } from "../database/migrate.ts";
import type { Database } from "../database/schema.ts";
import { checkRowCounts, type Counts } from "./backup.ts";
import { copyBlobs, type CopiedBlobs } from "./copy-blobs.ts";
import { countRows, hasRows, listTables, readRows, withSnapshot, writeRows } from "./table-rows.ts";

export type MoveParts = {
  readonly from: { readonly database: Database; readonly blobs: BlobStore };
  readonly to: {
    readonly database: Database;
    /** Undefined when the blobs stay where they are. */
    readonly blobs: BlobStore | undefined;
  };
};

export type MoveReport = Counts & CopiedBlobs;

const NO_BLOBS: CopiedBlobs = { blobs: 0, damagedBlobs: 0 };

/**
 * Copies everything; the source stays as it is, damaged blobs included. Throws BAD_REQUEST if the
 * target has rows, InternalError if the target then has other counts of rows or lists fewer blobs.
 */
export async function moveStore({ from, to }: MoveParts): Promise<MoveReport> {
  await migrate(to.database.kysely);
  if (await hasRows(to.database.kysely))
    throw new RequestError("BAD_REQUEST", "The target database is not empty: name a new one.");
  const { blobs, damagedBlobs } =
    to.blobs === undefined ? NO_BLOBS : await copyBlobs(from.blobs, to.blobs);
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
      checkRowCounts(expected, tables);
    });
  });
  return { tables, blobs, damagedBlobs };
}
