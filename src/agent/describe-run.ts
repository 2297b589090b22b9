import type { JobRecord } from "../store/jobs/job-record.ts";
import { removeLogins } from "../url/userinfo.ts";
import type { StoredRun } from "./run.ts";

const MAX_CHARACTERS = 100;

/** Describes a run in a few words: its start URL, else its prompt. */
export function describeRun({ options }: Pick<JobRecord, "options">): string {
  const { urls, prompt } = options as StoredRun;
  const [first] = removeLogins((urls ?? []).slice(0, 1));
  return first ?? prompt.slice(0, MAX_CHARACTERS);
}
