// Starting what failed in a job again, for jobs of every kind.
import type { Agents } from "../../agent/agents.ts";
import type { AgentOptions } from "../../contract/jobs/agent.ts";
import type { ExtractOptions } from "../../contract/jobs/extract.ts";
import { JOB_KINDS, type JobKindName } from "../../contract/jobs/kinds.ts";
import type { RetryOptions, RetryResponse } from "../../contract/jobs/retry.ts";
import type { RetryPages } from "../../crawl/job.ts";
import type { JobCaller } from "../../jobs/caller.ts";
import { retryExtract, type StartExtractParts } from "../../search/start-extract.ts";
import type { PublicAddress } from "../public-address.ts";
import type { Call, Handlers } from "../route.ts";
import { toJobCaller } from "./jobs.ts";

export type RetryRouteParts = StartExtractParts & {
  readonly agents: Pick<Agents, "retry">;
  readonly retryPages: RetryPages;
  readonly address: PublicAddress;
};

type Id = { readonly id: string };
type Retried = {
  readonly id: string;
  readonly kind: JobKindName;
  readonly urls?: number | undefined;
  readonly warning?: string | undefined;
};

export function createRetryHandlers(parts: RetryRouteParts): Handlers {
  const { agents, retryPages, address } = parts;
  const buildHandler = <Options>(
    name: JobKindName,
    retry: (id: string, options: Options, caller: JobCaller) => Promise<Retried>,
  ): Handlers => ({
    [`POST ${JOB_KINDS[name].path}/:id/retry`]: async (
      call: Call<Options, unknown, Id>,
    ): Promise<RetryResponse> => {
      const { params, body, request } = call;
      const retried = await retry(params.id, body, toJobCaller(call, address));
      const { id, kind, urls, warning } = retried;
      const { listed, path } = JOB_KINDS[kind];
      return {
        success: true,
        id,
        kind: listed,
        path: `${path}/${id}`,
        url: address(request, `${path}/${id}`),
        ...(urls === undefined ? {} : { urls }),
        ...(warning === undefined ? {} : { warning }),
      };
    },
  });
  const buildPageHandler = (kind: "crawl" | "batch_scrape"): Handlers =>
    buildHandler(kind, (id, options: RetryOptions, caller) =>
      retryPages({ kind, id }, options, caller),
    );
  return {
    ...buildPageHandler("crawl"),
    ...buildPageHandler("batch_scrape"),
    ...buildHandler(
      "extract",
      async (id, { webhook }: Pick<ExtractOptions, "webhook">, caller): Promise<Retried> => ({
        ...(await retryExtract(parts, id, webhook, caller)),
        kind: "extract",
      }),
    ),
    ...buildHandler(
      "agent",
      async (id, { webhook }: Pick<AgentOptions, "webhook">, caller): Promise<Retried> => ({
        ...(await agents.retry(id, webhook, caller)),
        kind: "agent",
      }),
    ),
  };
}
