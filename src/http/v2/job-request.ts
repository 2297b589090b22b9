// The requests that started jobs, for jobs of every kind.
import type { Agents } from "../../agent/agents.ts";
import { buildRunRequest } from "../../agent/run.ts";
import type { Identity } from "../../account/identity.ts";
import type { JobRequestResponse } from "../../contract/jobs/job-request.ts";
import { JOB_KINDS, type JobKindName } from "../../contract/jobs/kinds.ts";
import type { Batches } from "../../crawl/job.ts";
import { buildPageRequest } from "../../crawl/stored-options.ts";
import { RequestError } from "../../errors.ts";
import { assertRequestKept, type JobRequest } from "../../jobs/job-request.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import { buildExtractRequest } from "../../search/extract-job.ts";
import type { JobRecord } from "../../store/jobs/job-record.ts";
import type { Call, Handlers } from "../route.ts";

export type JobRequestRouteParts = {
  /** Resolve once the database is open. */
  readonly jobs: () => Promise<Pick<Jobs, "find">>;
  readonly batches: () => Promise<Pick<Batches, "iterateLedger">>;
  readonly agents: Pick<Agents, "findTurn">;
};

type Id = { readonly id: string };
type Build = (job: JobRecord, identity: Identity) => JobRequest | Promise<JobRequest>;

export function createJobRequestHandlers(parts: JobRequestRouteParts): Handlers {
  const builders: Readonly<Record<JobKindName, Build>> = {
    crawl: (job) => buildPageRequest(job, undefined),
    batch_scrape: async (job, identity) => {
      if (job.state === "scraping" && job.seeding)
        throw new RequestError(
          "CONFLICT",
          `The URLs of the batch ${job.id} are still being stored; ask again in a few seconds.`,
        );
      const urls: string[] = [];
      const batches = await parts.batches();
      for await (const entries of batches.iterateLedger(job.id, identity, undefined))
        for (const { url } of entries) urls.push(url);
      return buildPageRequest(job, urls);
    },
    extract: buildExtractRequest,
    agent: async (job) => buildRunRequest(job, await parts.agents.findTurn(job.id)),
  };
  const names = Object.keys(JOB_KINDS) as JobKindName[];
  return Object.fromEntries(
    names.map((name) => {
      const { path, listed } = JOB_KINDS[name];
      const read = async ({
        params,
        identity,
      }: Call<unknown, unknown, Id>): Promise<JobRequestResponse> => {
        const job = await (await parts.jobs()).find(name, params.id, identity);
        assertRequestKept(job);
        const { request, omitted } = await builders[name](job, identity);
        return {
          success: true,
          id: job.id,
          kind: listed,
          path,
          request: { ...request },
          omitted: [...omitted],
          createdAt: new Date(job.createdAt).toISOString(),
        };
      };
      return [`GET ${path}/:id/request`, read];
    }),
  );
}
