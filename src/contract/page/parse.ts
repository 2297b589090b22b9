// Uploaded files: scrape options without those that need a site, a browser or the cache.
import { z } from "zod";
import type { ErrorCode } from "../request/error-codes.ts";
import { LIMITS } from "../request/limits.ts";
import { SITE_FORMATS } from "./formats.ts";
import { checkScrapeRules, scrapeFields, toScrapeOptions } from "./scrape.ts";

const CODE: ErrorCode = "PARSE_UNSUPPORTED_OPTIONS";

/** Fields that uploads do not support, with their names in the error. */
const FIELDS = {
  actions: "actions",
  waitFor: "waitFor",
  scroll: "scroll",
  mobile: "mobile",
  location: "location",
  minAge: "minAge",
  lockdown: "lockdown",
  profile: "profile",
} as const;
const REFUSED = z
  .unknown()
  .optional()
  .meta({ deprecated: true, description: "Refused: uploads do not support it." });

const parseFields = {
  ...scrapeFields,
  actions: REFUSED,
  waitFor: REFUSED,
  scroll: REFUSED,
  mobile: REFUSED,
  location: REFUSED,
  minAge: REFUSED,
  lockdown: REFUSED,
  profile: REFUSED,
  proxy: z.string().max(50).default("auto").describe("basic or auto."),
};
const parseFieldsSchema = z.strictObject(parseFields);
type ParseFields = z.output<typeof parseFieldsSchema>;

function toScrapeFields(fields: ParseFields) {
  return {
    ...fields,
    actions: undefined,
    location: undefined,
    minAge: undefined,
    scroll: undefined,
    profile: undefined,
    waitFor: 0,
    mobile: false,
    lockdown: false,
    storeInCache: false,
    maxAge: 0,
    proxy: fields.proxy === "basic" ? ("basic" as const) : ("auto" as const),
  };
}

function checkParseRules(fields: ParseFields, context: z.RefinementCtx): void {
  const refuse = (field: string, name: string) => {
    context.addIssue({
      code: "custom",
      path: [field],
      message: `Uploaded files do not support ${name}`,
      params: { errorCode: CODE },
    });
  };
  for (const [field, name] of Object.entries(FIELDS))
    if (fields[field as keyof typeof FIELDS] !== undefined) refuse(field, name);
  for (const [type, name] of Object.entries(SITE_FORMATS))
    if (fields.formats?.some((format) => format.type === type)) refuse("formats", name);
  if (fields.proxy !== "basic" && fields.proxy !== "auto")
    refuse("proxy", "proxy values other than basic and auto");
  checkScrapeRules(toScrapeFields(fields), context);
}

/** The `options` part of POST /v2/parse, as parsed JSON. */
export const parseOptionsSchema = parseFieldsSchema
  .superRefine(checkParseRules)
  .transform((fields) => toScrapeOptions(toScrapeFields(fields)));

/** Body of POST /v2/parse as JSON: a file uploaded before, with options at the top level. */
export const parseReferenceRequestSchema = z
  .strictObject({ uploadRef: z.string().min(1).max(4_096), ...parseFields })
  .superRefine(checkParseRules)
  .transform(({ uploadRef, ...fields }) => ({
    uploadRef,
    options: toScrapeOptions(toScrapeFields(fields)),
  }));

export type ParseRequest = z.input<typeof parseOptionsSchema>;
export type ParseOptions = z.output<typeof parseOptionsSchema>;
export type ParseReference = z.output<typeof parseReferenceRequestSchema>;

/** File extensions that can be uploaded; images need OCR. */
const EXTENSIONS =
  "html htm xhtml pdf docx doc docm odt ods odp rtf xlsx xls xlsm xlsb pptx ppt pptm epub csv";
export const UPLOAD_EXTENSIONS: ReadonlySet<string> = new Set(EXTENSIONS.split(" "));

/** Picture extensions, whose text is recognized when the image parser is named. */
export const IMAGE_UPLOAD_EXTENSIONS: ReadonlySet<string> = new Set(
  "png jpg jpeg webp tif tiff gif bmp".split(" "),
);

/** Body of POST /v2/parse/upload-url. */
export const uploadUrlRequestSchema = z.strictObject({
  filename: z.string().min(1).max(500),
  contentType: z.string().max(200).optional(),
  declaredSizeBytes: z
    .int()
    .min(1)
    .max(LIMITS.uploadBytes)
    .optional()
    .describe("Bytes, at most 52428800."),
  origin: scrapeFields.origin,
  integration: scrapeFields.integration,
});

export const uploadUrlResponseSchema = z.looseObject({
  success: z.literal(true),
  data: z.looseObject({
    uploadUrl: z.string(),
    uploadRef: z.string(),
    method: z.enum(["PUT", "POST"]),
    headers: z.record(z.string(), z.string()),
    fields: z.record(z.string(), z.string()).optional(),
    expiresAt: z.string(),
    maxSizeBytes: z.int(),
  }),
});
