// Runs jobs of every kind: claims runs that are due under a lease, renews the lease while the kind
// works, and ends the job with its result. A failed attempt is retried later. An attempt that fails
// because the service's own storage failed, or because this process stops, does not count.
import { setTimeout as sleep } from "node:timers/promises";
import { InternalError, StorageError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import { recordSpan, withRemoteParent } from "../telemetry/tracing.ts";
import type { JobRecord } from "../store/jobs/job-record.ts";
import type { JobRunStore } from "../store/jobs/job-runs.ts";
import type { JobStore } from "../store/jobs/jobs.ts";
import { buildJobIdentity } from "./caller.ts";
import {
  RunLostSignal,
  type JobEnd,
  type JobKinds,
  type JobRunner,
  type RunContext,
} from "./kind.ts";
import { keepLeases, LEASE_MS } from "./lease.ts";
import type { StorageWaits } from "./storage-waits.ts";
import { RUNS, type WakeUps } from "./wake-up.ts";

export type RunnerParts = {
  /** Identifies this process; no other has the same. */
  readonly name: string;
  readonly runs: JobRunStore;
  readonly jobs: Pick<JobStore, "warn">;
  readonly kinds: JobKinds;
  readonly wakeUps: WakeUps;
  readonly waits: StorageWaits;
  /**
   * Polling interval, milliseconds, of an idle process for runs that others have started or left.
   */
  readonly idleMs: number;
  readonly leaseMs?: number;
  readonly log: Logger;
  readonly now: () => number;
  /** Called when a run of this process has ended its job. */
  readonly onEnded: (jobId: string) => void;
  /** Called when an event was saved and waits to be sent. */
  readonly onEvent: () => void;
};

export type Runner = {
  start(): void;
  /** Stops this process's run of a job that has ended. */
  stop(jobId: string): void;
  /** Releases the runs in progress. */
  close(): Promise<void>;
};

const STORAGE_PAUSE_MS = 1_000;
const MAX_STORAGE_PAUSE_MS = 30_000;
/** A run that does not stop by then is abandoned: its lease expires. */
const STOP_TIMEOUT_MS = 5_000;
/**
 * Interval for finding jobs without a run, and their minimum age: younger ones may still be
 * written.
 */
const ADOPT_MS = 60_000;

type Active = { readonly kind: string; readonly ended: AbortController };

export function createRunner(parts: RunnerParts): Runner {
  const { name, runs, kinds, wakeUps, waits, log, now, leaseMs = LEASE_MS } = parts;
  const stopping = new AbortController();
  const active = new Map<string, Active>();
  const working = new Set<Promise<void>>();
  /** Consecutive attempts that the storage interrupted, for the pause before the next one. */
  const outages = new Map<string, number>();
  let loop: Promise<void> | undefined;
  let leases: { close(): void } | undefined;
  let adopting: NodeJS.Timeout | undefined;

  function buildContext(job: JobRecord, signal: AbortSignal): RunContext {
    return {
      job,
      identity: buildJobIdentity(job),
      signal,
      worker: name,
      async save(progress, about) {
        if (!(await runs.save(job.id, name, { ...about, progress }, now())))
          throw new RunLostSignal(`job ${job.id}`);
        if (about?.event !== undefined) parts.onEvent();
      },
      onEvent: () => parts.onEvent(),
      warn: (warning) => parts.jobs.warn(job.id, warning),
    };
  }

  async function attempt(runner: JobRunner, job: JobRecord, context: RunContext): Promise<void> {
    const number = job.work?.attempts ?? 1;
    let done: JobEnd | undefined;
    try {
      done = await runner.run(context);
    } catch (error) {
      if (isPassing(error, context.signal) || number < runner.maxAttempts) throw error;
      log.error({ err: error, jobId: job.id, kind: job.kind, attempt: number }, "job given up");
      done = runner.giveUp === undefined ? GIVEN_UP : await runner.giveUp(context, error);
    }
    const ended =
      done === undefined
        ? (await runs.finish(job.id, name, now()))?.ended
        : (await runs.end(job.id, done, now(), name)) || undefined;
    if (ended === undefined) throw new RunLostSignal(`job ${job.id}`);
    if (ended) parts.onEnded(job.id);
  }

  /** Makes one attempt, then ends or releases its lease. */
  async function runJob(runner: JobRunner, job: JobRecord): Promise<void> {
    const { id, kind } = job;
    const ended = new AbortController();
    active.set(id, { kind, ended });
    const late = AbortSignal.timeout(runner.maxRunMs);
    const signal = AbortSignal.any([ended.signal, stopping.signal, late]);
    try {
      const about = { "quarry.job.id": id, "quarry.job.kind": kind };
      const start = { kind: "consumer", attributes: about } as const;
      await withRemoteParent(job.traceparent, "job.run", start, async () => {
        if ((job.work?.attempts ?? 1) === 1) recordSpan("queue.wait", { startedAt: job.createdAt });
        await attempt(runner, job, buildContext(job, signal));
      });
      outages.delete(id);
      waits.end(id);
    } catch (error) {
      if (error instanceof RunLostSignal || ended.signal.aborted) {
        outages.delete(id);
        waits.end(id);
        return;
      }
      await giveBack(runner, job, error);
    } finally {
      active.delete(id);
    }
  }

  async function giveBack(runner: JobRunner, job: JobRecord, error: unknown): Promise<void> {
    const { id: jobId, kind } = job;
    const counts = !isPassing(error, stopping.signal);
    const number = job.work?.attempts ?? 1;
    let pauseMs = 0;
    if (counts) pauseMs = runner.retryDelayMs * 2 ** (number - 1);
    else if (!stopping.signal.aborted) {
      const broken = outages.get(jobId) ?? 0;
      outages.set(jobId, broken + 1);
      pauseMs = Math.min(MAX_STORAGE_PAUSE_MS, STORAGE_PAUSE_MS * 2 ** broken);
    }
    if (error instanceof StorageError) waits.begin(jobId, error);
    if (!stopping.signal.aborted)
      log.warn(
        { err: error, jobId, kind, attempt: number, pauseMs },
        counts ? "an attempt of a job failed" : "storage failed; the job waits",
      );
    // Without the database the lease expires instead.
    await runs
      .release(jobId, name, { dueAt: now() + pauseMs, counts })
      .catch((failure: unknown) => log.debug({ err: failure, jobId }, "failed to release a run"));
    if (pauseMs > 0 && !stopping.signal.aborted)
      setTimeout(() => wakeUps.wake(RUNS), pauseMs).unref();
  }

  async function renew(): Promise<void> {
    const ids = [...active.keys()];
    const kept = new Set(await runs.renew(ids, { worker: name, leaseMs }, now()));
    for (const id of ids)
      if (!kept.has(id)) active.get(id)?.ended.abort(new RunLostSignal(`job ${id}`));
  }

  const countRoom = (kind: string, runner: JobRunner): number =>
    runner.concurrency - [...active.values()].filter((one) => one.kind === kind).length;

  /** Takes over work that older processes left in another queue. */
  async function adoptOldWork(): Promise<void> {
    try {
      await runs.adoptOldJobs(now() - ADOPT_MS, now());
      wakeUps.wake(RUNS);
    } catch (error) {
      log.warn({ err: error }, "failed to look for jobs without a run; will retry");
    }
  }

  /** Starts due runs; returns whether there were any. */
  async function claim(): Promise<boolean> {
    const open = kinds
      .listAll()
      .map(({ name: kind, runner }) => ({ kind, runner, room: countRoom(kind, runner) }))
      .filter(({ room }) => room > 0);
    if (open.length === 0) return false;
    const due = new Set(
      await runs.listDue(
        open.map(({ kind }) => kind),
        now(),
      ),
    );
    let began = false;
    for (const { kind, runner, room } of open) {
      if (!due.has(kind) || stopping.signal.aborted) continue;
      const wanted = { kind, max: room, except: [...active.keys()] };
      for (const job of await runs.claim(wanted, { worker: name, leaseMs }, now())) {
        began = true;
        const running = runJob(runner, job).finally(() => {
          working.delete(running);
          wakeUps.wake(RUNS);
        });
        working.add(running);
      }
    }
    return began;
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      // Listen first, so that a signal during the query is not missed.
      const rung = wakeUps.wait(RUNS, parts.idleMs, stopping.signal);
      try {
        if (await claim()) continue;
      } catch (error) {
        if (error instanceof StorageError) waits.extend();
        log.warn({ err: error }, "failed to claim runs; will retry");
      }
      await rung;
    }
  }

  return {
    start() {
      loop ??= run();
      leases ??= keepLeases({ leaseMs, renew, log });
      void adoptOldWork();
      adopting ??= setInterval(() => void adoptOldWork(), ADOPT_MS);
      adopting.unref();
    },
    stop(jobId) {
      active.get(jobId)?.ended.abort(new RunLostSignal(`job ${jobId}`));
    },
    async close() {
      stopping.abort();
      clearInterval(adopting);
      await loop;
      await Promise.race([Promise.all(working), sleep(STOP_TIMEOUT_MS, undefined, { ref: false })]);
      leases?.close();
    },
  };
}

/** True if the storage or the stopping process failed the attempt, not the job. */
const isPassing = (error: unknown, signal: AbortSignal): boolean =>
  (signal.aborted && !isTimeout(signal.reason)) || error instanceof StorageError;

const isTimeout = (reason: unknown): boolean =>
  reason instanceof DOMException && reason.name === "TimeoutError";

const GIVEN_UP: JobEnd = {
  state: "failed",
  error: new InternalError("The job failed repeatedly.").toRecord(),
};
