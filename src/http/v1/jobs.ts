import type { BatchOptions } from "../../contract/jobs/batch.ts";
import type { CrawlOptions, JobStatusResponse } from "../../contract/jobs/crawl.ts";
import type { MapOptions } from "../../contract/page/map.ts";
import type { Batches, Crawls, JobResults, MapSite } from "../../crawl/job.ts";
import { combineJobs } from "../combine-jobs.ts";
import type { PublicAddress } from "../public-address.ts";
import type { Call, Handler, Handlers } from "../route.ts";
import { createCrawlHandlers } from "../v2/crawl.ts";
import { toJobCaller, createJobHandlers } from "../v2/jobs.ts";
import { toStatusBody } from "../v2/job-status.ts";
import { toV1Document } from "./scrape.ts";

export type V1JobParts = {
  /** Resolves once the database is open. */
  readonly crawls: () => Promise<Crawls>;
  readonly batches: () => Promise<Batches>;
  readonly address: PublicAddress;
};

/**
 * Crawl and batch. The published client reads batches under the crawl's URL, so that one serves
 * both.
 */
export function createV1JobHandlers({ crawls, batches, address }: V1JobParts): Handlers {
  const findEither = async () => combineJobs([await crawls(), await batches()]);
  const active = createCrawlHandlers({ jobs: crawls, address })["GET /v2/crawl/active"];
  return {
    ...readHandlers(
      "/v1/crawl",
      createJobHandlers("/v1/crawl", { jobs: findEither, address }, toV1Status),
    ),
    ...readHandlers(
      "/v1/batch/scrape",
      createJobHandlers("/v1/batch/scrape", { jobs: batches, address }, toV1Status),
    ),
    ...(active === undefined
      ? {}
      : { "GET /v1/crawl/active": active, "GET /v1/crawl/ongoing": active }),

    "POST /v1/crawl": async (call: Call<CrawlOptions>) => {
      const started = await (await crawls()).start(call.body, createV1Caller(call, address));
      return {
        success: true,
        id: started.id,
        url: address(call.request, `/v1/crawl/${started.id}`),
      };
    },
    "POST /v1/batch/scrape": async (call: Call<BatchOptions>) => {
      const { id, invalidUrls } = await (
        await batches()
      ).start(call.body, createV1Caller(call, address));
      return {
        success: true,
        id,
        url: address(call.request, `/v1/batch/scrape/${id}`),
        ...(invalidUrls === undefined ? {} : { invalidURLs: invalidUrls }),
      };
    },
  };
}

/** /v1 returns plain URLs where /v2 also returns titles. */
export function createV1MapHandlers(mapSite: MapSite): Handlers {
  return {
    "POST /v1/map": async (call: Call<MapOptions>) => {
      const { links, warning } = await mapSite(call.body, {
        identity: call.identity,
        requestId: call.request.id,
        apiVersion: "v1",
        signal: call.signal,
      });
      const urls = links.map(({ url }) => url);
      return { success: true, links: urls, ...(warning === undefined ? {} : { warning }) };
    },
  };
}

const createV1Caller = (call: Call, address: PublicAddress) => ({
  ...toJobCaller(call, address),
  apiVersion: "v1" as const,
});

/**
 * Reads a job under /v1. Its errors are also returned for DELETE, which the published client uses.
 */
function readHandlers(path: string, handlers: Handlers): Handlers {
  const errors = handlers[`GET ${path}/:id/errors`];
  const named: Record<string, Handler | undefined> = {
    [`GET ${path}/:id`]: handlers[`GET ${path}/:id`],
    [`DELETE ${path}/:id`]: handlers[`DELETE ${path}/:id`],
    [`GET ${path}/:id/errors`]: errors,
    [`DELETE ${path}/:id/errors`]: errors,
  };
  return Object.fromEntries(
    Object.entries(named).filter((entry): entry is [string, Handler] => entry[1] !== undefined),
  );
}

/** The job does not store which name was requested, so extracted data is returned under both. */
function toV1Status(results: JobResults, next: string | undefined): JobStatusResponse {
  const status = toStatusBody(results, next);
  const data = status.data.map((document) => toV1Document(document, ["json", "extract"]));
  return { ...status, data };
}
