import type { JobRecord } from "../store/jobs/job-record.ts";
import type { KeptRun } from "./run.ts";

const MAX_CHARACTERS = 100;

/** Describes a run in a few words: its start URL, else its prompt. */
export function hintOf({ options }: Pick<JobRecord, "options">): string {
  const { urls, prompt } = options as KeptRun;
  const [first] = urls ?? [];
  return first ?? prompt.slice(0, MAX_CHARACTERS);
}
