// Sizes of the database and the blobs, for metrics.
import { sql } from "kysely";
import type { Metrics } from "../metrics.ts";
import { withTimeout } from "../runtime/shutdown.ts";
import type { BlobStore } from "./blobs/blobs.ts";
import { measureDatabase } from "./database/compact.ts";
import type { Database } from "./database/schema.ts";
import type { BlobSize } from "./load-samples.ts";

/** A metrics request waits this long for the database, then reports the last known values. */
const READ_TIMEOUT_MS = 2_000;
const BLOB_PAUSE_MS = 10 * 60 * 1_000;
/** Listing takes at most this share of the time: a large bucket is listed less often. */
const BLOB_SHARE = 0.01;

type StorageMetrics = Pick<
  Metrics,
  "databaseBytes" | "checkpointAge" | "logBytes" | "blobBytes" | "blobs"
>;

/** Measures sizes on demand. */
export type StorageReport = {
  /** Sets the metrics. Blobs are listed behind it, so it reports the sum of the last listing. */
  readonly read: () => Promise<void>;
  /** Lists the blobs in the background, unless this was done a short time ago. */
  readonly measureBlobs: () => void;
  /** The last listing; undefined before the first one. */
  readonly blobSize: () => BlobSize | undefined;
};

export function reportStorage(
  { database, blobs }: { readonly database: Database; readonly blobs: Pick<BlobStore, "list"> },
  metrics: StorageMetrics,
  { signal, now = Date.now }: { readonly signal: AbortSignal; readonly now?: () => number },
): StorageReport {
  let size: BlobSize | undefined;
  let reading: Promise<void> | undefined;
  let listing: Promise<void> | undefined;
  let nextListAt = -Infinity;

  async function readDatabase(): Promise<void> {
    metrics.databaseBytes.set(await measureDatabase(database));
    const { rows } = await sql<{ age: number; bytes: number }>`
      select extract(epoch from now() - checkpoint_time)::double precision as age,
        pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn)::bigint as bytes
      from pg_control_checkpoint()`.execute(database.kysely);
    const [row] = rows;
    if (row === undefined) return;
    metrics.checkpointAge.set(Math.max(0, row.age));
    metrics.logBytes.set(row.bytes);
  }

  async function list(): Promise<void> {
    const from = now();
    let count = 0;
    let bytes = 0;
    for await (const { storedBytes } of blobs.list()) {
      if (signal.aborted) return;
      count += 1;
      bytes += storedBytes;
    }
    metrics.blobs.set(count);
    metrics.blobBytes.set(bytes);
    size = { bytes, measuredAt: now() };
    nextListAt = now() + Math.max(BLOB_PAUSE_MS, (now() - from) / BLOB_SHARE);
  }

  function listWhenDue(): void {
    if (listing !== undefined || now() < nextListAt || signal.aborted) return;
    nextListAt = now() + BLOB_PAUSE_MS;
    // A storage that fails is reported by its readers; the next listing tries again.
    listing = list()
      .catch(() => undefined)
      .finally(() => {
        listing = undefined;
      });
  }

  async function read(): Promise<void> {
    listWhenDue();
    reading ??= readDatabase().finally(() => {
      reading = undefined;
    });
    await withTimeout(READ_TIMEOUT_MS, reading);
  }

  return { read, measureBlobs: listWhenDue, blobSize: () => size };
}
