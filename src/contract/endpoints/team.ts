// Routes of usage, monitors and capabilities.
import { capabilitiesResponseSchema } from "../account/capabilities.ts";
import { emptyBodySchema } from "../request/caller.ts";
import type { Endpoint } from "./endpoint.ts";
import { idParamsSchema } from "../request/identifier.ts";
import {
  checkListQuerySchema,
  checkParamsSchema,
  checkQuerySchema,
  monitorDryRunSchema,
  monitorFeedbackSchema,
  monitorListQuerySchema,
  monitorRequestSchema,
  monitorTestSchema,
  monitorUpdateRequestSchema,
} from "../jobs/monitor.ts";
import {
  checkListResponseSchema,
  checkResponseSchema,
  monitorDeleteResponseSchema,
  monitorDeliveriesResponseSchema,
  monitorDryRunResponseSchema,
  monitorEstimateResponseSchema,
  monitorListResponseSchema,
  monitorResponseSchema,
  monitorRunResponseSchema,
  monitorTestResponseSchema,
} from "../jobs/monitor-report.ts";
import {
  activityQuerySchema,
  activityResponseSchema,
  concurrencyResponseSchema,
  creditHistoryResponseSchema,
  creditUsageResponseSchema,
  historicalQuerySchema,
  queueStatusResponseSchema,
  tokenHistoryResponseSchema,
  tokenUsageResponseSchema,
} from "../account/team.ts";

const team = { method: "GET", tag: "Team", capability: "team" } as const;
const monitor = { tag: "Monitor", capability: "monitor" } as const;
const one = { ...monitor, path: "/v2/monitor/:id", params: idParamsSchema } as const;

export const TEAM_ENDPOINTS: readonly Endpoint[] = [
  {
    ...team,
    path: "/v2/team/credit-usage",
    summary: "Read the credits that are left.",
    response: creditUsageResponseSchema,
  },
  {
    ...team,
    path: "/v2/team/credit-usage/historical",
    summary: "Read the credits used by period.",
    query: historicalQuerySchema,
    response: creditHistoryResponseSchema,
  },
  {
    ...team,
    path: "/v2/team/token-usage",
    summary: "Read the tokens that are left.",
    response: tokenUsageResponseSchema,
  },
  {
    ...team,
    path: "/v2/team/token-usage/historical",
    summary: "Read the tokens used by period.",
    query: historicalQuerySchema,
    response: tokenHistoryResponseSchema,
  },
  {
    ...team,
    path: "/v2/team/queue-status",
    summary: "Read how many jobs wait and run.",
    response: queueStatusResponseSchema,
  },
  {
    ...team,
    path: "/v2/team/activity",
    summary: "List the requests of the last 24 hours.",
    query: activityQuerySchema,
    response: activityResponseSchema,
  },
  {
    ...team,
    path: "/v2/concurrency-check",
    summary: "Read how many pages are in progress and how many may be.",
    response: concurrencyResponseSchema,
  },
  {
    method: "GET",
    path: "/v2/capabilities",
    summary: "Read what this server can do, and why not when it cannot.",
    tag: "Team",
    capability: "capabilities",
    response: capabilitiesResponseSchema,
  },
  {
    ...monitor,
    method: "POST",
    path: "/v2/monitor",
    summary: "Watch pages, crawls or searches for changes.",
    body: monitorRequestSchema,
    response: monitorResponseSchema,
  },
  {
    ...monitor,
    method: "POST",
    path: "/v2/monitor/estimate",
    summary: "Read when a monitor would run and what it would cost, without saving it.",
    body: monitorRequestSchema,
    response: monitorEstimateResponseSchema,
  },
  {
    ...monitor,
    method: "GET",
    path: "/v2/monitor",
    summary: "List monitors.",
    query: monitorListQuerySchema,
    response: monitorListResponseSchema,
  },
  { ...one, method: "GET", summary: "Read a monitor.", response: monitorResponseSchema },
  {
    ...one,
    method: "PATCH",
    summary: "Change a monitor.",
    body: monitorUpdateRequestSchema,
    response: monitorResponseSchema,
  },
  {
    ...one,
    method: "DELETE",
    summary: "Delete a monitor.",
    response: monitorDeleteResponseSchema,
  },
  {
    ...one,
    method: "POST",
    path: "/v2/monitor/:id/run",
    summary: "Run a check now.",
    body: emptyBodySchema,
    response: monitorRunResponseSchema,
  },
  {
    ...one,
    method: "GET",
    path: "/v2/monitor/:id/checks",
    summary: "List the checks of a monitor.",
    query: checkListQuerySchema,
    response: checkListResponseSchema,
  },
  {
    ...one,
    method: "GET",
    path: "/v2/monitor/:id/checks/:checkId",
    summary: "Read one check and its pages.",
    params: checkParamsSchema,
    query: checkQuerySchema,
    response: checkResponseSchema,
  },
  {
    ...one,
    method: "POST",
    path: "/v2/monitor/:id/test",
    summary: "Send a test notification and read how each channel answered.",
    body: monitorTestSchema,
    response: monitorTestResponseSchema,
  },
  {
    ...one,
    method: "GET",
    path: "/v2/monitor/:id/deliveries",
    summary: "List the notifications of a monitor and how their delivery went.",
    query: monitorListQuerySchema,
    response: monitorDeliveriesResponseSchema,
  },
  {
    ...one,
    method: "POST",
    path: "/v2/monitor/:id/feedback",
    summary: "Ignore, or always count, changes like a line of a diff.",
    body: monitorFeedbackSchema,
    response: monitorResponseSchema,
  },
  {
    ...one,
    method: "POST",
    path: "/v2/monitor/:id/dry-run",
    summary: "Read which stored versions would have notified under given rules.",
    body: monitorDryRunSchema,
    response: monitorDryRunResponseSchema,
  },
];
