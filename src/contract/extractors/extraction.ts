import { z } from "zod";

/** Report of an extractor about one page; `extraction` of a document. */
export const extractionSchema = z.looseObject({
  extractor: z.string(),
  version: z.int(),
  templateMatch: z
    .number()
    .describe("Share of the marks of its template that the page has, 0 to 1."),
  confidence: z.number().describe("Confidence in the values of the page, 0 to 1."),
  missing: z.record(z.string(), z.string()).describe("Why a field has no value, by JSON pointer."),
});
