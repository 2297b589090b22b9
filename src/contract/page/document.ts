// The caller's result for one URL: exactly the requested formats, metadata, and a warning when
// something is missing.
import { z } from "zod";
import { extractionSchema } from "../extractors/extraction.ts";
import { changeTrackingSchema } from "./change-tracking.ts";
import { PLAIN_FORMAT_FIELDS } from "./formats.ts";
import { markdownChunkSchema } from "./markdown.ts";
import { metadataSchema } from "./metadata.ts";

const text = z.string().optional();
const pair = z.tuple([z.number(), z.number()]);

const attributeValuesSchema = z.looseObject({
  selector: z.string(),
  attribute: z.string(),
  values: z.array(z.string()),
});

const actionResultsSchema = z.looseObject({
  screenshots: z.array(z.string()),
  scrapes: z.array(z.looseObject({ url: z.string(), html: z.string() })),
  javascriptReturns: z.array(z.looseObject({ type: z.string(), value: z.unknown() })),
  pdfs: z.array(z.string()),
});

const pdfPageSchema = z.looseObject({ pageNumber: z.int(), markdown: z.string() });

const pdfBlockSchema = z.looseObject({
  id: z.string(),
  type: z.string(),
  label: z.string().nullable(),
  bbox: z
    .tuple([z.number(), z.number(), z.number(), z.number()])
    .nullable()
    .describe("x0, y0, x1, y1 as fractions of the page."),
  content: z.string(),
  markdownSpan: pair.nullable(),
  readingOrder: z.int(),
  source: z.string().nullable(),
  confidence: z.looseObject({ layout: z.number().nullable(), ocr: z.number().nullable() }),
});

const pdfPageBlocksSchema = z.looseObject({
  pageNumber: z.int(),
  width: z.number().nullable(),
  height: z.number().nullable(),
  status: z.enum(["ok", "partial", "failed"]),
  items: z.array(pdfBlockSchema),
});

export const evidenceSchema = z
  .looseObject({
    source: z
      .string()
      .describe(
        "json-ld, microdata, rdfa, state, metadata, label, section, table, list, extractor or model.",
      ),
    selector: z.string().optional().describe("CSS selector of the element that holds the value."),
    ref: z.string().optional().describe("Reference of the element in the page model, such as n12."),
    confidence: z
      .enum(["high", "medium"])
      .optional()
      .describe("Strength of the evidence; values with weaker evidence are left out."),
    path: z.string().optional().describe("Path of the value inside a script."),
    text: z.string().describe("Text of the page that holds the value."),
    position: z
      .tuple([z.int(), z.int()])
      .optional()
      .describe("Offsets of the value in the visible text of the page model."),
    attribute: z.string().optional().describe("The attribute that holds the value."),
  })
  .describe("Place of a json value on the page; the key is its JSON pointer.");

export const documentSchema = z
  .looseObject({
    ...PLAIN_FORMAT_FIELDS,
    json: z.unknown().optional(),
    jsonEvidence: z.record(z.string(), evidenceSchema).optional(),
    extraction: extractionSchema.optional(),
    chunks: z.array(markdownChunkSchema).optional(),
    answer: text,
    highlights: text,
    screenshot: text.describe("A URL that expires after 24 hours, or a data: URL."),
    attributes: z.array(attributeValuesSchema).optional(),
    changeTracking: changeTrackingSchema.optional(),
    actions: actionResultsSchema.optional(),
    pages: z.array(pdfPageSchema).optional(),
    blocks: z.array(pdfPageBlocksSchema).optional(),
    tools: z.array(z.unknown()).optional(),
    agent_hints: z.array(z.string()).optional(),
    warning: text,
    metadata: metadataSchema,
  })
  .meta({ id: "Document", description: "One scraped page, holding the formats asked for." });

export type Document = z.output<typeof documentSchema>;
export type ActionResults = z.output<typeof actionResultsSchema>;
export type PdfPage = z.output<typeof pdfPageSchema>;
export type PdfPageBlocks = z.output<typeof pdfPageBlocksSchema>;
