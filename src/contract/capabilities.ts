// What this server can do. Every route belongs to a capability; a server may lack one and say why.
import { z } from "zod";

export const CAPABILITIES = [
  "scrape",
  "batch",
  "crawl",
  "crawlPreview",
  "map",
  "search",
  "interact",
  "browser",
  "agent",
  "extract",
  "parse",
  "uploads",
  "monitor",
  "feedback",
  "team",
  "capabilities",
] as const;

export type Capability = (typeof CAPABILITIES)[number];

const supportSchema = z.looseObject({
  available: z.boolean(),
  reason: z.string().optional().describe("Why it is not available, and what would change that."),
});

/** Reply of GET /v2/capabilities. */
export const capabilitiesResponseSchema = z.looseObject({
  success: z.literal(true),
  version: z.string(),
  capabilities: z.partialRecord(z.enum(CAPABILITIES), supportSchema),
  formats: z.record(z.string(), supportSchema).optional(),
  actions: z.record(z.string(), supportSchema).optional(),
  options: z.record(z.string(), supportSchema).optional(),
});

export type CapabilitiesResponse = z.output<typeof capabilitiesResponseSchema>;
