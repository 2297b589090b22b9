// Histories of pages that were scraped with changeTracking: list, versions, and the difference
// between any two.
import { z } from "zod";
import { nameSchema } from "../request/identifier.ts";
import { beforeSchema, buildLimitSchema, flagSchema } from "../request/paging.ts";
import { changeTrackingSchema } from "./change-tracking.ts";

export const MAX_LISTED_HISTORIES = 100;

const success = z.literal(true);

export const historyListQuerySchema = z.strictObject({
  limit: buildLimitSchema(MAX_LISTED_HISTORIES),
  before: beforeSchema
    .optional()
    .describe("Unix time in milliseconds: only pages last fetched before it, for the next page."),
  text: z.string().max(500).optional().describe("Part of the URL."),
});
export type HistoryListQuery = z.output<typeof historyListQuerySchema>;

const fetchedAt = z.string().describe("Time of the fetch.");

export const historySchema = z
  .looseObject({
    id: z.string(),
    url: z.string(),
    tag: z.string().nullable().describe("The tag of the scrapes; null without one."),
    firstFetchedAt: z.string(),
    lastFetchedAt: z.string(),
    lastChangedAt: z
      .string()
      .nullable()
      .describe("When the text last differed from the version before; noise included."),
    versions: z.int().describe("Kept versions, at most 16."),
    points: z
      .array(z.looseObject({ fetchedAt, changed: z.boolean() }))
      .describe("The versions, oldest first, and whether the text differed from the one before."),
  })
  .meta({ id: "PageHistory" });
export type PageHistory = z.output<typeof historySchema>;

export const historyListResponseSchema = z.looseObject({
  success,
  histories: z.array(historySchema),
  before: z.number().nullable().describe("Value of before for the next page; null at the end."),
});

export const historyParamsSchema = z.object({ id: nameSchema });
export const historyVersionParamsSchema = z.object({ id: nameSchema, version: nameSchema });

const versionSchema = z.looseObject({
  id: z.string(),
  fetchedAt,
  jobId: z.string().nullable().describe("The job that fetched it."),
  changed: z.boolean().describe("True if the text differs from the version before."),
});
export type PageVersion = z.output<typeof versionSchema>;

export const historyResponseSchema = z.looseObject({
  success,
  history: historySchema,
  versions: z.array(versionSchema).describe("Newest first."),
});

export const historyVersionResponseSchema = z.looseObject({
  success,
  version: versionSchema,
  markdown: z.string(),
  json: z.unknown().optional().describe("Values of the format json, if it was requested."),
});

export const historyDiffQuerySchema = z.strictObject({
  from: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe("Id of a version. Default: the second newest."),
  to: z.string().min(1).max(100).optional().describe("Id of a version. Default: the newest."),
  ignoreNoise: flagSchema
    .optional()
    .describe("Default true: counters, dates and rotating blocks do not count."),
});
export type HistoryDiffQuery = z.output<typeof historyDiffQuerySchema>;

export const historyDiffResponseSchema = z.looseObject({
  success,
  from: versionSchema,
  to: versionSchema,
  changed: z.boolean().describe("False if nothing differs but noise."),
  diff: changeTrackingSchema.shape.diff.describe("Unified diff, also of noise; see noise in it."),
  noise: changeTrackingSchema.shape.noise,
  json: changeTrackingSchema.shape.json.describe(
    "Fields that differ, if both versions have values.",
  ),
  previous: z.string().describe("Markdown of from."),
  current: z.string().describe("Markdown of to."),
});
export type HistoryDiff = z.output<typeof historyDiffResponseSchema>;
