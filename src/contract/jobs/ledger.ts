// The outcome of every URL of a job, and all results as one stream. Beyond the API family's
// contract.
import { z } from "zod";
import { JOB_STATUSES } from "./crawl.ts";
import { LEDGER_STATES } from "./url-outcomes.ts";
import { LIMITS } from "../request/limits.ts";
import { buildLimitSchema, skipSchema } from "../request/paging.ts";
import { VERDICTS } from "../page/verdict.ts";

export type { Fate, LedgerState } from "./url-outcomes.ts";

export const MAX_LEDGER_ENTRIES = 10_000;

export const ledgerQuerySchema = z.object({
  skip: skipSchema,
  limit: buildLimitSchema(MAX_LEDGER_ENTRIES),
  fate: z.enum(LEDGER_STATES).optional().describe("Only URLs with this fate."),
  format: z
    .enum(["json", "csv", "ndjson"])
    .default("json")
    .describe("json is paged; csv and ndjson are one stream of all entries."),
});

/** Query of an export: which results to stream, and in which format. */
export const exportQuerySchema = z.object({
  skip: skipSchema,
  limit: buildLimitSchema(LIMITS.count),
  format: z
    .enum(["ndjson", "csv", "zip"])
    .default("ndjson")
    .describe(
      "ndjson is one document a line; csv is a table of url, title, statusCode, markdown and verdict; zip is an archive with a Markdown file for each page, and HTML and JSON files where the pages have them.",
    ),
});

export const ledgerEntrySchema = z.looseObject({
  url: z.string(),
  fate: z.enum(LEDGER_STATES),
  reason: z
    .string()
    .optional()
    .describe("The rule, the line of robots.txt, the error, or the URL it duplicates."),
  verdict: z.enum(VERDICTS).optional().describe("Verdict of a fetched page, as metadata.verdict."),
  parent: z.string().optional().describe("The page it was found on."),
  depth: z.int(),
});

export type LedgerEntry = z.output<typeof ledgerEntrySchema>;

/** Reply of a job's ledger: one page, in the order of discovery. */
export const ledgerResponseSchema = z.looseObject({
  success: z.literal(true),
  id: z.string(),
  status: z.enum(JOB_STATUSES),
  total: z.int().describe("URLs seen; the sums add up to it."),
  sums: z.partialRecord(z.enum(LEDGER_STATES), z.int()).describe("URLs by fate."),
  next: z.string().optional().describe("Absolute URL of the next page."),
  entries: z.array(ledgerEntrySchema),
});
