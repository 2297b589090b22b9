import { z } from "zod";

const changeSchema = z.looseObject({
  type: z.enum(["normal", "add", "del"]),
  content: z.string(),
  normal: z.literal(true).optional(),
  add: z.literal(true).optional(),
  del: z.literal(true).optional(),
  ln: z.int().optional(),
  ln1: z.int().optional(),
  ln2: z.int().optional(),
  noise: z.literal(true).optional().describe("The line differs, but does not count as a change."),
});

/** A parsed unified diff: files, chunks, changed lines. */
const diffTreeSchema = z.looseObject({
  files: z.array(
    z.looseObject({
      from: z.string().nullable(),
      to: z.string().nullable(),
      chunks: z.array(z.looseObject({ content: z.string(), changes: z.array(changeSchema) })),
    }),
  ),
});

export const changeTrackingSchema = z.looseObject({
  previousScrapeAt: z.string().nullable().describe("ISO time of the snapshot compared with."),
  changeStatus: z.enum(["new", "same", "changed", "removed"]),
  visibility: z.enum(["visible", "hidden"]),
  diff: z
    .looseObject({ text: z.string(), json: diffTreeSchema })
    .optional()
    .describe("With mode git-diff, when the page changed."),
  json: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("With mode json, when the page changed: field to {previous, current}."),
  noise: z
    .looseObject({
      lines: z.int().describe("Lines that differ but do not count as changes."),
      kinds: z.array(z.enum(["whitespace", "age", "counter", "clock", "link", "rotation"])),
    })
    .optional()
    .describe("Differences from the snapshot that do not count as changes; see ignoreNoise."),
});

export type ChangeTracking = z.output<typeof changeTrackingSchema>;
