import type { z } from "zod";

export type Attempt = {
  readonly jobId: string;
  /** From 1. */
  readonly number: number;
  /** Aborts when the job's time is over, it was cancelled here, or this process stops. */
  readonly signal: AbortSignal;
};

/** One kind of durable background job. */
export type JobDefinition<Input = unknown> = {
  /** Noun then verb, like `clean-up.run`; the name of its queue. */
  readonly name: string;
  readonly schema: z.ZodType<Input>;
  /** Retries after the first attempt; 0 for work that must not run twice. */
  readonly retries: number;
  /** Delay before the first retry; doubles with each. */
  readonly retryDelaySeconds: number;
  /** Maximum duration of one attempt. */
  readonly expireSeconds: number;
  /** Concurrent attempts in this process. */
  readonly concurrency: number;
  /** Cron schedule in UTC: runs once over all processes with the given input. */
  readonly schedule?: { readonly cron: string; readonly input: Input };
  handle(input: Input, attempt: Attempt): Promise<void>;
};

/** Declares a job; its schema determines the input type. */
export function defineJob<Input>(definition: JobDefinition<Input>): JobDefinition<Input> {
  return definition;
}
