// What a kind of job declares. Everything else about a job – starting, paying, leases, events, cancelling, expiry, its place
// in the list – is the same for all kinds and stands in this room.
import type { Identity } from "../account/identity.ts";
import type { JobRecord } from "../store/jobs/job-record.ts";
import type { DueSchedule, Schedule } from "../store/jobs/schedules.ts";
import type { JobEnd, RunCounters, RunEvent } from "../store/jobs/job-runs.ts";

export type { JobEnd } from "../store/jobs/job-runs.ts";

/** What a run works with. */
export type RunContext = {
  /** As it was when this attempt began; `job.work.progress` is what earlier attempts saved. */
  readonly job: JobRecord;
  /** On whose behalf it runs, with the limits that the key had when the job was started. */
  readonly identity: Identity;
  /** Aborts when the job has ended elsewhere, the lease is lost, the time of the attempt is over, or the process stops. */
  readonly signal: AbortSignal;
  /** The holder of the lease, for stores that check it in their own transactions. */
  readonly worker: string;
  /** Saves what was done so far: the next attempt continues from it. Throws RunLost. */
  save(progress: unknown, counters?: RunCounters): Promise<void>;
  /** Sends one of the kind's own events. Throws RunLost. */
  announce(event: RunEvent): Promise<void>;
  /** Says that a store of the kind has saved an event. */
  onEvent(): void;
  /** Adds a warning to the job, once. */
  warn(warning: string): Promise<void>;
};

/** How a kind's jobs run. */
export type JobRunner = {
  /** Runs at once in one process. */
  readonly concurrency: number;
  /** Attempts in all. One that a failing storage or a stopping process breaks off does not count. */
  readonly maxAttempts: number;
  /** Before the second attempt; doubles with each. */
  readonly retryDelayMs: number;
  /** Longest attempt. */
  readonly maxRunMs: number;
  /**
   * Does the work to its end. Undefined when the job goes on to its last page without the run (a crawl, whose sitemaps are
   * read). What it throws counts as a failed attempt.
   */
  run(context: RunContext): Promise<JobEnd | undefined>;
  /** How a job ends whose attempts are used up; undefined where it can go on without its run. An internal error when missing. */
  giveUp?(context: RunContext, error: unknown): JobEnd | undefined | Promise<JobEnd | undefined>;
};

export type JobKind = {
  /** In rows, webhook events (`crawl.started`), the ledger of credits and metrics. */
  readonly name: string;
  /** For error messages: `Crawl`, `Extract job`. */
  readonly title: string;
  /** "at the end": `creditsUsed` is settled when the job has ended. "as it goes": its scrapes pay for themselves. */
  readonly charged: "at the end" | "as it goes";
  /** False where callers cannot cancel its jobs: what ends one from outside fails it then. */
  readonly cancellable: boolean;
  /** How a job ends that is cancelled; without result when missing. */
  cancelled?(): JobEnd;
  /** How long it can be read after its end; the setting of the server when missing. */
  readonly lifeMs?: number;
  /** The target that the activity list shows. */
  activity(job: JobRecord): { readonly target: string | null; readonly apiVersion?: string };
  readonly runner: JobRunner;
  /** Missing where its jobs are only started by callers. */
  readonly schedule?: JobSchedule;
};

/** How jobs of a kind are started by the rows of `schedules` (store/jobs/schedules.ts). */
export type JobSchedule = {
  /**
   * Starts the job of one due time, with `schedule: { id, at: nextAt }` in its plan so that it is made once. It may leave the
   * time out, because the job before it still runs (`isRunning`), say. Throws what a caller would be told.
   */
  start(due: DueSchedule): Promise<void>;
  /** The next time after `after`, milliseconds since the epoch; null when there is none any more. */
  next(schedule: Schedule, after: number): number | null;
};

/** The run is not this process's any more: the job has ended, or another process has the lease. */
export class RunLost extends Error {}

/** The kinds of this server by name. */
export class JobKinds {
  readonly #kinds: ReadonlyMap<string, JobKind>;

  constructor(kinds: readonly JobKind[]) {
    this.#kinds = new Map(kinds.map((kind) => [kind.name, kind]));
  }

  find(name: string): JobKind | undefined {
    return this.#kinds.get(name);
  }

  all(): JobKind[] {
    return [...this.#kinds.values()];
  }
}
