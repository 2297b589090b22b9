// Disk use of a data folder by kind, for `quarry doctor`.
import { lstat, readdir, statfs } from "node:fs/promises";
import path from "node:path";
import type { Config } from "../config.ts";
import { getBrowserFolder, getDatabaseFolder } from "../store/database/data-folder.ts";

export type DiskUse = {
  readonly kind: "database" | "write-ahead log" | "blobs" | "browser" | "other" | "free";
  readonly bytes: number;
  readonly files: number;
};

type Size = { bytes: number; files: number };

async function measure(folder: string, skipped: readonly string[] = []): Promise<Size> {
  const size: Size = { bytes: 0, files: 0 };
  const left = [folder];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const entries = await readdir(next, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const file = path.join(entry.parentPath, entry.name);
      if (skipped.includes(file)) continue;
      if (entry.isDirectory()) left.push(file);
      else {
        // Blocks, because small files take more than their length. A file may be gone by now.
        const found = await lstat(file).catch(() => undefined);
        size.bytes += (found?.blocks ?? 0) * 512;
        size.files += 1;
      }
    }
  }
  return size;
}

/** Measures the folders that exist; a database or blob store elsewhere is not measured. */
export async function measureDisk(config: Pick<Config, "dataDir" | "blobs">): Promise<DiskUse[]> {
  const folder = path.resolve(config.dataDir);
  const database = getDatabaseFolder(config);
  const log = path.join(database, "pg_wal");
  const blobs = path.join(folder, "blobs");
  const browser = getBrowserFolder(config);
  const parts: DiskUse[] = [
    { kind: "database", ...(await measure(database, [log])) },
    { kind: "write-ahead log", ...(await measure(log)) },
    { kind: "blobs", ...(await measure(blobs)) },
    { kind: "browser", ...(await measure(browser)) },
    { kind: "other", ...(await measure(folder, [database, blobs, browser])) },
  ];
  const disk = await statfs(folder).catch(() => undefined);
  const free: DiskUse[] =
    disk === undefined ? [] : [{ kind: "free", bytes: disk.bavail * disk.bsize, files: 0 }];
  return [...parts.filter(({ files }) => files > 0), ...free];
}

/** One line: "database 56 MB, blobs 59 MB in 11850 files, 78 GB free". */
export function describeDisk(uses: readonly DiskUse[]): string {
  if (uses.length === 0) return "the data folder does not exist yet";
  return uses
    .map(({ kind, bytes, files }) =>
      kind === "free"
        ? `${formatBytes(bytes)} free`
        : `${kind} ${formatBytes(bytes)}${kind === "blobs" ? ` in ${files} files` : ""}`,
    )
    .join(", ");
}

const formatBytes = (bytes: number): string =>
  bytes >= 10e9 ? `${Math.round(bytes / 1e9)} GB` : `${Math.ceil(bytes / 1e6)} MB`;
