// Capabilities of this server. Every route belongs to one; a server may lack it and then gives the
// reason.
import { z } from "zod";
import { JOB_CAPABILITIES, type JobCapability } from "../jobs/kinds.ts";

const SERVER_CAPABILITIES = [
  "scrape",
  "crawlPreview",
  "map",
  "search",
  "interact",
  "browser",
  "extractors",
  "jobs",
  "parse",
  "uploads",
  "monitor",
  "feedback",
  "team",
  "capabilities",
] as const;

export type Capability = (typeof SERVER_CAPABILITIES)[number] | JobCapability;

export const CAPABILITIES: readonly Capability[] = [...SERVER_CAPABILITIES, ...JOB_CAPABILITIES];

const supportSchema = z.looseObject({
  available: z.boolean(),
  reason: z
    .string()
    .optional()
    .describe("Why it is not available, or only in part, and what would change that."),
});

/** Reply of GET /v2/capabilities. */
export const capabilitiesResponseSchema = z.looseObject({
  success: z.literal(true),
  version: z.string(),
  capabilities: z.partialRecord(z.enum(CAPABILITIES), supportSchema),
  formats: z.record(z.string(), supportSchema).optional(),
  browser: supportSchema
    .extend({
      kind: z
        .enum(["setting", "headless-shell", "bundled", "full"])
        .optional()
        .describe(
          "Where the Chromium comes from: QUARRY_BROWSER, a headless shell of the system, npm, or a full browser of the system.",
        ),
    })
    .optional(),
  actions: z.record(z.string(), supportSchema).optional(),
  options: z.record(z.string(), supportSchema).optional(),
});

export type CapabilitiesResponse = z.output<typeof capabilitiesResponseSchema>;
