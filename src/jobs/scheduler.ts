// Starts jobs at the times of their schedules. A time that passed while no process ran is started
// once; the kind returns the next time.
import { QuarryError, StorageError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import type { DueSchedule, ScheduleStore } from "../store/jobs/schedules.ts";
import type { JobKinds } from "./kind.ts";
import { LEASE_MS } from "./lease.ts";
import { SCHEDULES, type WakeUps } from "./wake-up.ts";

export type SchedulerParts = {
  /** Identifies this process; no other has the same. */
  readonly name: string;
  readonly schedules: Pick<ScheduleStore, "claim" | "plan">;
  readonly kinds: JobKinds;
  readonly wakeUps: WakeUps;
  /** Polling interval for due schedules, milliseconds. */
  readonly idleMs: number;
  readonly log: Logger;
  readonly now: () => number;
};

export type Scheduler = {
  start(): void;
  close(): Promise<void>;
};

/** Schedules of one claim. Each is started within its lease. */
const MAX_CLAIMED = 50;
/** Schedules of a claim that are started at the same time. */
const MAX_CONCURRENT_STARTS = 8;

export function createScheduler(parts: SchedulerParts): Scheduler {
  const { name, schedules, kinds, wakeUps, log, now } = parts;
  const stopping = new AbortController();
  let loop: Promise<void> | undefined;

  async function begin(due: DueSchedule): Promise<void> {
    const schedule = kinds.find(due.kind)?.schedule;
    // The schedule may be of another version, whose processes take it when the lease expires.
    if (schedule === undefined) return;
    try {
      await schedule.start(due);
    } catch (error) {
      // Retried when the lease expires.
      if (!(error instanceof QuarryError) || error instanceof StorageError) throw error;
      log.warn({ err: error, scheduleId: due.id, kind: due.kind }, "scheduled job not started");
    }
    const nextAt = schedule.next(due, Math.max(now(), due.nextAt));
    await schedules.plan(due.id, name, due.nextAt, nextAt);
  }

  async function claim(): Promise<boolean> {
    const found = await schedules.claim(MAX_CLAIMED, { worker: name, leaseMs: LEASE_MS }, now());
    const left = found.values();
    const work = async (): Promise<void> => {
      for (const due of left) {
        if (stopping.signal.aborted) return;
        await begin(due).catch((error: unknown) =>
          log.warn(
            { err: error, scheduleId: due.id },
            "failed to start a scheduled job; will retry",
          ),
        );
      }
    };
    await Promise.all(Array.from({ length: MAX_CONCURRENT_STARTS }, work));
    return found.length === MAX_CLAIMED && !stopping.signal.aborted;
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const rung = wakeUps.wait(SCHEDULES, parts.idleMs, stopping.signal);
      try {
        if (await claim()) continue;
      } catch (error) {
        log.warn({ err: error }, "failed to claim schedules; will retry");
      }
      await rung;
    }
  }

  return {
    start() {
      if (kinds.listAll().some(({ schedule }) => schedule !== undefined)) loop ??= run();
    },
    async close() {
      stopping.abort();
      await loop;
    },
  };
}
