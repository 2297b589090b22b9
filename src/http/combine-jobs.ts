import type { Identity } from "../account/identity.ts";
import type { PageJobs } from "../crawl/job.ts";
import { RequestError } from "../errors.ts";
import { JOB_EXPIRED } from "../jobs/jobs.ts";

/** Combines the use cases of several job kinds: each id is looked up in the kinds in turn. */
export function combineJobs(kinds: readonly PageJobs[]): PageJobs {
  async function find(id: string, identity: Identity): Promise<PageJobs> {
    let unknown: unknown = new RequestError("NOT_FOUND", "Job not found");
    for (const jobs of kinds) {
      try {
        await jobs.report(id, identity);
        return jobs;
      } catch (error) {
        if (!(error instanceof RequestError) || error.code !== "NOT_FOUND") throw error;
        if (error.message === JOB_EXPIRED) throw error;
        unknown = error;
      }
    }
    throw unknown;
  }
  return {
    report: async (id, identity) => (await find(id, identity)).report(id, identity),
    listResults: async (id, identity, range, signal) =>
      (await find(id, identity)).listResults(id, identity, range, signal),
    cancel: async (id, identity) => (await find(id, identity)).cancel(id, identity),
    listFailures: async (id, identity) => (await find(id, identity)).listFailures(id, identity),
    listLedger: async (id, identity, range) =>
      (await find(id, identity)).listLedger(id, identity, range),
    async *iterateLedger(id, identity, fate) {
      yield* (await find(id, identity)).iterateLedger(id, identity, fate);
    },
    async *iterateDocuments(id, identity, range) {
      yield* (await find(id, identity)).iterateDocuments(id, identity, range);
    },
    async *watch(id, identity, options) {
      yield* (await find(id, identity)).watch(id, identity, options);
    },
  };
}
