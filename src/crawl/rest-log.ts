// What the log says of a host that asks for a rest (429, 503): since when, until when, how often, and when it answers again.

/** A host and the job whose page it was asked for; without a job nothing is logged. */
export type Asked = { readonly host: string; readonly jobId: string | undefined };

/** Since when a host says "later", and how often it has. */
export type Refusing = { readonly since: number; readonly times: number };

export type RestLogger = { info(fields: object, text: string): void };

export type RestLog = {
  /** Logs a rest and returns it with those before it. */
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
