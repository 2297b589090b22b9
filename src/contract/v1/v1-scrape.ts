// The page options of the frozen /v1 (wire contract, section 18), converted to /v2.
import { z } from "zod";
import { jsonSchemaSchema } from "../request/json-schema.ts";
import { LIMITS } from "../request/limits.ts";
import { locationSchema } from "../page/location.ts";
import { scrapeFields, scrapeRequestSchema, type ScrapeRequest } from "../page/scrape.ts";
import { urlSchema } from "../request/url.ts";

const FORMATS = [
  "markdown",
  "html",
  "rawHtml",
  "links",
  "images",
  "screenshot",
  "screenshot@fullPage",
  "extract",
  "json",
  "summary",
  "branding",
  "changeTracking",
] as const;
type FormatName = (typeof FORMATS)[number];

const promptSchema = z.string().max(LIMITS.promptCharacters).optional();

const taskSchema = z
  .strictObject({
    schema: jsonSchemaSchema.optional(),
    prompt: promptSchema,
    systemPrompt: promptSchema.describe("Put before the prompt."),
    checkPromptInjection: z.boolean().optional(),
    mode: z.literal("llm").optional().describe("Accepted and not acted on."),
    temperature: z.number().optional().describe("Accepted and not acted on."),
  })
  .describe("What is read out of the page.");
type Task = z.output<typeof taskSchema>;

const changeTrackingSchema = z.strictObject({
  modes: z.array(z.enum(["json", "git-diff"])).optional(),
  schema: jsonSchemaSchema.optional(),
  prompt: promptSchema,
  tag: z.string().max(500).nullish(),
});

/** Without `url`; shared by whole requests and the scrapeOptions of a crawl or search. */
export const v1PageFields = {
  formats: z.array(z.enum(FORMATS)).max(50).default(["markdown"]),
  jsonOptions: taskSchema.optional(),
  extract: taskSchema.optional().describe("As jsonOptions, for the format extract."),
  changeTrackingOptions: changeTrackingSchema.optional(),
  headers: scrapeFields.headers,
  includeTags: scrapeFields.includeTags,
  excludeTags: scrapeFields.excludeTags,
  onlyMainContent: scrapeFields.onlyMainContent,
  timeout: z
    .int()
    .min(LIMITS.timeoutMs.min)
    .max(LIMITS.timeoutMs.max)
    .default(LIMITS.timeoutMs.default)
    .describe("Milliseconds for the whole request, 1000 to 300000."),
  waitFor: scrapeFields.waitFor,
  scroll: scrapeFields.scroll,
  mobile: scrapeFields.mobile,
  parsePDF: z.boolean().default(true).describe("Turn PDFs into text; false gives them as base64."),
  actions: scrapeFields.actions,
  location: scrapeFields.location,
  geolocation: locationSchema.optional().meta({ deprecated: true, description: "Old location." }),
  skipTlsVerification: z.boolean().default(false),
  removeBase64Images: scrapeFields.removeBase64Images,
  blockAds: scrapeFields.blockAds,
  proxy: z.enum(["basic", "stealth", "enhanced", "auto"]).default("basic"),
  maxAge: z.int().min(0).default(0).describe("Maximum age of a cached copy in milliseconds."),
  storeInCache: scrapeFields.storeInCache,
  zeroDataRetention: scrapeFields.zeroDataRetention,
  onBlocked: scrapeFields.onBlocked,
  fastMode: scrapeFields.fastMode,
  useMock: scrapeFields.useMock,
  agent: z
    .looseObject({})
    .optional()
    .refine((agent) => agent === undefined, {
      message: "agent: the browser agent of /v1 is not offered by this server; see POST /v2/agent",
      params: { errorCode: "NOT_IMPLEMENTED" },
    }),
  threatProtection: scrapeFields.threatProtection,
  auditMetadata: scrapeFields.auditMetadata,
  origin: scrapeFields.origin,
  integration: scrapeFields.integration,
};

const pageFieldsSchema = z.object(v1PageFields);
export type V1PageFields = z.output<typeof pageFieldsSchema>;

/** A format that needs options requires them, and the options require the format. */
export function checkV1Formats(
  fields: Pick<V1PageFields, "formats" | "jsonOptions" | "extract" | "changeTrackingOptions">,
  context: z.RefinementCtx,
): void {
  const asks = (name: FormatName): boolean => fields.formats.includes(name);
  const add = (path: string, message: string): void =>
    context.addIssue({ code: "custom", path: [path], message });
  const pairs = [
    ["json", "jsonOptions"],
    ["extract", "extract"],
  ] as const;
  for (const [format, options] of pairs) {
    if (asks(format) === (fields[options] !== undefined)) continue;
    add(
      options,
      `When the format ${format} is requested, ${options} is needed, and the other way round`,
    );
  }
  if (fields.changeTrackingOptions !== undefined && !asks("changeTracking"))
    add("changeTrackingOptions", "changeTrackingOptions needs the format changeTracking");
}

const toJsonFormat = ({ systemPrompt, prompt, schema, checkPromptInjection }: Task) => ({
  type: "json" as const,
  ...(schema === undefined ? {} : { schema }),
  ...(systemPrompt === undefined && prompt === undefined
    ? {}
    : { prompt: [systemPrompt, prompt].filter((part) => part !== undefined).join("\n\n") }),
  ...(checkPromptInjection === undefined ? {} : { checkPromptInjection }),
});

type V2Formats = NonNullable<ScrapeRequest["formats"]>;

function toFormats({
  formats,
  jsonOptions,
  extract,
  changeTrackingOptions,
}: V1PageFields): V2Formats {
  const asked = new Set<FormatName>(formats);
  const task = jsonOptions ?? extract;
  const made: V2Formats = [];
  for (const name of asked) {
    if (name === "screenshot@fullPage") made.push({ type: "screenshot", fullPage: true });
    else if (name === "changeTracking") made.push({ type: name, ...changeTrackingOptions });
    else if (name === "screenshot") {
      if (!asked.has("screenshot@fullPage")) made.push(name);
    } else if (name !== "json" && name !== "extract") made.push(name);
  }
  if (task !== undefined) made.push(toJsonFormat(task));
  return made;
}

const V1_ONLY = [
  "formats",
  "jsonOptions",
  "extract",
  "changeTrackingOptions",
  "parsePDF",
  "location",
  "geolocation",
  "agent",
] as const;

/** Converts the page options to the spelling of /v2. */
export function toV2PageFields(fields: V1PageFields): Omit<ScrapeRequest, "url"> {
  const same = { ...fields } as Omit<V1PageFields, (typeof V1_ONLY)[number]>;
  for (const name of V1_ONLY) delete (same as Partial<V1PageFields>)[name];
  const location = fields.location ?? fields.geolocation;
  return {
    ...same,
    formats: toFormats(fields),
    parsers: fields.parsePDF ? ["pdf"] : [],
    ...(location === undefined ? {} : { location }),
  };
}

/** Validates a value against a /v2 schema and reports its issues as those of the request. */
export function checkAs<S extends z.ZodType>(
  schema: S,
  value: z.input<S>,
  context: z.RefinementCtx,
): z.output<S> {
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  for (const issue of checked.error.issues) context.addIssue(issue as never);
  return z.NEVER;
}

/** Body of POST /v1/scrape: the /v2 options, and the requested names of extracted data. */
export const v1ScrapeRequestSchema = z
  .strictObject({ url: urlSchema, ...v1PageFields })
  .superRefine(checkV1Formats)
  .transform(({ url, ...fields }, context) => ({
    options: checkAs(scrapeRequestSchema, { url, ...toV2PageFields(fields) }, context),
    jsonNames: (["json", "extract"] as const).filter((name) => fields.formats.includes(name)),
  }));

export type V1ScrapeRequest = z.input<typeof v1ScrapeRequestSchema>;
export type V1ScrapeOptions = z.output<typeof v1ScrapeRequestSchema>;
