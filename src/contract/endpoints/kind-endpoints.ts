// Routes that jobs of every kind have. Their texts about a kind come from its row in JOB_KINDS.
import type { z } from "zod";
import { jobCancelResponseSchema } from "../jobs/crawl.ts";
import {
  deliveryListResponseSchema,
  deliveryQuerySchema,
  redeliveryParamsSchema,
  redeliveryResponseSchema,
} from "../jobs/delivery.ts";
import { jobRequestResponseSchema } from "../jobs/job-request.ts";
import { buildPageRetrySchema, buildRetrySchema, retryResponseSchema } from "../jobs/retry.ts";
import { JOB_KINDS, type JobKindName } from "../jobs/kinds.ts";
import { idParamsSchema } from "../request/identifier.ts";
import type { Endpoint } from "./endpoint.ts";

/** Section, capability and deprecation of the routes of a kind. */
export function describeKind(
  name: JobKindName,
): Pick<Endpoint, "tag" | "capability" | "deprecated"> {
  const row = JOB_KINDS[name];
  const { tag, capability } = row;
  return { tag, capability, ...("deprecated" in row && { deprecated: row.deprecated }) };
}

/** Reading and cancelling a job. `status` describes the reply of reading. */
export const buildKindEndpoints = (
  name: JobKindName,
  status: { readonly response: z.ZodType; readonly query?: z.ZodType },
): Endpoint[] => [
  {
    ...describeKind(name),
    method: "GET",
    path: `${JOB_KINDS[name].path}/:id`,
    summary: `Read the state and results of ${withArticle(name)}.`,
    params: idParamsSchema,
    ...status,
  },
  {
    ...describeKind(name),
    method: "DELETE",
    path: `${JOB_KINDS[name].path}/:id`,
    summary: `Cancel ${withArticle(name)}; finished pages stay readable.`,
    params: idParamsSchema,
    response: jobCancelResponseSchema,
  },
];

/** Starting what failed again, for each kind. */
export const RETRY_ENDPOINTS: readonly Endpoint[] = (
  [
    ["crawl", buildPageRetrySchema("crawl"), "or the crawl if it has no page"],
    ["batch_scrape", buildPageRetrySchema("batch_scrape"), undefined],
    ["extract", buildRetrySchema("extract"), undefined],
    ["agent", buildRetrySchema("agent"), undefined],
  ] as const
).map(([name, body, more]): Endpoint => {
  const { path, events } = JOB_KINDS[name];
  const hasPages = events.some((event) => event === "page");
  return {
    ...describeKind(name),
    method: "POST",
    path: `${path}/:id/retry`,
    summary: hasPages
      ? `Scrape the failed pages of ${withArticle(name)} again as a batch${more === undefined ? "" : `, ${more}`}.`
      : `Start ${withArticle(name)} that failed or was cancelled again.`,
    params: idParamsSchema,
    body,
    example: {},
    response: retryResponseSchema,
  };
});

/** The requests that started jobs of all kinds. */
export const REQUEST_ENDPOINTS: readonly Endpoint[] = (Object.keys(JOB_KINDS) as JobKindName[]).map(
  (name): Endpoint => ({
    ...describeKind(name),
    method: "GET",
    path: `${JOB_KINDS[name].path}/:id/request`,
    summary: `Read the request that started ${withArticle(name)}, without its secrets.`,
    params: idParamsSchema,
    response: jobRequestResponseSchema,
  }),
);

/** The delivery logs of all kinds, and sending an event again. */
export const DELIVERY_ENDPOINTS: readonly Endpoint[] = (
  Object.keys(JOB_KINDS) as JobKindName[]
).flatMap((name): Endpoint[] => [
  {
    ...describeKind(name),
    method: "GET",
    path: `${JOB_KINDS[name].path}/:id/webhooks`,
    summary: `List the events of ${withArticle(name)} and how their delivery goes.`,
    params: idParamsSchema,
    query: deliveryQuerySchema,
    response: deliveryListResponseSchema,
  },
  {
    ...describeKind(name),
    method: "POST",
    path: `${JOB_KINDS[name].path}/:id/webhooks/:webhookId`,
    summary: `Send an event of ${withArticle(name)} again, with the same webhook id.`,
    params: redeliveryParamsSchema,
    response: redeliveryResponseSchema,
  },
]);

function withArticle(name: JobKindName): string {
  const { noun } = JOB_KINDS[name];
  return `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;
}
