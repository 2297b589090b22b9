import { z } from "zod";

const MAX_PAGES = 10_000;

const pdfParserSchema = z
  .strictObject({
    type: z.literal("pdf"),
    mode: z
      .enum(["fast", "auto", "ocr"])
      .default("auto")
      .describe("fast reads embedded text only, auto falls back to OCR, ocr reads every page."),
    maxPages: z
      .int()
      .min(1)
      .max(MAX_PAGES)
      .optional()
      .describe("Maximum pages to parse, 1 to 10000."),
    pages: z
      .boolean()
      .optional()
      .meta({ description: "Also return the Markdown of each page.", default: false }),
    pageMarkdown: z.boolean().optional().meta({ deprecated: true, description: "Alias of pages." }),
    blocks: z.boolean().default(false).describe("Also return typed layout blocks of each page."),
    pageMarkers: z
      .boolean()
      .default(false)
      .describe("Mark the page breaks in the document's Markdown."),
  })
  .transform(({ pageMarkdown, pages, ...parser }) => ({
    ...parser,
    pages: pages ?? pageMarkdown ?? false,
  }));

const imageParserSchema = z.strictObject({ type: z.literal("image") });

const parserNameSchema = z.enum(["pdf", "image"]);

const parserSchema = z
  .union([
    parserNameSchema.transform((type) =>
      type === "pdf" ? pdfParserSchema.parse({ type }) : { type },
    ),
    z.discriminatedUnion("type", [pdfParserSchema, imageParserSchema]),
  ])
  .describe("A file parser by name, or as an object with its options.");

export type Parser = z.output<typeof parserSchema>;
export type PdfParser = z.output<typeof pdfParserSchema>;

/** The parsed form of `parsers`; an empty list returns files as base64. */
export const parsersSchema = z
  .array(parserSchema)
  .max(10)
  .describe("Which files are parsed into text; an empty list returns them as base64.");
