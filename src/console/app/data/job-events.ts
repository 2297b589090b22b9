// One stream of job changes for the whole tab, opened with the first subscriber and paused while
// the tab is hidden.
import { signal } from "@preact/signals";
import { checkSession } from "./session.ts";
import type { ListedJobBody } from "../../../contract/jobs/job-list.ts";

export type JobTotals = Readonly<Record<"running" | "completed" | "failed" | "cancelled", number>>;

/** Newest state of the jobs that the stream has named, by id. */
export const liveJobs = signal<ReadonlyMap<string, ListedJobBody>>(new Map());
export const liveTotals = signal<JobTotals | undefined>(undefined);
export const runningJobs = signal(0);
export const connection = signal<"idle" | "open" | "lost">("idle");

const MAX_KEPT = 2_000;
const RETRY_MS = 1_000;
const MAX_RETRY_MS = 15_000;
/** A connection that is restored at once needs no banner. */
const QUIET_MS = 1_500;

let source: EventSource | undefined;
let watchers = 0;
let retryMs = RETRY_MS;
let timer: ReturnType<typeof setTimeout> | undefined;

type Snapshot = { readonly jobs: readonly ListedJobBody[]; readonly totals: JobTotals };
type Change = { readonly change: "created" | "progress" | "ended"; readonly job: ListedJobBody };

function keep(jobs: readonly ListedJobBody[]): void {
  const next = new Map(liveJobs.value);
  for (const job of jobs) {
    next.delete(job.id);
    next.set(job.id, job);
  }
  for (const id of next.keys()) {
    if (next.size <= MAX_KEPT) break;
    next.delete(id);
  }
  liveJobs.value = next;
  runningJobs.value = [...next.values()].filter(({ state }) => state === "running").length;
}

function open(): void {
  clearTimeout(timer);
  source?.close();
  if (watchers === 0 || document.hidden) return;
  const stream = new EventSource("/v2/jobs/events");
  source = stream;
  stream.addEventListener("snapshot", (event) => {
    const { jobs, totals } = JSON.parse(event.data as string) as Snapshot;
    retryMs = RETRY_MS;
    connection.value = "open";
    liveTotals.value = totals;
    keep(jobs);
  });
  stream.addEventListener("job", (event) => {
    const { change, job } = JSON.parse(event.data as string) as Change;
    keep([job]);
    const totals = liveTotals.value;
    if (totals === undefined) return;
    if (change === "created") liveTotals.value = { ...totals, running: totals.running + 1 };
    if (change === "ended" && job.state !== "running")
      liveTotals.value = {
        ...totals,
        running: Math.max(0, totals.running - 1),
        [job.state]: totals[job.state] + 1,
      };
  });
  stream.addEventListener("error", () => {
    stream.close();
    if (source !== stream) return;
    setTimeout(() => {
      if (source === stream) connection.value = "lost";
    }, QUIET_MS);
    void checkSession();
    timer = setTimeout(open, retryMs);
    retryMs = Math.min(MAX_RETRY_MS, retryMs * 2);
  });
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden) {
    source?.close();
    source = undefined;
  } else if (watchers > 0) open();
});

/** Follows the stream until the returned function is called. */
export function watchJobs(): () => void {
  watchers += 1;
  if (watchers === 1) open();
  return () => {
    watchers -= 1;
    if (watchers > 0) return;
    clearTimeout(timer);
    source?.close();
    source = undefined;
    connection.value = "idle";
  };
}
