// One attempt of a background job. What it throws ends here: it is logged, kept with the job as code, message and details,
// and decides whether another attempt can help.
import type { Job, JobResult } from "pg-boss";
import { z } from "zod";
import { InternalError, QuarryError, RequestError, type ErrorRecord } from "../errors.ts";
import type { Logger } from "../log.ts";
import type { JobDefinition } from "./definition.ts";

/** What can be kept of an error. What is not ours is told without its words: they may hold what is private. */
function toRecord(error: unknown): ErrorRecord {
  const known = error instanceof QuarryError ? error : new InternalError("The job failed.");
  return known.toRecord();
}

/** Runs an attempt; a request that cannot become right is not tried again. */
export async function runAttempt<Input>(
  definition: JobDefinition<Input>,
  job: Job<unknown>,
  stopping: AbortSignal,
  log: Logger,
): Promise<JobResult<ErrorRecord>> {
  const number = job.retryCount + 1;
  try {
    const input = definition.schema.safeParse(job.data);
    if (!input.success)
      throw new RequestError(
        "BAD_REQUEST",
        `${definition.name} was given what it cannot read: ${z.prettifyError(input.error)}`,
      );
    await definition.handle(input.data, {
      jobId: job.id,
      number,
      signal: AbortSignal.any([job.signal, stopping]),
    });
    return { id: job.id, status: "completed" };
  } catch (error) {
    const isFinal = error instanceof RequestError;
    log.warn({ err: error, job: definition.name, jobId: job.id, attempt: number }, "a job failed");
    return { id: job.id, status: isFinal ? "deadletter" : "failed", output: toRecord(error) };
  }
}
