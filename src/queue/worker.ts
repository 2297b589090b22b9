// One attempt of a background job. Its errors end here: they are logged, stored with the job as
// code, message and details, and decide whether a retry can help.
import type { Job, JobResult } from "pg-boss";
import { z } from "zod";
import { InternalError, QuarryError, RequestError, type ErrorRecord } from "../errors.ts";
import type { Logger } from "../log.ts";
import type { JobDefinition } from "./definition.ts";

/**
 * The storable part of an error. Foreign errors are stored without their text, which may be
 * private.
 */
function toRecord(error: unknown): ErrorRecord {
  const known = error instanceof QuarryError ? error : new InternalError("The job failed.");
  return known.toRecord();
}

/** Runs an attempt; an invalid request is not retried. */
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
        `${definition.name} got invalid input: ${z.prettifyError(input.error)}`,
      );
    await definition.handle(input.data, {
      jobId: job.id,
      number,
      signal: AbortSignal.any([job.signal, stopping]),
    });
    return { id: job.id, status: "completed" };
  } catch (error) {
    const isFinal = error instanceof RequestError;
    log.warn(
      { err: error, job: definition.name, jobId: job.id, attempt: number },
      "background job failed",
    );
    return { id: job.id, status: isFinal ? "deadletter" : "failed", output: toRecord(error) };
  }
}
