// Folders for files of child processes. All folders of a process are in one named after it, so that
// the next start removes those of a killed process.
import { createHash } from "node:crypto";
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import path from "node:path";

const PREFIX = "quarry-scratch";
/** Processes of other containers are not visible: their folders count as stale after this time. */
const MAX_FOREIGN_AGE_MS = 7 * 24 * 3_600_000;

let home: string | undefined;

/**
 * Creates an empty folder that only this user may enter. The caller removes it; otherwise the next
 * start does.
 */
export function makeScratchFolder(kind: string): string {
  return mkdtempSync(path.join(openHome(), `${kind}-`));
}

/** Removes the folders of processes that no longer run from `parent`. Returns their number. */
export function removeStaleScratchFolders(parent: string = tmpdir()): number {
  let removed = 0;
  for (const name of readdirSync(parent)) {
    const folder = path.join(parent, name);
    try {
      if (!isStale(name, folder)) continue;
      rmSync(folder, { recursive: true, force: true });
      removed += 1;
    } catch {
      // Another starting process was faster, or the folder is not ours to remove.
    }
  }
  return removed;
}

/**
 * Returns the folder name of a process; `startedAt` distinguishes it from a later process with the
 * same id.
 */
export const buildScratchHomeName = (pid: number, startedAt: string): string =>
  `${PREFIX}-${HOST}-${pid}-${startedAt}-`;

/** Returns when the kernel started a process, in clock ticks since boot; "0" if unknown. */
export function readProcessStart(pid: number): string {
  try {
    // proc_pid_stat(5), field 22; the name in field 2 may contain spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ");
    return fields?.[19] ?? "0";
  } catch {
    return "0";
  }
}

const HOST = createHash("sha256").update(hostname()).digest("hex").slice(0, 8);

function openHome(): string {
  if (home !== undefined) return home;
  removeStaleScratchFolders();
  const created = mkdtempSync(
    path.join(tmpdir(), buildScratchHomeName(process.pid, readProcessStart(process.pid))),
  );
  process.once("exit", () => rmSync(created, { recursive: true, force: true, maxRetries: 3 }));
  return (home = created);
}

function isStale(name: string, folder: string): boolean {
  const [, host, pid = "", startedAt = ""] =
    /^quarry-scratch-([0-9a-f]{8})-(\d+)-(\d+)-/.exec(name) ?? [];
  if (host === undefined) return false;
  const { uid, mtimeMs } = lstatSync(folder);
  if (process.getuid !== undefined && uid !== process.getuid()) return false;
  if (host !== HOST) return Date.now() - mtimeMs > MAX_FOREIGN_AGE_MS;
  return !isProcessRunning(Number(pid), startedAt);
}

/** True if the process started at that time still runs. */
export function isProcessRunning(pid: number, startedAt: string): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  return startedAt === "0" || readProcessStart(pid) === startedAt;
}
