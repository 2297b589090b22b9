// Builds the messages for a watcher of a crawl or batch from the job's use cases.
import type { PageJobKind, JobReport, JobResults, PageJobs } from "../../crawl/job.ts";
import { withMember } from "../../runtime/json-bytes.ts";
import { combineJobs } from "../combine-jobs.ts";
import { writeStatusBody } from "../v2/job-status.ts";
import { toFrame, type Watch, type WatchFrame, type WatchOptions } from "./watch.ts";

/** Follows jobs of either kind for serveWatches; `jobsOf` resolves once the database is open. */
export function createWatch(jobsOf: (kind: PageJobKind) => Promise<PageJobs>): Watch {
  return async function* (options) {
    const { id, identity, signal } = options;
    const jobs = combineJobs(await Promise.all(options.kinds.map(jobsOf)));
    const first = await readStart(jobs, options);
    yield toCatchup(first);
    if (isWhole(first)) {
      yield* reportEnd(first);
      return;
    }
    const from = { skip: first.documents.length, signal };
    for await (const event of jobs.watch(id, identity, from)) {
      if (event.type === "ended") yield* reportEnd(event.report);
      else for (const document of event.documents) yield wrapJson("document", document);
    }
  };
}

const isWhole = ({ status, nextSkip }: JobResults): boolean =>
  status !== "scraping" && nextSkip === undefined;

/**
 * A final status in the catchup ends the published watcher, which does not request further pages. A
 * catchup without all documents therefore reports a running job.
 */
function toCatchup(results: JobResults): WatchFrame {
  const shown = isWhole(results) ? results : { ...results, status: "scraping" as const };
  return wrapJson("catchup", writeStatusBody(shown, undefined));
}

/** Wraps JSON in a message without parsing it. */
const wrapJson = (type: "catchup" | "document", json: Uint8Array): WatchFrame => ({
  type,
  json: withMember({ type }, "data", json),
});

/**
 * A read at the end of a running job would wait for a page, but a watcher needs the state at once.
 */
async function readStart(
  jobs: PageJobs,
  { id, identity, signal }: WatchOptions,
): Promise<JobResults> {
  const report = await jobs.report(id, identity);
  if (report.status === "scraping" && report.completed === 0)
    return { ...report, documents: [], nextSkip: undefined };
  return await jobs.listResults(id, identity, { skip: 0, limit: undefined }, signal);
}

function* reportEnd(report: JobReport): Generator<WatchFrame> {
  const { status, total, completed, creditsUsed, error, code } = report;
  const data = { status, total, completed, creditsUsed, data: [] };
  if (status !== "completed") yield toFrame({ type: "status", data });
  if (status === "failed")
    yield toFrame({
      type: "error",
      error: error ?? "The job failed.",
      ...(code === undefined ? {} : { code }),
    });
  else yield toFrame({ type: "done", data });
}
