import type { Logger } from "../logger.ts";
import { createJobEvents, type JobEvents } from "./job-events.ts";
import { createJobList, type JobList } from "./job-list.ts";

/** Creates the job list and the stream of its changes; streams end when `stopping` aborts. */
export function createJobParts(
  open: Parameters<typeof createJobList>[0],
  log: Logger,
  stopping: AbortSignal,
): { readonly jobList: JobList; readonly jobEvents: JobEvents } {
  const jobList = createJobList(open);
  return { jobList, jobEvents: createJobEvents({ list: jobList, log, stopping }) };
}
