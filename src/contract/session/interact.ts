import { z } from "zod";
import { agentEventSchema } from "../jobs/agent-trace.ts";
import { callerFields } from "../request/caller.ts";
import { LIMITS } from "../request/limits.ts";

const { interact } = LIMITS;

export const codeSchema = z
  .string()
  .min(1)
  .max(interact.codeCharacters)
  .describe("Code to run, at most 100000 characters.");
/** Languages of hosted services are recognized and answered with 501, so no message offers them. */
export const languageSchema = z
  .union([z.enum(["node"]), z.enum(["python", "bash"])])
  .describe(
    "node: JavaScript with a live Playwright page. This server answers 501 to python and bash.",
  );
export const executeTimeoutSchema = z
  .int()
  .min(1)
  .max(interact.maxTimeoutSeconds)
  .default(interact.timeoutSeconds)
  .describe("Seconds the call may take, 1 to 300.");

export const ttlSchema = z
  .int()
  .min(30)
  .max(3_600)
  .default(600)
  .describe("Seconds the session lives, 30 to 3600.");
export const activityTtlSchema = z
  .int()
  .min(10)
  .max(3_600)
  .default(300)
  .describe("Seconds the session lives without being used, 10 to 3600.");

/** Body of POST /v2/scrape/{scrapeId}/interact; `code` wins over `prompt`. */
export const interactRequestSchema = z
  .strictObject({
    code: codeSchema.optional(),
    prompt: z
      .string()
      .min(1)
      .max(LIMITS.promptCharacters)
      .optional()
      .describe("What to do on the page, in plain language."),
    language: languageSchema.default("node"),
    timeout: executeTimeoutSchema,
    ttl: ttlSchema,
    activityTtl: activityTtlSchema,
    existingSessionId: z.string().max(200).optional(),
    ...callerFields,
  })
  .refine(
    (fields) => fields.code !== undefined || fields.prompt !== undefined,
    "Either 'code' or 'prompt' must be provided.",
  );

export type InteractRequest = z.input<typeof interactRequestSchema>;
export type InteractOptions = z.output<typeof interactRequestSchema>;

const text = z.string().optional();

/** The result of code or a prompt; success is false when the code failed, still with status 200. */
export const executionFields = {
  success: z.boolean(),
  cdpUrl: text,
  liveViewUrl: text,
  interactiveLiveViewUrl: text,
  output: text.describe("The agent's answer to a prompt."),
  code: text.describe("The steps of a prompt as code that replays them without a model."),
  stdout: text,
  result: text.describe("The last expression's value, as text."),
  stderr: text,
  exitCode: z.int().optional(),
  killed: z.boolean().optional(),
  truncated: z.boolean().optional(),
  error: text,
};

export const interactResponseSchema = z.looseObject({ ...executionFields, sessionId: text });

/** Prompts run in a session, as events of an agent trace. */
export const interactTraceResponseSchema = z.looseObject({
  success: z.literal(true),
  sessionId: z.string(),
  events: z.array(agentEventSchema),
});

export const sessionEndResponseSchema = z.looseObject({
  success: z.literal(true),
  status: text,
  sessionDurationMs: z.int().optional(),
  creditsBilled: z.int().optional(),
  cleanupQueued: z.boolean().optional(),
});
