// Starts jobs at the times of their schedules. What was due while no process ran is started once; the kind says which time
// follows.
import { QuarryError, StorageError } from "../errors.ts";
import type { Logger } from "../log.ts";
import type { DueSchedule, ScheduleStore } from "../store/jobs/schedules.ts";
import type { JobKinds } from "./kind.ts";
import { LEASE_MS } from "./lease.ts";
import { SCHEDULES, type WakeUps } from "./wake-up.ts";

export type SchedulerParts = {
  /** Of this process, different from that of every other. */
  readonly name: string;
  readonly schedules: Pick<ScheduleStore, "claim" | "plan">;
  readonly kinds: JobKinds;
  readonly wakeUps: WakeUps;
  /** How often it looks for what is due. */
  readonly idleMs: number;
  readonly log: Logger;
  readonly now: () => number;
};

export type Scheduler = {
  start(): void;
  close(): Promise<void>;
};

/** Schedules of one claim. Each is started within its lease. */
const CLAIM = 50;

export function createScheduler(parts: SchedulerParts): Scheduler {
  const { name, schedules, kinds, wakeUps, log, now } = parts;
  const stopping = new AbortController();
  let loop: Promise<void> | undefined;

  async function begin(due: DueSchedule): Promise<void> {
    const schedule = kinds.find(due.kind)?.schedule;
    // Of another version, perhaps, whose processes take it when the lease ends.
    if (schedule === undefined) return;
    try {
      await schedule.start(due);
    } catch (error) {
      // Tried again when the lease ends.
      if (!(error instanceof QuarryError) || error instanceof StorageError) throw error;
      log.warn(
        { err: error, scheduleId: due.id, kind: due.kind },
        "a scheduled job was not started",
      );
    }
    const nextAt = schedule.next(due, Math.max(now(), due.nextAt));
    await schedules.plan(due.id, name, due.nextAt, nextAt);
  }

  async function claim(): Promise<boolean> {
    const found = await schedules.claim(CLAIM, { worker: name, leaseMs: LEASE_MS }, now());
    for (const due of found) {
      if (stopping.signal.aborted) return false;
      await begin(due).catch((error: unknown) =>
        log.warn({ err: error, scheduleId: due.id }, "a scheduled job could not be started yet"),
      );
    }
    return found.length === CLAIM;
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const rung = wakeUps.wait(SCHEDULES, parts.idleMs, stopping.signal);
      try {
        if (await claim()) continue;
      } catch (error) {
        log.warn({ err: error }, "no schedules could be claimed; tried again soon");
      }
      await rung;
    }
  }

  return {
    start() {
      if (kinds.all().some(({ schedule }) => schedule !== undefined)) loop ??= run();
    },
    async close() {
      stopping.abort();
      await loop;
    },
  };
}
