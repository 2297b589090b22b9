// The use cases of jobs of any kind, by the kind's name: start, find, cancel. Kinds add what only
// their jobs have.
import { RequestError, type ErrorRecord } from "../errors.ts";
import { assertHostsCovered } from "../account/allow-hosts.ts";
import type { Identity } from "../account/identity.ts";
import type { JobStatus } from "../contract/jobs/crawl.ts";
import type { JobRecord } from "../store/jobs/job-record.ts";
import type { JobEnd, JobRunStore } from "../store/jobs/job-runs.ts";
import type { JobStore } from "../store/jobs/jobs.ts";
import { buildJobIdentity, type JobCaller } from "./caller.ts";
import type { JobKind, JobKinds } from "./kind.ts";
import { startJob, type NewWork, type StartParts } from "./start.ts";
import type { StorageWaits } from "./storage-waits.ts";

export type JobsParts = StartParts & {
  readonly jobs: JobStore;
  readonly runs: Pick<JobRunStore, "end">;
  readonly kinds: JobKinds;
  readonly waits: StorageWaits;
  /** Called when this process has ended a job, even if another process works on it. */
  readonly onEnded: (jobId: string) => void;
};

/** The message for a job that existed, instead of "Job not found" (wire contract 5.2). */
export const JOB_EXPIRED = "Job expired";

export type Jobs = {
  /**
   * Returns the id and the units that the credits cover. Throws INSUFFICIENT_CREDITS, BAD_REQUEST,
   * CONFLICT.
   */
  start(
    kind: string,
    work: NewWork,
    caller: JobCaller,
  ): Promise<{ readonly id: string; readonly units: number }>;
  /**
   * Throws NOT_FOUND for an id that is unknown, expired, of another kind or of another account, and
   * FORBIDDEN if it may have pages of hosts that the key may not fetch.
   */
  find(kind: string, id: string, identity: Identity): Promise<JobRecord>;
  /** Ends a running job; a finished one stays as it is. Returns its state. Throws as `find`. */
  cancel(kind: string, id: string, identity: Identity): Promise<JobStatus>;
  /** Ends a running job with the given end; false when it had ended. */
  end(id: string, end: JobEnd): Promise<boolean>;
  /** Running jobs of an account, of one kind or of all, oldest first. */
  active(accountId: string, kind?: string): Promise<JobRecord[]>;
  /** Ends all running jobs of the account. */
  stopAll(accountId: string, error: ErrorRecord): Promise<void>;
};

/** Throws CONFLICT for a job of one result that did not fail. */
export function assertRetryable(state: string, noun: string): void {
  if (state === "failed" || state === "cancelled") return;
  throw new RequestError(
    "CONFLICT",
    state === "completed"
      ? `The ${noun} did not fail, so there is nothing to retry.`
      : `The ${noun} is still running; retry it after its end.`,
  );
}

const endCancelled = (kind: JobKind | undefined): JobEnd =>
  kind?.cancelled?.() ?? { state: "cancelled" };

export function createJobs(parts: JobsParts): Jobs {
  const { jobs, now } = parts;

  async function find(kind: string, id: string, identity: Identity): Promise<JobRecord> {
    const { accountId } = identity;
    const job = await jobs.load(id, now());
    const { title } = parts.kinds.get(kind);
    if (job !== undefined && job.kind === kind && job.accountId === accountId) {
      assertHostsCovered(identity, buildJobIdentity(job).allowHosts, "job");
      return addWaitWarning(job);
    }
    const owner = { accountId, kind };
    const expired = job === undefined && (await jobs.hasExpired(id, owner, now()));
    throw new RequestError("NOT_FOUND", expired ? JOB_EXPIRED : `${title} not found`);
  }

  /** Adds a warning while the job waits for a failing storage. */
  function addWaitWarning(job: JobRecord): JobRecord {
    const warning =
      job.state === "scraping" ? parts.waits.addWarning(job.id, undefined) : undefined;
    return warning === undefined ? job : { ...job, warnings: [...job.warnings, warning] };
  }

  async function end(id: string, given: JobEnd): Promise<boolean> {
    const ended = await parts.runs.end(id, given, now());
    if (ended) parts.onEnded(id);
    return ended;
  }

  return {
    start: async (kind, work, caller) => await startJob(parts, parts.kinds.get(kind), work, caller),
    find,
    async cancel(kind, id, identity) {
      await find(kind, id, identity);
      await end(id, endCancelled(parts.kinds.get(kind)));
      return (await find(kind, id, identity)).state;
    },
    end,
    active: (accountId, kind) => jobs.listActive(accountId, kind),
    async stopAll(accountId, error) {
      for (const { id, kind: name } of await jobs.listActive(accountId)) {
        const kind = parts.kinds.find(name);
        await end(
          id,
          kind?.cancellable === false ? { state: "failed", error } : endCancelled(kind),
        );
      }
    },
  };
}
