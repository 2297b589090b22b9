import type { BatchOptions } from "../../contract/jobs/batch.ts";
import type { Batches } from "../../crawl/job.ts";
import type { Call, Handlers } from "../route.ts";
import { createJobFileHandlers } from "./job-files.ts";
import { toJobCaller, createJobHandlers, type JobRouteParts } from "./jobs.ts";

const PATH = "/v2/batch/scrape";

export function createBatchHandlers(parts: JobRouteParts<Batches>): Handlers {
  return {
    "POST /v2/batch/scrape": async (call: Call<BatchOptions>) => {
      const started = await (await parts.jobs()).start(call.body, toJobCaller(call, parts.address));
      const { id, warning, invalidUrls } = started;
      return {
        success: true,
        id,
        url: parts.address(call.request, `${PATH}/${id}`),
        ...(invalidUrls === undefined ? {} : { invalidURLs: invalidUrls }),
        ...(warning === undefined ? {} : { warning }),
      };
    },
    ...createJobHandlers(PATH, parts),
    ...createJobFileHandlers(PATH, parts),
  };
}
