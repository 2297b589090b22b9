// Runs once after the end of a job, also after a crash: settles its credits and records it in the
// account's activity.
import type { Credits } from "../account/credits.ts";
import type { Logger } from "../logger.ts";
import type { Metrics } from "../metrics.ts";
import type { ActivityStore } from "../store/accounts/activity.ts";
import type { JobRecord } from "../store/jobs/job-record.ts";
import type { JobStore } from "../store/jobs/jobs.ts";
import { buildJobIdentity } from "./caller.ts";
import type { JobKinds } from "./kind.ts";

export type SettlerParts = {
  readonly jobs: Pick<JobStore, "listUnsettled" | "markSettled">;
  readonly kinds: JobKinds;
  readonly credits: Credits;
  readonly activity: ActivityStore;
  /** Settles when everything written so far is committed. */
  readonly flush: () => Promise<void>;
  readonly log: Logger;
  readonly metrics: Metrics;
};

export type Settler = {
  /** Settles all ended jobs in the background. A call during a run causes one more run. */
  run(): void;
  close(): Promise<void>;
};

/** The log entry for the end: pages by outcome, and duration. */
function describeEnd(job: JobRecord): Record<string, unknown> {
  const { id, kind, url, state, createdAt, completedAt, error } = job;
  return {
    jobId: id,
    // The job ends outside of its trace.
    ...(job.traceparent ? { traceId: job.traceparent.split("-")[1] } : {}),
    kind,
    key: buildJobIdentity(job).keyName,
    ...(url === null || job.zeroDataRetention ? {} : { host: URL.parse(url)?.host }),
    state,
    completed: job.completed,
    failed: job.failed,
    discovered: job.discovered,
    robotsBlocked: job.robotsBlocked,
    creditsUsed: job.creditsUsed,
    ms: (completedAt ?? createdAt) - createdAt,
    ...(error === null ? {} : { code: error.code }),
  };
}

export function createSettler(parts: SettlerParts): Settler {
  const { jobs, kinds, credits, activity, log, metrics } = parts;
  const isPaidAtEnd = (kind: string): boolean => kinds.find(kind)?.charged !== "as it goes";
  let running: Promise<void> | undefined;
  let again = false;

  async function settleAll(): Promise<void> {
    for (;;) {
      const ended = await jobs.listUnsettled();
      for (const job of ended) {
        const { id, accountId, keyId, kind, hold, creditsUsed } = job;
        if (isPaidAtEnd(kind))
          await credits.settleJob({ id, accountId, keyId, endpoint: kind, hold }, creditsUsed);
        const { target = job.url, apiVersion = "v2" } = kinds.find(kind)?.toActivity(job) ?? {};
        activity.record({
          id,
          accountId,
          keyId,
          endpoint: kind,
          apiVersion,
          target: job.zeroDataRetention ? null : target,
          succeeded: job.state === "completed",
          createdAt: job.createdAt,
        });
      }
      if (ended.length === 0) return;
      await parts.flush();
      for (const job of ended) {
        const { id, kind, state, creditsUsed } = job;
        await jobs.markSettled(id);
        if (isPaidAtEnd(kind)) metrics.credits.inc(creditsUsed);
        metrics.jobsEnded.inc({ kind, state });
        log.info(describeEnd(job), "job ended");
      }
    }
  }

  async function settleNext(): Promise<void> {
    do {
      again = false;
      try {
        await settleAll();
      } catch (error) {
        log.warn({ err: error }, "failed to settle ended jobs; retrying after the next one");
      }
    } while (again);
  }

  return {
    run() {
      if (running !== undefined) {
        again = true;
        return;
      }
      running = settleNext().finally(() => {
        running = undefined;
      });
    },
    async close() {
      await running;
    },
  };
}
