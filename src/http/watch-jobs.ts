// What a watcher hears of a crawl or batch, made of the use cases of that job.
import type { WatchMessage } from "../contract/watch.ts";
import type { JobKind, JobReport, JobResults, Jobs } from "../crawl/job.ts";
import { RequestError } from "../errors.ts";
import type { Watch, WatchOptions } from "./watch.ts";

export type WatchedJobs = {
  /** Resolves once the database is open. */
  readonly jobsOf: (kind: JobKind) => Promise<Pick<Jobs, "report" | "results" | "watch">>;
  /** The wire form of a status, without the addresses in it; `next` is set when more documents exist. */
  readonly describe: (results: JobResults) => WatchMessage & { readonly type: "catchup" };
};

/** Follows jobs of either kind for serveWatches. */
export function createWatch(parts: WatchedJobs): Watch {
  return async function* (options) {
    const { jobs, report } = await find(parts, options);
    const first = await readStart(jobs, report, options);
    yield parts.describe(first);
    if (first.status !== "scraping" && first.nextSkip === undefined) {
      yield* tellEnd(first);
      return;
    }
    const { id, identity, signal } = options;
    const from = { skip: first.documents.length, signal };
    for await (const event of jobs.watch(id, identity, from)) {
      if (event.type === "ended") yield* tellEnd(event.report);
      else for (const data of event.documents) yield { type: "document", data };
    }
  };
}

type Found = {
  readonly jobs: Pick<Jobs, "report" | "results" | "watch">;
  readonly report: JobReport;
};

/** The job among those of the wanted kinds; throws NOT_FOUND when there is none. */
async function find(parts: WatchedJobs, { id, kinds, identity }: WatchOptions): Promise<Found> {
  let unknown: unknown = new RequestError("NOT_FOUND", "Job not found.");
  for (const kind of kinds) {
    const jobs = await parts.jobsOf(kind);
    try {
      return { jobs, report: await jobs.report(id, identity) };
    } catch (error) {
      if (!(error instanceof RequestError) || error.code !== "NOT_FOUND") throw error;
      unknown = error;
    }
  }
  throw unknown;
}

/** A read at the end of a running job would wait for a page; who watches wants to hear at once that there is none. */
async function readStart(
  jobs: Pick<Jobs, "results">,
  report: JobReport,
  { id, identity, signal }: WatchOptions,
): Promise<JobResults> {
  if (report.status === "scraping" && report.completed === 0)
    return { ...report, documents: [], nextSkip: undefined };
  return await jobs.results(id, identity, { skip: 0, limit: undefined }, signal);
}

function* tellEnd({
  status,
  total,
  completed,
  creditsUsed,
  error,
}: JobReport): Generator<WatchMessage> {
  const data = { status, total, completed, creditsUsed, data: [] };
  if (status !== "completed") yield { type: "status", data };
  if (status === "failed") yield { type: "error", error: error ?? "The job failed." };
  else yield { type: "done", data };
}
