// Logs hosts that ask for a pause (429, 503): since when, until when, how often, and when they
// answer again.

/** A host and the job of the page; nothing is logged without a job. */
export type HostRequest = { readonly host: string; readonly jobId: string | undefined };

/** Since when and how often a host has said "retry later". */
export type Refusals = { readonly since: number; readonly times: number };

export type BackoffLogger = { info(fields: object, text: string): void };

export type BackoffLog = {
  /** Logs a pause and returns the refusals with this one. */
  backOff(
    request: HostRequest,
    before: Refusals | undefined,
    statusCode: number,
    until: number,
  ): Refusals;
  /** Logs that the host answers again. */
  recover(request: HostRequest, refusals: Refusals): void;
};

export function createBackoffLog(log: BackoffLogger | undefined, now: () => number): BackoffLog {
  return {
    backOff({ host, jobId }, before, statusCode, until) {
      const refusals = { since: before?.since ?? now(), times: (before?.times ?? 0) + 1 };
      const { since, times } = refusals;
      const fields = { jobId, host, statusCode, times, since: toIso(since), until: toIso(until) };
      if (jobId !== undefined) log?.info(fields, "backing off from host");
      return refusals;
    },
    recover({ host, jobId }, { since, times }) {
      const fields = { jobId, host, times, since: toIso(since), ms: now() - since };
      if (jobId !== undefined) log?.info(fields, "host recovered");
    },
  };
}

const toIso = (ms: number): string => new Date(ms).toISOString();
