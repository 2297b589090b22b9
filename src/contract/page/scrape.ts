// The options of one page: defaults, limits, cross-field rules and derived values.
import { z } from "zod";
import { actionsSchema, sumWaitMs } from "./actions.ts";
import { callerFields, governanceFields } from "../request/caller.ts";
import { documentSchema } from "./document.ts";
import { explanationSchema } from "./explanation.ts";
import { FILE_FORMATS } from "./file-formats.ts";
import { findFormat, formatsSchema, type Format } from "./formats.ts";
import { headersSchema } from "../request/headers.ts";
import { LIMITS } from "../request/limits.ts";
import { locationSchema } from "./location.ts";
import { markdownOptionsSchema } from "./markdown.ts";
import { parsersSchema, type Parser } from "./parsers.ts";
import { profileSchema } from "../session/profile.ts";
import { redactPiiSchema } from "./redact.ts";
import { scrollSchema } from "./scroll.ts";
import { urlSchema } from "../request/url.ts";

const selectorsSchema = z.array(z.string().max(10_000)).max(1_000);
const ageSchema = z.int().min(0);

/** Every scrape option except url, as the caller writes it. */
export const scrapeFields = {
  formats: formatsSchema.optional().meta({ default: ["markdown"] }),
  headers: headersSchema.optional().meta({
    description:
      "Headers sent with the fetch; such a page is neither read from nor put into the cache.",
    default: {},
  }),
  includeTags: selectorsSchema.optional().meta({
    description: "CSS selectors to keep, applied to the page as fetched.",
    default: [],
  }),
  excludeTags: selectorsSchema.optional().meta({
    description: "CSS selectors to remove, applied to the page as fetched.",
    default: [],
  }),
  onlyMainContent: z
    .boolean()
    .default(true)
    .describe("Leave out header, navigation, footer and the like."),
  onlyCleanContent: z
    .boolean()
    .default(false)
    .describe("Let a model clean the Markdown afterwards."),
  timeout: z.int().min(LIMITS.timeoutMs.min).max(LIMITS.timeoutMs.max).optional().meta({
    description:
      "Milliseconds for the whole request, 1000 to 300000. The default is widened to 120000 unless proxy is basic, then to 60000 with json or changeTracking.",
    default: LIMITS.timeoutMs.default,
  }),
  waitFor: z
    .int()
    .min(0)
    .max(LIMITS.waitForMs.max)
    .default(0)
    .describe("Milliseconds to wait before the capture, at most 60000 and half of timeout."),
  scroll: scrollSchema.optional(),
  mobile: z.boolean().default(false).describe("Emulate a mobile device."),
  parsers: parsersSchema.prefault(["pdf"]),
  actions: actionsSchema.optional().meta({ default: [] }),
  location: locationSchema.optional(),
  skipTlsVerification: z.boolean().optional().meta({
    description:
      "Accept certificates that are not valid. Default true, but false when headers or actions are given.",
    default: true,
  }),
  removeBase64Images: z
    .boolean()
    .default(true)
    .describe("Replace base64 images in the Markdown by a placeholder; alt text stays."),
  markdown: markdownOptionsSchema
    .optional()
    .describe("How the Markdown is written and cut; needs the markdown format."),
  blockAds: z.boolean().default(true).describe("Block advertisements and cookie banners."),
  proxy: z
    .enum(["basic", "stealth", "enhanced", "auto"])
    .default("auto")
    .describe("auto tries basic first; stealth is another name of enhanced."),
  maxAge: ageSchema.optional().meta({
    description:
      "Maximum age of a cached copy in milliseconds; 0 always fetches. Temporary states such as 503 or a bot check are fetched anew.",
    default: LIMITS.maxAgeMs.default,
  }),
  minAge: ageSchema
    .optional()
    .describe("Read the cache only, and only copies at least this many milliseconds old."),
  storeInCache: z
    .boolean()
    .default(true)
    .describe("Keep the page in the cache; off with headers, actions, profile or zero retention."),
  onBlocked: z
    .enum(["empty", "return"])
    .default("empty")
    .describe(
      "What to return for a page that is certainly a bot check or block page: empty formats, or its text. metadata.verdict names it either way.",
    ),
  lockdown: z.boolean().default(false).describe("Serve from the cache only; nothing goes out."),
  profile: profileSchema.optional(),
  zeroDataRetention: z
    .boolean()
    .default(false)
    .describe("Store nothing of this scrape; excludes screenshots, audio and PDF actions."),
  redactPII: redactPiiSchema.default(false),
  fastMode: z.boolean().optional().describe("Accepted; the cheapest engine that fits always runs."),
  useMock: z.string().max(500).optional().describe("Accepted with a warning; has no effect."),
  safeMode: z.boolean().optional().describe("Accepted with a warning; has no effect."),
  domainTools: z
    .boolean()
    .optional()
    .describe("Accepted with a warning: there is no tool catalogue."),
  toolDetail: z.enum(["compact", "summary", "full"]).optional(),
  ...governanceFields,
  ...callerFields,
};

const scrapeFieldsSchema = z.strictObject(scrapeFields);
type CheckedFields = z.output<typeof scrapeFieldsSchema>;

const isPresent = (value: object | undefined): boolean =>
  value !== undefined && Object.keys(value).length > 0;

/**
 * A timeout equal to the documented default means "default" and is widened for a browser or a proxy
 * retry.
 */
function widenTimeout(fields: CheckedFields, formats: readonly Format[]): number {
  const timeout = fields.timeout ?? LIMITS.timeoutMs.default;
  if (timeout !== LIMITS.timeoutMs.default) return timeout;
  if (fields.proxy !== "basic") return LIMITS.widenedTimeoutMs.default;
  const understands = findFormat(formats, "json") ?? findFormat(formats, "changeTracking");
  return understands === undefined ? timeout : LIMITS.widenedTimeoutMs.understanding;
}

function findRuleFaults(fields: CheckedFields): { path: string[]; message: string }[] {
  const faults: { path: string[]; message: string }[] = [];
  const formats = fields.formats ?? [];
  const actions = fields.actions ?? [];
  const has = (type: Format["type"]) => findFormat(formats, type) !== undefined;
  const add = (field: string, message: string) => faults.push({ path: [field], message });

  if (fields.waitFor > (fields.timeout ?? widenTimeout(fields, formats)) / 2)
    add("waitFor", "waitFor must not exceed half of timeout");
  const waitMs = fields.waitFor + sumWaitMs(actions);
  if (waitMs > LIMITS.actions.waitTotalMs)
    add(
      "actions",
      `waitFor and wait actions add up to ${waitMs} ms; the most is ${LIMITS.actions.waitTotalMs} ms`,
    );
  if (formats.filter((format) => format.type === "screenshot").length > 1)
    add("formats", "formats: at most one screenshot format is allowed");
  if (has("changeTracking") && !has("markdown"))
    add("formats", "formats: changeTracking needs markdown to be requested as well");
  if (fields.markdown !== undefined && fields.formats !== undefined && !has("markdown"))
    add("markdown", "markdown: the options need the markdown format to be requested");
  if (has("deterministicJson") && has("json"))
    add("formats", "formats: deterministicJson cannot be combined with json");
  for (const kept of FILE_FORMATS)
    if (fields.zeroDataRetention && has(kept))
      add("formats", `formats: ${kept} cannot be combined with zeroDataRetention`);
  const keepsFile = actions.find((action) => action.type === "screenshot" || action.type === "pdf");
  if (fields.zeroDataRetention && keepsFile !== undefined)
    add("actions", `actions: ${keepsFile.type} cannot be combined with zeroDataRetention`);
  return faults;
}

/** Adds an issue for each violated cross-field rule (wire contract, section 2.2). */
export function checkScrapeRules(fields: CheckedFields, context: z.RefinementCtx): void {
  for (const fault of findRuleFaults(fields)) context.addIssue({ code: "custom", ...fault });
}

export type ScrapeDefaults = { readonly formats: readonly Format[]; readonly maxAgeMs?: number };

const MARKDOWN: ScrapeDefaults = { formats: [{ type: "markdown" }] };

/** Change tracking compares settled pages. */
const CHANGE_TRACKING_WAIT_MS = 5_000;

/**
 * Returns how long to wait for a page in a browser, milliseconds. With change tracking at least 5
 * seconds, as far as the timeout and other waits allow. Plain HTTP pages are settled, so this alone
 * does not require a browser.
 */
export function computeWaitMs(
  options: Pick<ScrapeOptions, "formats" | "actions" | "timeout" | "waitFor">,
): number {
  if (findFormat(options.formats, "changeTracking") === undefined) return options.waitFor;
  const room = LIMITS.actions.waitTotalMs - sumWaitMs(options.actions);
  const min = Math.min(CHANGE_TRACKING_WAIT_MS, Math.floor(options.timeout / 2), room);
  return Math.max(options.waitFor, min);
}

function deriveOptions(fields: CheckedFields, defaults: ScrapeDefaults) {
  const formats = fields.formats ?? [...defaults.formats];
  const actions = fields.actions ?? [];
  const timeout = widenTimeout(fields, formats);
  const isPersonal = isPresent(fields.headers) || actions.length > 0;
  const cachedAge = fields.lockdown ? LIMITS.maxAgeMs.lockdown : LIMITS.maxAgeMs.default;
  const parsers: Parser[] = fields.parsers;
  return {
    formats,
    actions,
    parsers,
    timeout,
    headers: fields.headers ?? {},
    includeTags: fields.includeTags ?? [],
    excludeTags: fields.excludeTags ?? [],
    skipTlsVerification: fields.skipTlsVerification ?? !isPersonal,
    proxy: fields.proxy === "stealth" ? ("enhanced" as const) : fields.proxy,
    maxAge: fields.maxAge ?? defaults.maxAgeMs ?? cachedAge,
    storeInCache:
      fields.storeInCache &&
      !isPersonal &&
      fields.profile === undefined &&
      !fields.zeroDataRetention,
  };
}

/** Fields that depend on other fields, as in parsed options. */
type DerivedOptions = ReturnType<typeof deriveOptions>;

/** Fills in the derived fields. Idempotent. */
export function toScrapeOptions<F extends CheckedFields>(
  fields: F,
  defaults: ScrapeDefaults = MARKDOWN,
): Omit<F, keyof DerivedOptions> & DerivedOptions {
  return { ...fields, ...deriveOptions(fields, defaults) };
}

/**
 * Builds scrape options for use in another request; `defaults` sets its default formats and maxAge.
 */
export function buildScrapeOptionsSchema(defaults: ScrapeDefaults = MARKDOWN) {
  const names = defaults.formats.map(({ type }) => type);
  return scrapeFieldsSchema
    .extend({ formats: scrapeFields.formats.meta({ default: names }) })
    .superRefine(checkScrapeRules)
    .transform((fields) => toScrapeOptions(fields, defaults))
    .describe("Scrape options for each page, except url.");
}

export const scrapeOptionsSchema = buildScrapeOptionsSchema();

/** Body of POST /v2/scrape. */
export const scrapeRequestSchema = z
  .strictObject({ url: urlSchema, ...scrapeFields })
  .superRefine(checkScrapeRules)
  .transform((fields) => toScrapeOptions(fields));

export type ScrapeRequest = z.input<typeof scrapeRequestSchema>;
/** Validated options of one page without its URL. */
export type PageOptions = z.output<typeof scrapeOptionsSchema>;
export type ScrapeOptions = z.output<typeof scrapeRequestSchema>;

/**
 * Reply of POST /v2/scrape and GET /v2/scrape/{id}. An unresolvable host name is also reported with
 * status 200, as `success: false` with `error` and `code` instead of `data`.
 */
export const scrapeResponseSchema = z.looseObject({
  success: z.boolean(),
  data: documentSchema.optional(),
  error: z.string().optional(),
  code: z.string().optional(),
  scrape_id: z.string().optional(),
  explanation: explanationSchema.optional(),
  agent_hints: z.array(z.string()).optional(),
});

export type { Document } from "./document.ts";
export type { Metadata } from "./metadata.ts";
export type { Format, FormatOf, FormatType } from "./formats.ts";
export type { Action } from "./actions.ts";
export type { Parser } from "./parsers.ts";
