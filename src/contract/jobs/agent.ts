import { z } from "zod";
import { callerFields, governanceFields } from "../request/caller.ts";
import { jobIdSchema } from "../request/identifier.ts";
import { jsonSchemaSchema } from "../request/json-schema.ts";
import { LIMITS } from "../request/limits.ts";
import { beforeSchema } from "../request/paging.ts";
import { urlSchema } from "../request/url.ts";
import { buildWebhookSchema } from "./webhook.ts";

const effortSchema = z.enum(["low", "medium", "high"]);
const modeSchema = z.enum(["extract", "chat"]);

const exchangeSchema = z
  .strictObject({
    enabled: z.boolean().optional(),
    toolkits: z.array(z.string().max(200)).max(5).optional(),
    maxCalls: z.int().min(0).optional(),
    requireApproval: z.boolean().optional(),
    approve: z
      .strictObject({
        approvalId: z.string().max(200),
        callIds: z.array(z.string().max(200)).max(100).optional(),
        always: z.boolean().optional(),
      })
      .optional(),
    decline: z.strictObject({ approvalId: z.string().max(200) }).optional(),
    onTermsRequired: z.enum(["skip", "ask"]).optional(),
  })
  .describe("Accepted; this server has no paid tool exchange.");

const agentFieldsSchema = z.strictObject({
  prompt: z
    .string()
    .min(1)
    .max(LIMITS.promptCharacters)
    .describe("What to find out, in plain language, at most 10000 characters."),
  urls: z.array(urlSchema).max(1_000).optional().describe("URLs to start from."),
  schema: jsonSchemaSchema.optional().describe("JSON Schema that the answer must match."),
  maxCredits: z
    .number()
    .min(0)
    .default(LIMITS.agent.maxCredits)
    .describe("Credits the agent may spend."),
  strictConstrainToURLs: z.boolean().default(false).describe("Visit only urls."),
  model: z
    .enum(["spark-1-mini", "spark-1-pro", "spark-2"])
    .default("spark-1-mini")
    .describe("Every name runs the model this server is set up with."),
  effort: effortSchema.optional(),
  webhook: buildWebhookSchema("agent").optional(),
  threadId: jobIdSchema.optional().describe("Continue this conversation."),
  mode: modeSchema.default("extract"),
  exchange: exchangeSchema.optional(),
  ...governanceFields,
  ...callerFields,
});

/** Body of POST /v2/agent. */
export const agentRequestSchema = agentFieldsSchema.refine(
  ({ strictConstrainToURLs, urls, prompt }) =>
    !strictConstrainToURLs || (urls ?? []).length > 0 || /https?:\/\//i.test(prompt),
  {
    path: ["strictConstrainToURLs"],
    message: "strictConstrainToURLs needs urls, or a prompt that names the URLs to visit",
  },
);

export type AgentRequest = z.input<typeof agentRequestSchema>;
export type AgentOptions = z.output<typeof agentRequestSchema>;

const text = z.string().optional();

export const agentStartResponseSchema = z.looseObject({
  success: z.literal(true),
  id: z.string(),
  threadId: text,
  threadTurn: z.int().optional(),
});

const suggestionSchema = z.looseObject({ label: z.string(), prompt: z.string() });

/**
 * Reply of GET /v2/agent/{jobId}. There are no other states: a cancelled or stopped run reads
 * failed.
 */
export const agentStatusResponseSchema = z.looseObject({
  success: z.literal(true),
  status: z.enum(["processing", "completed", "failed"]),
  data: z.unknown().optional().describe("When completed; fits the request's schema."),
  error: text,
  code: text.describe("Why the run failed, for programs."),
  stopReason: text.describe(
    "Of a failed run: needs_model, no_answer (the model ended with text or stopped working), empty_answer (it found no data), refused, incomplete (the data does not fit the schema), credit_limit_reached, cancelled or failed.",
  ),
  model: text,
  effort: effortSchema.optional(),
  prompt: text,
  urls: z.array(z.string()).optional(),
  createdAt: text,
  expiresAt: z.string(),
  creditsUsed: z.int().optional(),
  maxCredits: z.number().optional().describe("Credits the run may spend."),
  tokensUsed: z.int().optional(),
  threadId: text,
  threadTurn: z.int().optional(),
  mode: modeSchema.optional(),
  message: text,
  partial: z.unknown().optional(),
  partialSchemaValid: z.boolean().optional(),
  suggestions: z.array(suggestionSchema).optional(),
  pendingApproval: z.unknown().optional(),
  exchange: z.unknown().optional(),
  warning: text,
});

export type AgentStatusResponse = z.output<typeof agentStatusResponseSchema>;

export const agentListQuerySchema = z.object({ before: beforeSchema.optional() });

export const agentListResponseSchema = z.looseObject({
  success: z.literal(true),
  agents: z.array(
    z.looseObject({
      id: z.string(),
      createdAt: z.string(),
      targetHint: z.string(),
      origin: z.string(),
      integration: text,
      settings: z.looseObject({ hidden: z.boolean(), starred: z.boolean(), label: text }),
      status: z.enum(["processing", "completed", "failed"]),
      options: z
        .looseObject({
          urls: z.array(z.string()).optional(),
          prompt: z.string(),
          schema: z.unknown().optional(),
          model: z.string(),
          effort: effortSchema.optional(),
        })
        .optional(),
    }),
  ),
  next: text.describe("Absolute URL of the next page, on full pages."),
});
