// Browser sessions without a scrape: /v2/browser and its alias /v2/interact.
import { z } from "zod";
import { callerFields } from "../request/caller.ts";
import { nameSchema } from "../request/identifier.ts";
import {
  activityTtlSchema,
  codeSchema,
  executeTimeoutSchema,
  executionFields,
  languageSchema,
  ttlSchema,
} from "./interact.ts";
import { profileSchema } from "./profile.ts";

export const browserRequestSchema = z.strictObject({
  ttl: ttlSchema,
  activityTtl: activityTtlSchema,
  streamWebView: z.boolean().default(true),
  profile: profileSchema.optional(),
  recordSession: z.boolean().default(false),
  ...callerFields,
});

export type BrowserOptions = z.output<typeof browserRequestSchema>;

export const browserExecuteRequestSchema = z.strictObject({
  code: codeSchema,
  language: languageSchema.default("node"),
  timeout: executeTimeoutSchema,
  ...callerFields,
});

export const browserListQuerySchema = z.object({
  status: z.enum(["active", "destroyed"]).optional(),
});

export const sessionParamsSchema = z.object({ id: nameSchema });
export const replayParamsSchema = z.object({ id: nameSchema, page: nameSchema });
export const profileParamsSchema = z.object({ name: z.string().min(1).max(128) });

const text = z.string().optional();

export const browserCreateResponseSchema = z.looseObject({
  success: z.literal(true),
  id: z.string(),
  cdpUrl: text,
  liveViewUrl: text,
  interactiveLiveViewUrl: text,
  expiresAt: z.string(),
});

const browserSessionSchema = z.looseObject({
  id: z.string(),
  status: z.enum(["active", "destroyed"]),
  cdpUrl: z.string(),
  liveViewUrl: z.string(),
  interactiveLiveViewUrl: text,
  streamWebView: z.boolean(),
  createdAt: z.string(),
  lastActivity: z.string(),
  expiresAt: z.string().describe("Time at which the session ends at the latest."),
  activityTtl: z.int().optional().describe("Seconds it lives without being used; live only."),
  url: text.describe("URL of its newest page; live only."),
  title: text.describe("Title of its newest page; live only."),
  profile: text.describe("Name of the profile that it started with; live only."),
});

export const browserListResponseSchema = z.looseObject({
  success: z.literal(true),
  sessions: z.array(browserSessionSchema),
});
export const browserSessionResponseSchema = browserSessionSchema.extend({
  success: z.literal(true),
});
export const profileListResponseSchema = z.looseObject({
  success: z.literal(true),
  profiles: z.array(
    z.looseObject({
      name: z.string(),
      savedAt: z.string().nullable().describe("null: nothing was saved to it yet."),
      sizeBytes: z.int().describe("Size of the stored state, compressed and encrypted."),
      inUse: z.boolean().describe("True while a session or scrape may save to it."),
    }),
  ),
});

/** Body of POST /v2/browser/{id}/profile. */
export const saveProfileRequestSchema = z
  .strictObject({
    name: profileSchema.shape.name.optional().describe("Default: the profile of the session."),
    ...callerFields,
  })
  .nullish();
export type SaveProfile = z.output<typeof saveProfileRequestSchema>;

export const saveProfileResponseSchema = z.looseObject({
  success: z.literal(true),
  name: z.string(),
});

export const browserExecuteResponseSchema = z.looseObject(executionFields);

/** The self-hosted variant of the API family, in snake_case. */
export const localBrowserResponseSchema = z.looseObject({
  success: z.literal(true),
  id: z.string(),
  cdp_url: z.string(),
  expires_at: z.string(),
});
