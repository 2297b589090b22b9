import type { ExtractOptions } from "../../contract/jobs/extract.ts";
import type { Extracts } from "../../search/extracts.ts";
import type { ExtractResult } from "../../search/extract-job.ts";
import type { JobRecord } from "../../store/jobs/job-record.ts";
import type { Call, Handlers } from "../route.ts";

export type ExtractRouteParts = {
  readonly extracts: Extracts;
};

/** Keys of a deprecated route's reply (wire contract 1.10). */
const DEPRECATED = {
  warnings: ["extract is deprecated: scrape with the json format, or use POST /v2/agent."],
  replacement: "/v2/agent",
};

type Id = { readonly id: string };

/** Handlers below `root`, /v2 or /v1, which answer the same. */
export function extractHandlers(root: "/v1" | "/v2", { extracts }: ExtractRouteParts): Handlers {
  const apiVersion = root === "/v1" ? "v1" : "v2";
  return {
    [`POST ${root}/extract`]: async ({ body, identity, request }: Call<ExtractOptions>) => {
      const caller = { identity, requestId: request.id, apiVersion } as const;
      const { id, invalidUrls } = await extracts.start(body, caller);
      return {
        success: true,
        id,
        urlTrace: [],
        ...(invalidUrls === undefined ? {} : { invalidURLs: invalidUrls }),
        ...DEPRECATED,
      };
    },
    [`GET ${root}/extract/:id`]: async ({ params, identity }: Call<unknown, unknown, Id>) =>
      toStatusBody(await extracts.find(params.id, identity)),
  };
}

function toStatusBody(job: JobRecord): object {
  const { state, error, warnings, creditsUsed, expiresAt } = job;
  const { showSources } = job.options as ExtractOptions;
  const result = (job.work?.result ?? undefined) as ExtractResult | undefined;
  return {
    success: true,
    status: state === "scraping" ? "processing" : state,
    ...(result === undefined ? {} : { data: result.data }),
    expiresAt: new Date(expiresAt).toISOString(),
    ...(error === null ? {} : { error: error.message, code: error.code }),
    ...(showSources && result !== undefined ? { sources: result.sources } : {}),
    creditsUsed,
    ...(warnings.length === 0 ? {} : { warning: warnings.join(" ") }),
    ...DEPRECATED,
  };
}
