// Routes of the histories of pages.
import {
  historyDiffQuerySchema,
  historyDiffResponseSchema,
  historyListQuerySchema,
  historyListResponseSchema,
  historyParamsSchema,
  historyResponseSchema,
  historyVersionParamsSchema,
  historyVersionResponseSchema,
} from "../page/change-history.ts";
import type { Endpoint } from "./endpoint.ts";

const changes = { tag: "Changes", capability: "scrape", method: "GET" } as const;

export const CHANGE_ENDPOINTS: readonly Endpoint[] = [
  {
    ...changes,
    path: "/v2/changes",
    summary: "List pages that were scraped with changeTracking, last fetched first.",
    query: historyListQuerySchema,
    response: historyListResponseSchema,
  },
  {
    ...changes,
    path: "/v2/changes/:id",
    summary: "Read the versions of a page.",
    params: historyParamsSchema,
    response: historyResponseSchema,
  },
  {
    ...changes,
    path: "/v2/changes/:id/diff",
    summary: "Compare two versions of a page.",
    params: historyParamsSchema,
    query: historyDiffQuerySchema,
    response: historyDiffResponseSchema,
  },
  {
    ...changes,
    path: "/v2/changes/:id/versions/:version",
    summary: "Read one version of a page.",
    params: historyVersionParamsSchema,
    response: historyVersionResponseSchema,
  },
];
