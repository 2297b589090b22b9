import type { ExtractOptions } from "../../contract/jobs/extract.ts";
import { startExtract, type StartExtractParts } from "../../search/start-extract.ts";
import type { ExtractResult } from "../../search/extract-job.ts";
import type { JobRecord } from "../../store/jobs/job-record.ts";
import type { Call, Handler, Handlers } from "../route.ts";
import { createKindHandlers, createReadHandler, type KindRouteParts } from "./kind-routes.ts";
import { toJobCaller } from "./jobs.ts";

export type ExtractRouteParts = KindRouteParts & StartExtractParts;

/** Keys of a deprecated route's reply (wire contract 1.10). */
const DEPRECATED = {
  warnings: ["extract is deprecated: scrape with the json format, or use POST /v2/agent."],
  replacement: "/v2/agent",
};

/** /v1 and /v2 answer the same. */
export function createExtractHandlers(parts: ExtractRouteParts): Handlers {
  return {
    "POST /v2/extract": createStartHandler(parts, "v2"),
    "POST /v1/extract": createStartHandler(parts, "v1"),
    ...createKindHandlers("extract", parts, showResult),
    "GET /v1/extract/:id": createReadHandler("extract", parts, showResult),
  };
}

function createStartHandler(parts: ExtractRouteParts, apiVersion: "v1" | "v2"): Handler {
  return async (call: Call<ExtractOptions>) => {
    const caller = { ...toJobCaller(call, parts.address), apiVersion };
    const { id, invalidUrls } = await startExtract(parts, call.body, caller);
    return {
      success: true,
      id,
      urlTrace: [],
      ...(invalidUrls === undefined ? {} : { invalidURLs: invalidUrls }),
      ...DEPRECATED,
    };
  };
}

function showResult(job: JobRecord): object {
  const { showSources } = job.options as ExtractOptions;
  const result = (job.work?.result ?? undefined) as ExtractResult | undefined;
  return {
    ...(result === undefined ? {} : { data: result.data }),
    ...(showSources && result !== undefined ? { sources: result.sources } : {}),
    ...DEPRECATED,
  };
}
