// Merges the stream of job changes into the loaded list. Pure, and linear in the length of the list
// because it runs at every event.
import type { ListedJobBody } from "../../../../contract/jobs/job-list.ts";

export type JobFilters = Readonly<Record<"kind" | "state" | "text", string>>;

const matches = (job: ListedJobBody, { kind, state, text }: JobFilters): boolean =>
  (kind === "" || job.kind === kind) &&
  (state === "" || job.state === state) &&
  (text === "" ||
    `${job.url ?? ""} ${job.prompt ?? ""}`.toLowerCase().includes(text.toLowerCase()));

/** Sorts the newest job first. */
const byAge = (one: ListedJobBody, other: ListedJobBody): number =>
  one.createdAt < other.createdAt ? 1 : one.createdAt > other.createdAt ? -1 : 0;

/**
 * Merges the jobs of the stream into the loaded ones. `loaded` is sorted newest first and matched
 * the filters when it was loaded. Returns running jobs before ended ones, each newest first. Jobs
 * that are older than the loaded ones are added only to a list that is loaded to its end.
 */
export function mergeJobs(
  loaded: readonly ListedJobBody[],
  live: ReadonlyMap<string, ListedJobBody>,
  filters: JobFilters,
  isWhole: boolean,
): ListedJobBody[] {
  const oldest = isWhole ? "" : (loaded.at(-1)?.createdAt ?? "");
  const added = new Map(
    [...live].filter(([, job]) => job.createdAt >= oldest && matches(job, filters)),
  );
  const kept: ListedJobBody[] = [];
  for (const job of loaded) {
    added.delete(job.id);
    const newest = live.get(job.id) ?? job;
    if (filters.state === "" || newest.state === filters.state) kept.push(newest);
  }
  const others = [...added.values()].toSorted(byAge);
  const running: ListedJobBody[] = [];
  const ended: ListedJobBody[] = [];
  const add = (job: ListedJobBody): unknown =>
    job.state === "running" ? running.push(job) : ended.push(job);
  // Both lists are sorted, so one pass merges them.
  let at = 0;
  for (const job of kept) {
    for (let next = others[at]; next !== undefined && byAge(next, job) < 0; next = others[at]) {
      add(next);
      at += 1;
    }
    add(job);
  }
  for (const job of others.slice(at)) add(job);
  return [...running, ...ended];
}
