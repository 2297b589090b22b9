// Creates the lifecycle of jobs: their use cases for the API, and the loops that run them. An API
// process uses the first without starting the second.
import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import type { Credits } from "../account/credits.ts";
import type { Config } from "../config.ts";
import type { Logger } from "../logger.ts";
import type { Metrics } from "../metrics.ts";
import type { Store } from "../store/store.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import { createJobs, type Jobs } from "./jobs.ts";
import { JobKinds, type JobKind } from "./kind.ts";
import { createRunner } from "./runner.ts";
import { createScheduler } from "./scheduler.ts";
import { createSettler } from "./settler.ts";
import { StorageWaits } from "./storage-waits.ts";
import { createWakeUps, IDLE_MS, RUNS, type WakeUps } from "./wake-up.ts";

export type JobServiceParts = {
  readonly store: Pick<
    Store,
    "jobs" | "runs" | "schedules" | "idempotency" | "activity" | "flush" | "database"
  >;
  readonly credits: Credits;
  readonly webhooks: Pick<Webhooks, "resolve" | "wake">;
  readonly kinds: readonly JobKind[];
  readonly config: Pick<Config, "resultLifeHours">;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly now?: () => number;
};

export type JobService = {
  readonly jobs: Jobs;
  readonly wakeUps: WakeUps;
  /** Must be called after this process has ended a job by other means than its run or `jobs`. */
  reportEnd(jobId: string): void;
  /** `listener` is called for each job that this process ends. */
  onEnd(listener: (jobId: string) => void): void;
  /** Starts running jobs, including those of a process that ended. */
  start(): Promise<void>;
  /** Releases the runs in progress. Jobs that continue here without their run may still end. */
  stop(): Promise<void>;
  close(): Promise<void>;
};

const SCHEDULES_MS = 1_000;

/** The caller closes the result. The store must stay open until then. */
export function createJobService(parts: JobServiceParts): JobService {
  const { store, credits, webhooks, config, log, metrics, now = Date.now } = parts;
  const kinds = new JobKinds(parts.kinds);
  const name = `jobs ${hostname()} ${process.pid} ${randomBytes(4).toString("hex")}`;
  const shared = store.database.kind === "postgres";
  const wakeUps = createWakeUps();
  const waits = new StorageWaits(now);
  const settler = createSettler({
    jobs: store.jobs,
    kinds,
    credits,
    activity: store.activity,
    flush: store.flush,
    log,
    metrics,
  });
  const listeners: ((jobId: string) => void)[] = [];
  const reportEnd = (id: string): void => {
    for (const listener of listeners) listener(id);
    runner.stop(id);
    wakeUps.wake(id);
    settler.run();
    webhooks.wake();
  };
  const scheduler = createScheduler({
    name,
    schedules: store.schedules,
    kinds,
    wakeUps,
    idleMs: SCHEDULES_MS,
    log,
    now,
  });
  const runner = createRunner({
    name,
    runs: store.runs,
    jobs: store.jobs,
    kinds,
    wakeUps,
    waits,
    idleMs: shared ? IDLE_MS.shared : IDLE_MS.alone,
    log,
    now,
    onEnded: reportEnd,
    onEvent: () => webhooks.wake(),
  });
  return {
    jobs: createJobs({
      jobs: store.jobs,
      runs: store.runs,
      idempotency: store.idempotency,
      kinds,
      credits,
      waits,
      resolveWebhook: (given, id) => webhooks.resolve(given, id),
      onStarted({ webhook }) {
        wakeUps.wake(RUNS);
        if (webhook !== null) webhooks.wake();
      },
      onEnded: reportEnd,
      lifeMs: config.resultLifeHours * 3_600_000,
      now,
      log,
    }),
    wakeUps,
    reportEnd,
    onEnd: (listener) => void listeners.push(listener),
    async start() {
      if (!shared) await store.runs.releaseAll(now());
      runner.start();
      scheduler.start();
      settler.run();
    },
    async stop() {
      await scheduler.close();
      await runner.close();
    },
    async close() {
      await scheduler.close();
      await runner.close();
      await settler.close();
    },
  };
}
