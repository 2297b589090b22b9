// The entries of `formats`: names and objects, normalized to objects with all defaults.
import { z } from "zod";
import { jobIdSchema } from "../request/identifier.ts";
import { jsonSchemaSchema } from "../request/json-schema.ts";
import { LIMITS } from "../request/limits.ts";
import { brandingSchema } from "./branding.ts";
import { feedSchema } from "./feed.ts";
import { menuSchema, productSchema } from "./product-formats.ts";

const promptSchema = z
  .string()
  .max(LIMITS.promptCharacters)
  .describe("Instructions in plain language, at most 10000 characters.");
const questionTextSchema = z.string().min(1).max(LIMITS.promptCharacters);

const viewportSchema = z
  .strictObject({
    width: z.int().min(1).max(LIMITS.screenshot.maxWidth),
    height: z.int().min(1).max(LIMITS.screenshot.maxHeight),
  })
  .describe("Size of the window in CSS pixels, at most 7680 by 4320.");

/** Fields that the screenshot format and the screenshot action share. */
export const screenshotFields = {
  type: z.literal("screenshot"),
  fullPage: z.boolean().default(false).describe("Capture the whole page, not only the window."),
  quality: z
    .int()
    .min(1)
    .max(100)
    .optional()
    .describe("JPEG quality 1 to 100; without it the picture is a PNG."),
  viewport: viewportSchema.optional(),
};

const textField = z.string().optional();

/** Formats without options, each with the field of the document that it fills. */
export const PLAIN_FORMAT_FIELDS = {
  markdown: textField,
  html: textField,
  rawHtml: textField,
  rawBase64: textField,
  links: z.array(z.string()).optional(),
  images: z.array(z.string()).optional(),
  summary: textField,
  branding: brandingSchema.optional(),
  feed: feedSchema.optional(),
  product: productSchema.optional(),
  menu: menuSchema.optional(),
  audio: textField,
  video: textField,
} as const;

export const PLAIN_FORMATS = Object.keys(
  PLAIN_FORMAT_FIELDS,
) as (keyof typeof PLAIN_FORMAT_FIELDS)[];

/**
 * Formats that need a site or a browser, with their names in the error of an upload, which has
 * neither.
 */
export const SITE_FORMATS: Partial<Record<FormatType, string>> = {
  screenshot: "screenshot",
  changeTracking: "change tracking",
  branding: "branding",
  audio: "audio",
  video: "video",
};

/**
 * Formats of hosted services of this API family. They are recognized and answered with 501, so no
 * message offers them.
 */
export const HOSTED_FORMATS = ["product", "menu", "video"] as const;

const OFFERED_PLAIN_FORMATS = PLAIN_FORMATS.filter(
  (name): name is Exclude<typeof name, (typeof HOSTED_FORMATS)[number]> =>
    !(HOSTED_FORMATS as readonly string[]).includes(name),
);

const plainFormatSchema = z.strictObject({ type: z.enum(OFFERED_PLAIN_FORMATS) });

const HOSTED = { deprecated: true, description: "Not offered by this server, which answers 501." };
const hostedNameSchema = z
  .enum(HOSTED_FORMATS)
  .meta(HOSTED)
  .transform((type) => ({ type }));
const hostedObjectSchema = z.strictObject({ type: z.enum(HOSTED_FORMATS) }).meta(HOSTED);

const NEEDS_TASK = "json format needs a prompt, a schema, or both";
type Task = {
  prompt?: string | undefined;
  schema?: unknown;
  extractor?: unknown;
  learn?: boolean | undefined;
};
const hasTask = (format: Task): boolean =>
  format.schema !== undefined ||
  format.extractor !== undefined ||
  (format.prompt !== undefined && format.prompt.trim() !== "");
const canLearn = ({ learn, schema }: Task): boolean => learn !== true || schema !== undefined;
const hasOneSource = ({ extractor, schema, prompt }: Task): boolean =>
  extractor === undefined || (schema === undefined && prompt === undefined);

const evidenceSchema = z
  .boolean()
  .default(false)
  .describe(
    "Also return the place of each value on the page, in jsonEvidence; values found nowhere are left out.",
  );

const jsonFormatSchema = z
  .strictObject({
    type: z.literal("json"),
    schema: jsonSchemaSchema.optional(),
    prompt: promptSchema.optional(),
    checkPromptInjection: z
      .boolean()
      .default(false)
      .describe("Refuse pages that contain a prompt injection."),
    evidence: evidenceSchema,
    extractor: jobIdSchema
      .optional()
      .meta({ description: "Id of a stored extractor that gives the values; no model is asked." }),
    learn: z
      .boolean()
      .optional()
      .describe(
        "In a crawl or batch: send only the first pages of each template to the model, and apply the rules learned from them to the rest. Needs a schema.",
      ),
  })
  .refine(hasTask, NEEDS_TASK)
  .refine(canLearn, "json format: learn needs a schema")
  .refine(hasOneSource, "json format: extractor excludes schema and prompt");

const deterministicJsonFormatSchema = z
  .strictObject({
    type: z.literal("deterministicJson"),
    schema: jsonSchemaSchema.optional(),
    prompt: promptSchema.optional(),
    evidence: evidenceSchema,
  })
  .refine(hasTask, NEEDS_TASK);

const screenshotFormatSchema = z.strictObject(screenshotFields);

const changeTrackingFormatSchema = z.strictObject({
  type: z.literal("changeTracking"),
  modes: z
    .array(z.enum(["json", "git-diff"]))
    .max(10)
    .default([])
    .describe("Form of the changes: as a unified diff, as changed JSON fields, or both."),
  schema: jsonSchemaSchema.optional(),
  prompt: promptSchema.optional(),
  tag: z
    .string()
    .max(500)
    .nullable()
    .default(null)
    .describe("Name of the history to compare with; histories with different tags are separate."),
  ignoreNoise: z
    .boolean()
    .default(true)
    .describe(
      "Ages such as 3 days ago, counters, the page's clock and blocks that rotate do not count as changes.",
    ),
});

const attributesFormatSchema = z.strictObject({
  type: z.literal("attributes"),
  selectors: z
    .array(
      z.strictObject({
        selector: z.string().min(1).max(10_000).describe("CSS selector."),
        attribute: z.string().min(1).max(500).describe("Attribute name."),
      }),
    )
    .max(1_000),
});

const questionFormatSchema = z.strictObject({
  type: z.literal("question"),
  question: questionTextSchema.describe("A question about the page; the answer is in answer."),
});

const highlightsFormatSchema = z.strictObject({
  type: z.literal("highlights"),
  query: questionTextSchema.describe("Topic of the passages to select."),
});

const queryFormatSchema = z
  .strictObject({
    type: z.literal("query"),
    prompt: questionTextSchema,
    mode: z.enum(["freeform", "directQuote"]).default("freeform"),
  })
  .meta({ deprecated: true, description: "Use question or highlights." });

/** Formats that require options, so their name alone is not valid. */
const OBJECT_FORMATS = ["attributes", "question", "highlights", "query"] as const;
const OBJECT_FORMATS_TEXT = `an object with type ${quote(OBJECT_FORMATS)} and its options`;

const formatObjectSchema = z.discriminatedUnion(
  "type",
  [
    plainFormatSchema,
    jsonFormatSchema,
    deterministicJsonFormatSchema,
    screenshotFormatSchema,
    changeTrackingFormatSchema,
    attributesFormatSchema,
    questionFormatSchema,
    highlightsFormatSchema,
    queryFormatSchema,
  ],
  {
    error: (issue) =>
      issue.code === "invalid_union"
        ? `must be one of ${quote([...FORMAT_NAMES, ...OBJECT_FORMATS])}`
        : undefined,
  },
);

const FORMAT_NAMES = [
  ...OFFERED_PLAIN_FORMATS,
  "screenshot",
  "changeTracking",
  "json",
  "deterministicJson",
] as const;

/**
 * A name is short for the object with that type and default options; json alone lacks its task and
 * is rejected.
 */
const formatNameSchema = z
  .enum(FORMAT_NAMES, { error: describeFault })
  .transform((type, context) => {
    const parsed = formatObjectSchema.safeParse({ type });
    if (parsed.success) return parsed.data;
    context.addIssue({ code: "custom", message: NEEDS_TASK });
    return z.NEVER;
  });

function describeFault(issue: { readonly code?: string | undefined }): string | undefined {
  return issue.code === "invalid_value"
    ? `must be one of ${quote(FORMAT_NAMES)}, or ${OBJECT_FORMATS_TEXT}`
    : undefined;
}

function quote(names: readonly string[]): string {
  return names.map((name) => JSON.stringify(name)).join(", ");
}

// Validation: if several branches fit a wrong value equally well, the first one words the error.
const formatSchema = z
  .union([formatNameSchema, formatObjectSchema, hostedNameSchema, hostedObjectSchema])
  .describe("An output format by name, or as an object with its options.");

export type Format = z.output<typeof formatObjectSchema> | z.output<typeof hostedObjectSchema>;
export type FormatType = Format["type"];
type MatchingFormat<F extends Format, T extends FormatType> = F extends Format
  ? T extends F["type"]
    ? F
    : never
  : never;
export type FormatOf<T extends FormatType> = MatchingFormat<Format, T>;

export const formatsSchema = z
  .array(formatSchema)
  .max(50)
  .describe("Output formats; data holds exactly what is asked for, plus metadata.");

/** Returns the entry of one format, if requested. */
export function findFormat<T extends FormatType>(
  formats: readonly Format[],
  type: T,
): FormatOf<T> | undefined {
  return formats.find((format): format is FormatOf<T> => format.type === type);
}
