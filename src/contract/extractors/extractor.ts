// Stored extractors: requests to create, run and test them, and their replies.
import { z } from "zod";
import { evidenceSchema } from "../page/document.ts";
import { metadataSchema } from "../page/metadata.ts";
import { scrapeOptionsSchema } from "../page/scrape.ts";
import { callerFields } from "../request/caller.ts";
import { jobIdSchema } from "../request/identifier.ts";
import { jsonSchemaSchema } from "../request/json-schema.ts";
import { LIMITS } from "../request/limits.ts";
import { buildLimitSchema } from "../request/paging.ts";
import { urlSchema } from "../request/url.ts";
import { extractionSchema } from "./extraction.ts";
import { programSchema } from "./program.ts";

export const EXTRACTOR_LIMITS = {
  examples: 5,
  /** Pages of one run; more are a batch with `{"type": "json", "extractor": id}`. */
  runUrls: 20,
  /** Extractors of one account. */
  perAccount: 1_000,
  list: 100,
} as const;

const nameSchema = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^\P{Cc}*$/u, { error: "must not contain control characters" })
  .describe("1 to 200 characters.");
const relearnSchema = z
  .boolean()
  .describe("Learn again from the same examples when the extractor has drifted.");

const exampleSchema = z.strictObject({
  url: urlSchema,
  data: z
    .union([z.record(z.string(), z.unknown()), z.array(z.record(z.string(), z.unknown())).min(1)])
    .describe(
      "Values of the page as a reader sees them: an object, or a list of objects for a page of records. null says that the page has no such value.",
    ),
});
export type ExtractorExample = z.output<typeof exampleSchema>;

const examplesSchema = z
  .array(exampleSchema)
  .min(1)
  .max(EXTRACTOR_LIMITS.examples)
  .describe("One to five pages of one template; two or three with different values are best.");

const learnUrlsSchema = z
  .array(urlSchema)
  .min(1)
  .max(EXTRACTOR_LIMITS.examples)
  .describe("One to five pages of one template.");

const pageOptions = {
  scrapeOptions: scrapeOptionsSchema
    .prefault({})
    .describe("How pages are fetched. formats is ignored."),
};

const WAYS = ["program", "examples", "urls"] as const;
const listGivenWays = (fields: Partial<Record<(typeof WAYS)[number], unknown>>): string[] =>
  WAYS.filter((way) => fields[way] !== undefined);

export const createExtractorRequestSchema = z
  .strictObject({
    name: nameSchema.optional().meta({ description: "Default: the host of the first page." }),
    program: programSchema.optional(),
    examples: examplesSchema.optional(),
    urls: learnUrlsSchema.optional(),
    from: z
      .enum(["rules", "model"])
      .optional()
      .describe(
        "With urls: source of the values. Default: model where one is configured, else rules.",
      ),
    schema: jsonSchemaSchema
      .optional()
      .describe("Types of the fields; with urls also the fields to extract."),
    prompt: z
      .string()
      .max(LIMITS.promptCharacters)
      .optional()
      .describe("With urls and a model: what to extract, in plain language."),
    relearn: relearnSchema.default(false),
    ...pageOptions,
    ...callerFields,
  })
  .superRefine((fields, context) => {
    const ways = listGivenWays(fields);
    if (ways.length !== 1)
      context.addIssue({
        code: "custom",
        message: `An extractor is made from exactly one of program, examples and urls; ${ways.length === 0 ? "none is given" : `${ways.join(" and ")} are given`}.`,
      });
    if (fields.urls !== undefined && fields.schema === undefined && fields.prompt === undefined)
      context.addIssue({ code: "custom", message: "urls needs a schema or a prompt." });
    if (fields.from === "rules" && fields.schema === undefined)
      context.addIssue({ code: "custom", message: 'from "rules" needs a schema.' });
  });

export type CreateExtractor = z.output<typeof createExtractorRequestSchema>;

export const changeExtractorRequestSchema = z
  .strictObject({
    name: nameSchema.optional(),
    program: programSchema.optional(),
    examples: examplesSchema.optional().meta({ description: "Learns again from these pages." }),
    relearn: relearnSchema.optional(),
    ...callerFields,
  })
  .superRefine((fields, context) => {
    if (fields.program !== undefined && fields.examples !== undefined)
      context.addIssue({ code: "custom", message: "program and examples exclude each other." });
    const { name, program, examples, relearn } = fields;
    if ([name, program, examples, relearn].every((value) => value === undefined))
      context.addIssue({
        code: "custom",
        message: "Nothing to change: give name, program, examples or relearn.",
      });
  });

export type ChangeExtractor = z.output<typeof changeExtractorRequestSchema>;

export const runExtractorRequestSchema = z.strictObject({
  urls: z
    .array(urlSchema)
    .min(1)
    .max(EXTRACTOR_LIMITS.runUrls)
    .describe('1 to 20 pages. For more start a batch with {"type": "json", "extractor": id}.'),
  evidence: z.boolean().default(true).describe("Also return the place of each value on the page."),
  ...pageOptions,
  ...callerFields,
});

export type RunExtractor = z.output<typeof runExtractorRequestSchema>;

export const testExtractorRequestSchema = z
  .strictObject({
    examples: examplesSchema
      .optional()
      .meta({ description: "Default: the examples that the extractor was learned from." }),
    ...pageOptions,
    ...callerFields,
  })
  .nullish()
  .transform((body) => body ?? buildTestDefaults());

const buildTestDefaults = () => ({
  examples: undefined,
  scrapeOptions: scrapeOptionsSchema.parse({}),
  origin: "api",
});

export type TestExtractor = z.output<typeof testExtractorRequestSchema>;

export const extractorParamsSchema = z.object({ id: jobIdSchema });

export const extractorListQuerySchema = z.strictObject({
  limit: buildLimitSchema(EXTRACTOR_LIMITS.list),
  cursor: jobIdSchema.optional().meta({ description: "The id that the page before ended with." }),
});

const problemSchema = z.looseObject({
  field: z.string(),
  reason: z.enum(["not_found", "inconsistent", "ambiguous"]),
  detail: z.string(),
});

const fieldHealthSchema = z.looseObject({
  expected: z.int().describe("Pages or records of the last pages."),
  found: z.int(),
  violations: z.int().describe("Texts at the field's place that were not of its type."),
});

export const extractorSummarySchema = z.looseObject({
  id: z.string(),
  name: z.string(),
  version: z.int().describe("Counts up with each new program."),
  state: z.enum(["ready", "drifted"]),
  source: z.enum(["program", "examples", "rules", "model"]),
  createdAt: z.string(),
  updatedAt: z.string(),
});

export const extractorSchema = extractorSummarySchema.extend({
  program: programSchema,
  schema: z.record(z.string(), z.unknown()).optional(),
  examples: z.array(z.looseObject({ url: z.string(), data: z.unknown() })).optional(),
  relearn: z.boolean(),
  problems: z.array(problemSchema).optional().describe("Fields that were not learned, and why."),
  health: z.looseObject({
    pages: z.int().describe("Pages that the figures are taken from, at most 20."),
    otherTemplates: z.int().describe("Pages of other templates among them."),
    fields: z.record(z.string(), fieldHealthSchema),
    reason: z.string().optional().describe("Reason for the drifted state."),
  }),
});

export type ExtractorBody = z.output<typeof extractorSchema>;

const success = { success: z.literal(true), warning: z.string().optional() };

export const extractorResponseSchema = z.looseObject({
  ...success,
  data: extractorSchema,
  creditsUsed: z.number().optional(),
});

export const extractorListResponseSchema = z.looseObject({
  ...success,
  data: z.array(extractorSummarySchema),
  cursor: z.string().nullable(),
});

export const extractorDeletedResponseSchema = z.looseObject(success);

export const runExtractorResponseSchema = z.looseObject({
  ...success,
  data: z.array(
    z.looseObject({
      url: z.string(),
      json: z.unknown().optional(),
      jsonEvidence: z.record(z.string(), evidenceSchema).optional(),
      extraction: extractionSchema.optional(),
      warning: z.string().optional(),
      error: z.string().optional(),
      code: z.string().optional(),
      metadata: metadataSchema.partial().optional(),
    }),
  ),
  creditsUsed: z.number(),
});

export type RunResponse = z.output<typeof runExtractorResponseSchema>;

const testFieldSchema = z.looseObject({
  right: z.int(),
  wrong: z.int(),
  missing: z.int(),
});

export const testExtractorResponseSchema = z.looseObject({
  ...success,
  data: z.looseObject({
    passed: z.boolean().describe("True if no value is wrong or missing."),
    fields: z.record(z.string(), testFieldSchema),
    pages: z.array(
      z.looseObject({
        url: z.string(),
        differences: z.array(
          z.looseObject({
            pointer: z.string(),
            expected: z.unknown(),
            given: z.unknown().optional(),
          }),
        ),
        error: z.string().optional(),
      }),
    ),
  }),
  creditsUsed: z.number(),
});

export type TestResponse = z.output<typeof testExtractorResponseSchema>;
