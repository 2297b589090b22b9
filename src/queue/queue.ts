// Durable background jobs on pg-boss. It starts with the first use, so that a process which has no such jobs pays nothing.
// A worker that dies stops its heartbeat, and its job comes back.
import { setTimeout as pause } from "node:timers/promises";
import type { ConstructorOptions, Job, PgBoss } from "pg-boss";
import { LimitError } from "../errors.ts";
import type { Logger } from "../log.ts";
import { translated } from "../store/database/database-errors.ts";
import type { Database, RunStatement } from "../store/database/schema.ts";
import type { JobDefinition } from "./definition.ts";
import { runAttempt } from "./worker.ts";

const SCHEMA = "quarry_queue";
/** A job whose worker was silent for this long is given to another at the next look: within half a minute in all. */
const HEARTBEAT_SECONDS = 15;
const LOOK_SECONDS = 10;
/** In this process a new job wakes its worker; what other processes enqueue is found by looking. */
const POLL_SECONDS = { pglite: 5, postgres: 0.5 } as const;
const KEEP_SECONDS = 24 * 60 * 60;
const STOP_MS = 5_000;
const RETRY_MS = 1_000;

export type EnqueueOptions = {
  /** UUID; a second job with the same id is not made. */
  readonly id?: string;
  /** Milliseconds since the epoch. */
  readonly startAt?: number;
  /** Of a transaction: the job exists if it commits. Others see it at their next look. */
  readonly run?: RunStatement;
};

export type Queue = {
  /** The id of the job, or undefined when there is one with the id given. */
  enqueue<Input>(
    definition: JobDefinition<Input>,
    input: Input,
    options?: EnqueueOptions,
  ): Promise<string | undefined>;
  /** A job that waits is not run any more; one that runs goes on to its end. */
  cancel(definition: JobDefinition, id: string): Promise<void>;
  /** Starts to work on these jobs in this process; while the database cannot be reached it tries again until `close`. */
  work(definitions: readonly JobDefinition[]): Promise<void>;
  /** Attempts in work are asked to stop and given some seconds; what does not stop is tried again elsewhere. */
  close(): Promise<void>;
};

const toDatabase = (run: RunStatement): NonNullable<ConstructorOptions["db"]> => ({
  executeSql: (text, values) => run(text, values ?? []) as Promise<{ rows: never[] }>,
});

/** Whoever creates it closes it. */
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
    boss.on("error", (error) => log.warn({ err: error }, "the queue of jobs met an error"));
    try {
      return await translated(boss.start());
    } catch (error) {
      // Its timers may be running already.
      await boss.stop({ close: false, graceful: false }).catch(() => undefined);
      throw error;
    }
  }

  /** Makes the queue of a definition, or brings an older one to what is said now. */
  async function prepare(definition: JobDefinition): Promise<PgBoss> {
    const boss = await (started ??= start().catch((error: unknown) => {
      // The next caller tries again: the database may have been out of reach.
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
    // A try that is repeated may have come this far before.
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

  /** Repeats what fails because the database cannot be reached, until it works or the queue closes. */
  async function retryUnavailable(work: () => Promise<void>): Promise<void> {
    for (;;)
      try {
        await work();
        return;
      } catch (error) {
        if (!(error instanceof LimitError) || stopping.signal.aborted) throw error;
        log.warn({ err: error }, "cannot start to work on jobs; retrying");
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
      // The connections are the store's.
      await boss?.stop({ close: false, graceful: true, timeout: STOP_MS });
    },
  };
}
