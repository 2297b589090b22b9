// Moves a server from one database and blob store to others, row by row, with a check of counts.
import { InternalError, RequestError } from "../../errors.ts";
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

export type MoveReport = Counts & {
  /** Blobs of the source that could not be read and are not in the copy. */
  readonly damagedBlobs: number;
};

/** Blobs in progress at once: each takes two requests to an object store. */
const BLOBS_AT_ONCE = 16;

/**
 * Copies everything; the source stays as it is. Throws BAD_REQUEST if the target has rows, InternalError if the target then lacks
 * a row or a blob.
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
      checkCounts({ tables: expected, blobs }, { tables, blobs });
    });
  });
  return { tables, blobs, damagedBlobs };
}

type CopiedBlobs = Pick<MoveReport, "blobs" | "damagedBlobs">;
const NO_BLOBS: CopiedBlobs = { blobs: 0, damagedBlobs: 0 };

/** Copies the blobs, then finds each of them in the target's own list. */
async function copyBlobs(from: BlobStore, to: BlobStore): Promise<CopiedBlobs> {
  const copied = new Set<string>();
  let damagedBlobs = 0;
  // All loops read one list. The first that fails ends it for the others.
  const entries = from.list();
  const copySome = async (): Promise<void> => {
    for await (const { ref } of entries) {
      const bytes = await from.get(ref);
      if (bytes === undefined) damagedBlobs++;
      else copied.add(await to.put(bytes));
    }
  };
  await Promise.all(Array.from({ length: BLOBS_AT_ONCE }, copySome));
  const blobs = copied.size;
  for await (const { ref } of to.list()) copied.delete(ref);
  if (copied.size > 0) throw new InternalError(`The copy lacks ${copied.size} of ${blobs} blobs.`);
  return { blobs, damagedBlobs };
}
