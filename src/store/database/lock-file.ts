// An exclusive lock on a data folder. The embedded database has none, and two processes would
// corrupt it. A lock names its holder (process id and start time, machine boot, process namespace)
// and is touched while held. The lock of a dead holder is taken over at once, that of a holder in
// another container or machine when it is no longer touched.
import { randomUUID } from "node:crypto";
import { open, readFile, readlink, rm, stat, utimes } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { InternalError } from "../../errors.ts";

export type FolderLock = { release(): Promise<void> };

type Holder = {
  readonly token: string;
  readonly pid: number;
  /**
   * Clock ticks from boot to the start of the process (proc(5), stat field 22); "" if unreadable.
   */
  readonly started: string;
  /** Boot and process namespace: process ids are comparable only within one. */
  readonly place: string;
};

const TOUCH_MS = 3_000;
const SILENT_MS = 15_000;
const TAKEOVER_MS = 10_000;
/** Time a killed process may take to end. */
const ENDING_MS = 1_000;

async function readOr(file: string, fallback: string): Promise<string> {
  try {
    return (await readFile(file, "utf8")).trim();
  } catch {
    return fallback;
  }
}

/** Reads a process's entry in proc(5) `stat`; "" if unreadable. */
async function readStat(
  pid: number,
): Promise<{ readonly state: string; readonly started: string }> {
  const line = await readOr(`/proc/${pid}/stat`, "");
  // The second field is the command in parentheses and may contain anything, so parse after the
  // last one.
  const fields = line === "" ? [] : line.slice(line.lastIndexOf(")") + 2).split(" ");
  return { state: fields[0] ?? "", started: fields[19] ?? "" };
}

/** Zombie and dead: such a process holds only its id. */
const ENDED = /^[ZX]$/i;

async function readOwnPlace(): Promise<string> {
  const boot = await readOr("/proc/sys/kernel/random/boot_id", os.hostname());
  const namespace = await readlink("/proc/self/ns/pid").catch(() => "");
  return `${boot} ${namespace}`;
}

function isProcessRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

async function readHolder(file: string): Promise<Holder | undefined> {
  const text = await readOr(file, "");
  try {
    const holder = JSON.parse(text) as Partial<Holder>;
    return typeof holder.pid === "number" && typeof holder.token === "string"
      ? {
          token: holder.token,
          pid: holder.pid,
          started: String(holder.started ?? ""),
          place: String(holder.place ?? ""),
        }
      : undefined;
  } catch {
    return undefined;
  }
}

async function measureAgeMs(file: string): Promise<number> {
  const found = await stat(file).catch(() => undefined);
  return found === undefined ? Infinity : Date.now() - found.mtimeMs;
}

/**
 * alive and gone are certain; silent and touching describe a holder that is not visible from here.
 */
async function detectState(
  holder: Holder | undefined,
  file: string,
  place: string,
): Promise<"alive" | "gone" | "touching"> {
  const silent = (await measureAgeMs(file)) > SILENT_MS;
  if (holder === undefined || holder.place !== place) return silent ? "gone" : "touching";
  if (!isProcessRunning(holder.pid)) return "gone";
  const { state, started } = await readStat(holder.pid);
  if (ENDED.test(state)) return "gone";
  if (started !== "" && holder.started !== "") return started === holder.started ? "alive" : "gone";
  return silent ? "gone" : "alive";
}

async function tryCreate(file: string, holder: Holder): Promise<boolean> {
  try {
    const handle = await open(file, "wx", 0o600);
    await handle.writeFile(JSON.stringify(holder));
    await handle.close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Replaces the lock of `gone` with ours. A second file keeps other starters out meanwhile. */
async function takeOver(file: string, gone: Holder | undefined, ours: Holder): Promise<boolean> {
  const guard = `${file}.takeover`;
  if (!(await tryCreate(guard, ours))) {
    if ((await measureAgeMs(guard)) > TAKEOVER_MS) await rm(guard, { force: true });
    return false;
  }
  try {
    if ((await readHolder(file))?.token !== gone?.token) return false;
    await rm(file, { force: true });
    return await tryCreate(file, ours);
  } finally {
    await rm(guard, { force: true });
  }
}

/**
 * Locks `folder`, which must exist. Throws InternalError naming process and folder when another
 * living process holds it. Waits one second for that process to end, and at most `waitMs` for an
 * invisible holder to stop touching the lock.
 */
export async function lockFolder(folder: string, waitMs = SILENT_MS + 2_000): Promise<FolderLock> {
  const file = path.join(folder, "lock");
  const place = await readOwnPlace();
  const ours: Holder = {
    token: randomUUID(),
    pid: process.pid,
    started: (await readStat(process.pid)).started,
    place,
  };
  const began = Date.now();
  while (!(await tryCreate(file, ours))) {
    const holder = await readHolder(file);
    const state = await detectState(holder, file, place);
    if (state === "gone" && (await takeOver(file, holder, ours))) break;
    if (Date.now() - began > (state === "alive" ? Math.min(waitMs, ENDING_MS) : waitMs))
      throw new InternalError(
        `The data folder ${folder} is in use by process ${holder?.pid ?? "unknown"}${state === "alive" ? "" : " of another container or machine"}. ` +
          "Stop that process, choose another QUARRY_DATA_DIR, or set DATABASE_URL so that several can work together.",
      );
    await delay(state === "touching" ? 500 : 20);
  }
  const timer = setInterval(() => {
    const now = new Date();
    // A failed touch looks like silence to others; the folder itself is gone then.
    void utimes(file, now, now).catch(() => undefined);
  }, TOUCH_MS);
  timer.unref();
  return {
    async release() {
      clearInterval(timer);
      if ((await readHolder(file))?.token === ours.token) await rm(file, { force: true });
    },
  };
}
