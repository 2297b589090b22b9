// Keys about the caller, accepted in every body: the client, and enterprise context without effect.
import { z } from "zod";

const domains = z.array(z.string().max(255)).max(1_000);

const threatProtectionSchema = z
  .strictObject({
    mode: z.enum(["off", "manual-only", "normal", "zscaler"]).optional(),
    riskScoreThreshold: z.int().min(0).max(100).optional(),
    blacklist: domains.optional(),
    whitelist: domains.optional(),
    blockedTlds: domains.optional(),
    failurePolicy: z.enum(["open", "closed"]).optional(),
  })
  .describe(
    "Accepted with a warning; this server applies the operator's own address policy instead.",
  );

const auditMetadataSchema = z
  .strictObject({ username: z.string().max(500) })
  .describe("Accepted with a warning; has no effect.");

/** Published clients send `origin` and `integration` with every body. */
export const callerFields = {
  origin: z.string().max(500).default("api").describe("Which client sent the request."),
  integration: z
    .string()
    .max(100)
    .nullish()
    .describe("Which product the client is built into; at most 100 characters."),
};

export const governanceFields = {
  threatProtection: threatProtectionSchema.optional(),
  auditMetadata: auditMetadataSchema.optional(),
};

type Governance = z.output<z.ZodObject<typeof governanceFields>>;

/** Returns a warning for each of these fields that requests something, because none has an effect. */
export function listIgnoredGovernance({ threatProtection, auditMetadata }: Governance): string[] {
  const { mode, ...rules } = threatProtection ?? {};
  const protects = mode === undefined ? Object.keys(rules).length > 0 : mode !== "off";
  return [
    ...(protects
      ? [
          "threatProtection is ignored: this server checks addresses by the operator's own policy only.",
        ]
      : []),
    ...(auditMetadata === undefined
      ? []
      : ["auditMetadata is ignored: this server keeps no audit log."]),
  ];
}

/** A body with caller keys only; it may be missing. */
export const emptyBodySchema = z.strictObject(callerFields).nullish();
