import type { ExtractOptions } from "../../contract/jobs/extract.ts";
import type { Extracts } from "../../search/extracts.ts";
import type { ExtractRecord } from "../../store/jobs/extracts.ts";
import type { Call, Handlers } from "../route.ts";

export type ExtractRouteParts = {
  /** Resolves once the database is open. */
  readonly extracts: () => Promise<Extracts>;
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
    [`POST ${root}/extract`]: async ({ body, identity }: Call<ExtractOptions>) => {
      const { id, invalidUrls } = await (await extracts()).start(body, { identity, apiVersion });
      return {
        success: true,
        id,
        urlTrace: [],
        ...(invalidUrls === undefined ? {} : { invalidURLs: invalidUrls }),
        ...DEPRECATED,
      };
    },
    [`GET ${root}/extract/:id`]: async ({ params, identity }: Call<unknown, unknown, Id>) =>
      toStatusBody(await (await extracts()).find(params.id, identity)),
  };
}

function toStatusBody(record: ExtractRecord): object {
  const { state, data, sources, error, warning, creditsUsed, expiresAt } = record;
  const { showSources } = record.options as ExtractOptions;
  return {
    success: true,
    status: state,
    ...(data === undefined ? {} : { data }),
    expiresAt: new Date(expiresAt).toISOString(),
    ...(error === undefined ? {} : { error: error.message, code: error.code }),
    ...(showSources && sources !== undefined ? { sources } : {}),
    creditsUsed,
    ...(warning === undefined ? {} : { warning }),
    ...DEPRECATED,
  };
}
