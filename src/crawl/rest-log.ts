// Logs hosts that ask for a pause (429, 503): since when, until when, how often, and when they
// answer again.

/** A host and the job of the page; nothing is logged without a job. */
export type Asked = { readonly host: string; readonly jobId: string | undefined };

/** Since when and how often a host has said "retry later". */
export type Refusing = { readonly since: number; readonly times: number };

export type RestLogger = { info(fields: object, text: string): void };

export type RestLog = {
  /** Logs a pause and returns it with the ones before it. */
  rest(asked: Asked, before: Refusing | undefined, statusCode: number, until: number): Refusing;
  /** Logs that the host answers again. */
  answer(asked: Asked, refusing: Refusing): void;
};

export function createRestLog(log: RestLogger | undefined, now: () => number): RestLog {
  return {
    rest({ host, jobId }, before, statusCode, until) {
      const refusing = { since: before?.since ?? now(), times: (before?.times ?? 0) + 1 };
      const { since, times } = refusing;
      const fields = { jobId, host, statusCode, times, since: toIso(since), until: toIso(until) };
      if (jobId !== undefined) log?.info(fields, "host is resting");
      return refusing;
    },
    answer({ host, jobId }, { since, times }) {
      const fields = { jobId, host, times, since: toIso(since), ms: now() - since };
      if (jobId !== undefined) log?.info(fields, "host answers again");
    },
  };
}

const toIso = (ms: number): string => new Date(ms).toISOString();
