// Durable background jobs on pg-boss. It starts on first use, so processes without such jobs pay
// nothing. When a worker dies its heartbeat stops, and the job is retried.
import { setTimeout as pause } from "node:timers/promises";
import type { ConstructorOptions, Job, PgBoss } from "pg-boss";
import { LimitError } from "../errors.ts";
import type { Logger } from "../log.ts";
import { translated } from "../store/database/database-errors.ts";
import type { Database, RunStatement } from "../store/database/schema.ts";
import type { JobDefinition } from "./definition.ts";
import { runAttempt } from "./worker.ts";

const SCHEMA = "quarry_queue";
/**
 * A job whose worker is silent for this long is reassigned at the next poll, within half a minute.
 */
const HEARTBEAT_SECONDS = 15;
const LOOK_SECONDS = 10;
/** Jobs of this process wake its worker at once; those of other processes are found by polling. */
const POLL_SECONDS = { pglite: 5, postgres: 0.5 } as const;
const KEEP_SECONDS = 24 * 60 * 60;
const STOP_MS = 5_000;
const RETRY_MS = 1_000;

export type EnqueueOptions = {
  /** UUID; a second job with the same id is not created. */
  readonly id?: string;
  /** Milliseconds since the epoch. */
  readonly startAt?: number;
  /**
   * Runs in a transaction: the job exists if it commits. Other processes see it at their next poll.
   */
  readonly run?: RunStatement;
};

export type Queue = {
  /** Returns the id of the job; undefined when the given id exists. */
  enqueue<Input>(
    definition: JobDefinition<Input>,
    input: Input,
    options?: EnqueueOptions,
  ): Promise<string | undefined>;
  /** A waiting job no longer runs; a running one continues to its end. */
  cancel(definition: JobDefinition, id: string): Promise<void>;
  /**
   * Starts working on these jobs in this process. While the database is unreachable it retries
   * until `close`.
   */
  work(definitions: readonly JobDefinition[]): Promise<void>;
  /** Asks attempts in progress to stop and waits some seconds; the rest is retried elsewhere. */
  close(): Promise<void>;
};

const toDatabase = (run: RunStatement): NonNullable<ConstructorOptions["db"]> => ({
  executeSql: (text, values) => run(text, values ?? []) as Promise<{ rows: never[] }>,
});

/** The creator closes it. */
export function createQueue(database: Database, log: Logger): Queue {
  let started: Promise<PgBoss> | undefined;
  const known = new Map<string, Promise<void>>();
  const workers = new Map<string, string>();
  const stopping = new AbortController();

  async function start(): Promise<PgBoss> {
    const pgBoss = await import("pg-boss");
    const boss = new pgBoss.PgBoss({
      db: toDatabase(database.run),
      backend: database.kind,
      schema: SCHEMA,
      superviseIntervalSeconds: LOOK_SECONDS,
      monitorIntervalSeconds: LOOK_SECONDS,
      cronWorkerIntervalSeconds: LOOK_SECONDS,
      reindex: false,
      monitorVacuum: false,
    });
    boss.on("error", (error) => log.warn({ err: error }, "job queue error"));
    try {
      return await translated(boss.start());
    } catch (error) {
      // Its timers may be running already.
      await boss.stop({ close: false, graceful: false }).catch(() => undefined);
      throw error;
    }
  }

  /** Creates the queue of a definition, or updates an existing one. */
  async function prepare(definition: JobDefinition): Promise<PgBoss> {
    const boss = await (started ??= start().catch((error: unknown) => {
      // The next caller retries: the database may have been unreachable.
      started = undefined;
      throw error;
    }));
    const settings = {
      retryLimit: definition.retries,
      retryDelay: definition.retryDelaySeconds,
      retryBackoff: definition.retryDelaySeconds > 0,
      expireInSeconds: definition.expireSeconds,
      heartbeatSeconds: HEARTBEAT_SECONDS,
      deleteAfterSeconds: KEEP_SECONDS,
    };
    const { name } = definition;
    if (!known.has(name))
      known.set(
        name,
        translated(boss.createQueue(name, settings))
          .then(() => translated(boss.updateQueue(name, settings)))
          .catch((error: unknown) => {
            known.delete(name);
            throw error;
          }),
      );
    await known.get(name);
    return boss;
  }

  async function workOn(definition: JobDefinition): Promise<void> {
    const { name, concurrency, schedule } = definition;
    const boss = await prepare(definition);
    // A repeated attempt may have got this far before.
    if (!workers.has(name)) {
      const worker = await translated(
        boss.work(
          name,
          {
            perJobResults: true,
            localConcurrency: concurrency,
            pollingIntervalSeconds: POLL_SECONDS[database.kind],
          },
          (jobs: Job<unknown>[]) =>
            Promise.all(jobs.map((job) => runAttempt(definition, job, stopping.signal, log))),
        ),
      );
      workers.set(name, worker);
    }
    if (schedule !== undefined)
      await translated(boss.schedule(name, schedule.cron, schedule.input as object));
  }

  /** Retries until the database is reachable or the queue closes. */
  async function retryUnavailable(work: () => Promise<void>): Promise<void> {
    for (;;)
      try {
        await work();
        return;
      } catch (error) {
        if (!(error instanceof LimitError) || stopping.signal.aborted) throw error;
        log.warn({ err: error }, "failed to start working on jobs; retrying");
        await pause(RETRY_MS, undefined, { signal: stopping.signal });
      }
  }

  return {
    async enqueue(definition, input, options = {}) {
      const boss = await prepare(definition);
      const id = await translated(
        boss.send(definition.name, definition.schema.parse(input) as object, {
          ...(options.id === undefined ? {} : { id: options.id }),
          ...(options.startAt === undefined ? {} : { startAfter: new Date(options.startAt) }),
          ...(options.run === undefined ? {} : { db: toDatabase(options.run) }),
        }),
      );
      const worker = workers.get(definition.name);
      if (worker !== undefined && options.run === undefined) boss.notifyWorker(worker);
      return id ?? undefined;
    },
    async cancel(definition, id) {
      const boss = await prepare(definition);
      await translated(boss.cancel(definition.name, id));
    },
    async work(definitions) {
      for (const definition of definitions) await retryUnavailable(() => workOn(definition));
    },
    async close() {
      stopping.abort();
      if (started === undefined) return;
      const boss = await started.catch(() => undefined);
      // The connections belong to the store.
      await boss?.stop({ close: false, graceful: true, timeout: STOP_MS });
    },
  };
}
