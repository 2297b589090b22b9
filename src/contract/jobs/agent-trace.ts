// Events of an agent run, and the conversation it belongs to.
import { z } from "zod";
import { nameSchema, jobIdSchema } from "../request/identifier.ts";
import { flagSchema } from "../request/paging.ts";

const text = z.string().optional();
const eventFields = {
  schemaVersion: z.literal(1),
  eventId: z.string(),
  runId: z.string(),
  occurredAt: z.string(),
  producerSequence: z.int(),
  agent: z.looseObject({
    id: z.string(),
    role: z.enum(["orchestrator", "subagent", "browser", "system"]),
    name: z.string(),
    parentId: text,
  }),
};
const errorSchema = z.looseObject({
  code: z.string(),
  source: z.enum(["agent", "tool", "billing", "system"]),
  retryable: z.boolean(),
  message: z.string(),
});
const outcomeSchema = z.enum([
  "succeeded",
  "failed",
  "cancelled",
  "refused",
  "credit_limit_reached",
]);
const toolFields = { toolCallId: z.string(), toolName: z.string() };
const artifactSchema = z.looseObject({
  kind: z.enum(["json", "markdown", "html", "screenshot", "text"]),
  artifactId: z.string(),
  path: text,
  snapshotId: z.string(),
  change: z.enum(["init", "partial", "append", "modify", "update"]),
});

const defineEvent = <T extends string, S extends z.ZodRawShape>(type: T, fields: S) =>
  z.looseObject({ ...eventFields, type: z.literal(type), ...fields });

export const agentEventSchema = z.discriminatedUnion("type", [
  defineEvent("run.started", {}),
  defineEvent("run.cancel_requested", { reason: z.string() }),
  defineEvent("run.finished", { outcome: outcomeSchema, error: errorSchema.nullable().optional() }),
  defineEvent("agent.started", {}),
  defineEvent("agent.finished", {
    outcome: outcomeSchema,
    durationMs: z.number(),
    error: errorSchema.nullable().optional(),
  }),
  defineEvent("browser.session.started", { sessionId: z.string() }),
  defineEvent("browser.session.finished", { sessionId: z.string(), durationMs: z.number() }),
  defineEvent("progress.reported", {
    phase: z.enum(["planning", "working", "finalizing"]),
    message: z.string(),
  }),
  defineEvent("reasoning.summary", { text: z.string() }),
  defineEvent("tool_call.started", { ...toolFields, parameters: z.unknown() }),
  defineEvent("tool_call.finished", { ...toolFields, result: z.unknown() }),
  defineEvent("artifact.updated", { artifact: artifactSchema }),
  defineEvent("error.occurred", { error: errorSchema }),
]);

export type AgentEvent = z.output<typeof agentEventSchema>;

export const agentTraceQuerySchema = z.object({ liveView: flagSchema.optional() });
export const agentThreadQuerySchema = z.object({ includeData: flagSchema.optional() });
export const snapshotParamsSchema = z.object({ jobId: jobIdSchema, snapshotId: nameSchema });
export const threadParamsSchema = z.object({ threadId: jobIdSchema });

export const agentTraceResponseSchema = z.looseObject({
  success: z.literal(true),
  id: z.string(),
  events: z.array(agentEventSchema),
  creditsUsed: z.int().optional(),
  activeBrowserSessions: z
    .array(
      z.looseObject({
        id: z.string(),
        liveViewUrl: z.string(),
        viewport: z.looseObject({ width: z.number(), height: z.number() }),
      }),
    )
    .optional(),
});

export const agentSnapshotResponseSchema = z.looseObject({
  success: z.literal(true),
  id: z.string(),
  snapshotId: z.string(),
  snapshot: z.string(),
});

export const agentThreadResponseSchema = z.looseObject({
  success: z.literal(true),
  thread: z.looseObject({
    id: z.string(),
    createdAt: z.string(),
    updatedAt: z.string(),
    status: z.enum(["idle", "running"]),
    runs: z.array(
      z.looseObject({
        id: z.string(),
        turn: z.int(),
        mode: z.enum(["extract", "chat"]),
        prompt: z.string(),
        urls: z.array(z.string()).optional(),
        schema: z.unknown().optional(),
        effort: z.enum(["low", "medium", "high"]).optional(),
        status: z.union([z.literal("processing"), outcomeSchema]),
        createdAt: z.string(),
        finishedAt: z.string().nullable(),
        creditsUsed: z.int().nullable(),
        message: z.string().nullable(),
        data: z.unknown().optional(),
      }),
    ),
  }),
});
