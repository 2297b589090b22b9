import type { z } from "zod";

export type Attempt = {
  readonly jobId: string;
  /** 1 at first. */
  readonly number: number;
  /** Aborts when the time of the job is over, it was cancelled here, or this process stops. */
  readonly signal: AbortSignal;
};

/** One kind of durable background job. */
export type JobDefinition<Input = unknown> = {
  /** Noun then verb, as `clean-up.run`; the name of its queue. */
  readonly name: string;
  readonly schema: z.ZodType<Input>;
  /** Tries after the first; none for what must not happen twice. */
  readonly retries: number;
  /** Before the first retry; doubles with each. */
  readonly retryDelaySeconds: number;
  /** Longest run of one attempt. */
  readonly expireSeconds: number;
  /** Attempts at once in this process. */
  readonly concurrency: number;
  /** By cron, in UTC: without input from elsewhere, once over all processes. */
  readonly schedule?: { readonly cron: string; readonly input: Input };
  handle(input: Input, attempt: Attempt): Promise<void>;
};

/** Declares a job; the type of its input comes from its schema. */
export function defineJob<Input>(definition: JobDefinition<Input>): JobDefinition<Input> {
  return definition;
}
