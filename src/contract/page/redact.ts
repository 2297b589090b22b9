import { z } from "zod";

const redactionSchema = z.strictObject({
  mode: z.enum(["accurate", "aggressive", "fast"]).default("accurate"),
  entities: z
    .array(z.enum(["PERSON", "EMAIL", "PHONE", "LOCATION", "FINANCIAL", "SECRET"]))
    .optional()
    .describe("Kinds to redact; all of them when missing."),
  replaceStyle: z
    .enum(["tag", "mask", "remove"])
    .default("tag")
    .describe("tag writes <EMAIL>, mask writes asterisks, remove leaves nothing."),
});

/** Personal data to remove from the Markdown; true means all kinds with the defaults. */
export const redactPiiSchema = z
  .union([
    z.boolean().transform((wanted) => (wanted ? redactionSchema.parse({}) : (false as const))),
    redactionSchema,
  ])
  .describe("Remove personal data from the Markdown.");

export type Redaction = z.output<typeof redactionSchema>;
