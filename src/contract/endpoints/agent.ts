// Routes of the agent.
import { z } from "zod";
import {
  agentListQuerySchema,
  agentListResponseSchema,
  agentRequestSchema,
  agentStartResponseSchema,
  agentStatusResponseSchema,
} from "../jobs/agent.ts";
import {
  agentSnapshotResponseSchema,
  agentThreadQuerySchema,
  agentThreadResponseSchema,
  agentTraceQuerySchema,
  agentTraceResponseSchema,
  snapshotParamsSchema,
  threadParamsSchema,
} from "../jobs/agent-trace.ts";
import type { Endpoint } from "./endpoint.ts";
import { describeKind } from "./kind-endpoints.ts";
import { jobIdParamsSchema } from "../request/identifier.ts";

const agent = describeKind("agent");

export const AGENT_ENDPOINTS: readonly Endpoint[] = [
  {
    ...agent,
    method: "POST",
    path: "/v2/agent",
    summary: "Start an agent that finds what the prompt asks for.",
    body: agentRequestSchema,
    example: { prompt: "What is this page about?", urls: ["https://example.com"] },
    response: agentStartResponseSchema,
  },
  {
    ...agent,
    method: "GET",
    path: "/v2/agent",
    summary: "List agent runs, newest first.",
    query: agentListQuerySchema,
    response: agentListResponseSchema,
  },
  {
    ...agent,
    method: "GET",
    path: "/v2/agent/threads/:threadId",
    summary: "Read a conversation with the agent.",
    params: threadParamsSchema,
    query: agentThreadQuerySchema,
    response: agentThreadResponseSchema,
  },
  {
    ...agent,
    method: "GET",
    path: "/v2/agent/:jobId",
    summary: "Read the state and data of an agent run.",
    params: jobIdParamsSchema,
    response: agentStatusResponseSchema,
  },
  {
    ...agent,
    method: "DELETE",
    path: "/v2/agent/:jobId",
    summary: "Cancel an agent run.",
    params: jobIdParamsSchema,
    response: z.looseObject({
      success: z.literal(true),
      status: z
        .enum(["processing", "completed", "failed"])
        .optional()
        .describe("Current state of the run; a cancelled run reads failed."),
      warning: z.string().optional(),
    }),
  },
  {
    ...agent,
    method: "GET",
    path: "/v2/agent/:jobId/trace",
    summary: "Read what an agent run did, event by event.",
    params: jobIdParamsSchema,
    query: agentTraceQuerySchema,
    response: agentTraceResponseSchema,
  },
  {
    ...agent,
    method: "GET",
    path: "/v2/agent/:jobId/snapshots/:snapshotId",
    summary: "Read one artifact of an agent run.",
    params: snapshotParamsSchema,
    response: agentSnapshotResponseSchema,
  },
];
