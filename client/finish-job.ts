import type { FollowOptions, Job } from "./job.ts";
import type { FinishedJob } from "./parameters.ts";
import type { Document, JobState } from "./wire.ts";

/** Waits for the end of a job and collects its documents. */
export async function finishJob(job: Job, options: FollowOptions): Promise<FinishedJob> {
  const documents: Document[] = [];
  let last: JobState | undefined;
  for await (const { data, next: _, ...state } of job.pages(options)) {
    for (const document of data) documents.push(document);
    last = state as JobState;
  }
  return { ...(last as JobState), documents };
}
