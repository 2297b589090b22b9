// The declaration of a kind of job. Everything else about a job (start, payment, leases, events,
// cancellation, expiry, its place in the list) is the same for all kinds and lives in this room.
import type { Identity } from "../account/identity.ts";
import { InternalError } from "../errors.ts";
import type { JobRecord } from "../store/jobs/job-record.ts";
import type { DueSchedule, Schedule } from "../store/jobs/schedules.ts";
import type { JobEnd, RunCounters, RunEvent } from "../store/jobs/job-runs.ts";

export type { JobEnd } from "../store/jobs/job-runs.ts";

/** Input of a run, and its callbacks. */
export type RunContext = {
  /** State when this attempt began; `job.work.progress` has the progress of earlier attempts. */
  readonly job: JobRecord;
  /** The identity it runs for, with the limits that the key had when the job was started. */
  readonly identity: Identity;
  /**
   * Aborts when the job has ended elsewhere, the lease is lost, the attempt timed out, or the
   * process stops.
   */
  readonly signal: AbortSignal;
  /** The holder of the lease, for stores that check it in their own transactions. */
  readonly worker: string;
  /**
   * Saves the progress, from which the next attempt continues, in one transaction with the event
   * about it, so that each event is sent once. Throws RunLostSignal.
   */
  save(
    progress: unknown,
    about?: { readonly counters?: RunCounters; readonly event?: RunEvent },
  ): Promise<void>;
  /** Must be called when a store of the kind has saved an event. */
  onEvent(): void;
  /** Adds a warning to the job, once. */
  warn(warning: string): Promise<void>;
};

/** The work of a kind, and its attempts. */
export type JobRunner = {
  /** Maximum concurrent runs in one process. */
  readonly concurrency: number;
  /**
   * Maximum attempts. One that a failing storage or a stopping process interrupts does not count.
   */
  readonly maxAttempts: number;
  /** Delay before the second attempt; doubles with each. */
  readonly retryDelayMs: number;
  /** Timeout of an attempt. */
  readonly maxRunMs: number;
  /**
   * Runs the work to its end. Returns undefined when the job continues with its pages after the run
   * (a crawl, whose sitemaps are read). A thrown error counts as a failed attempt.
   */
  run(context: RunContext): Promise<JobEnd | undefined>;
  /**
   * The end of a job whose attempts are used up; undefined when it continues without its run. An
   * internal error when missing.
   */
  giveUp?(context: RunContext, error: unknown): JobEnd | undefined | Promise<JobEnd | undefined>;
};

export type JobKind = {
  /** In rows, webhook events (`crawl.started`), the ledger of credits and metrics. */
  readonly name: string;
  /** Name in error messages: `Crawl`, `Extract job`. */
  readonly title: string;
  /**
   * "at the end": `creditsUsed` is settled when the job has ended. "as it goes": each scrape is
   * charged separately.
   */
  readonly charged: "at the end" | "as it goes";
  /** False when callers cannot cancel its jobs; one that is stopped from outside fails. */
  readonly cancellable: boolean;
  /** False when its jobs send no events of their own, not to the deployment's webhook either. */
  readonly hasEvents?: boolean;
  /** The end of a cancelled job; without a result when missing. */
  cancelled?(): JobEnd;
  /** Time, milliseconds, that a job stays readable after its end; default: the server's setting. */
  readonly lifeMs?: number;
  /** The target that the activity list shows. */
  toActivity(job: JobRecord): { readonly target: string | null; readonly apiVersion?: string };
  readonly runner: JobRunner;
  /** Missing if only callers start its jobs. */
  readonly schedule?: JobSchedule;
};

/** Starts jobs of a kind at the times of the rows in `schedules` (store/jobs/schedules.ts). */
export type JobSchedule = {
  /**
   * Starts the job of one due time, with `schedule: { id, at: nextAt }` in its plan so that it is
   * made once. It may skip the time, for example because the previous job still runs (`isRunning`).
   * Throws the errors of a start by a caller.
   */
  start(due: DueSchedule): Promise<void>;
  /** Returns the next time after `after`, milliseconds since the epoch; null when there is none. */
  next(schedule: Schedule, after: number): number | null;
};

/** The run was lost: the job has ended, or another process has the lease. */
export class RunLostSignal extends Error {}

/** The kinds of this server by name. */
export class JobKinds {
  readonly #kinds: ReadonlyMap<string, JobKind>;

  constructor(kinds: readonly JobKind[]) {
    this.#kinds = new Map(kinds.map((kind) => [kind.name, kind]));
  }

  find(name: string): JobKind | undefined {
    return this.#kinds.get(name);
  }

  /** Throws for a kind that this server does not have, which is a programming error. */
  get(name: string): JobKind {
    const kind = this.#kinds.get(name);
    if (kind === undefined) throw new InternalError(`There is no job kind "${name}".`);
    return kind;
  }

  listAll(): JobKind[] {
    return [...this.#kinds.values()];
  }
}
