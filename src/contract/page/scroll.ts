// Scrolling of pages that grow.
import { z } from "zod";

const scrollLimitsSchema = z.strictObject({
  maxEntries: z
    .int()
    .min(1)
    .max(10_000)
    .default(1_000)
    .describe("Entries of the growing list after which scrolling stops."),
  maxPixels: z
    .int()
    .min(1_000)
    .max(2_000_000)
    .default(300_000)
    .describe("Height of the page after which scrolling stops."),
  maxTimeMs: z
    .int()
    .min(500)
    .max(120_000)
    .default(20_000)
    .describe("Milliseconds of scrolling, at most 60 % of what is left of timeout."),
});

export type ScrollLimits = z.output<typeof scrollLimitsSchema>;

/** "auto" is the same as an object without limits. */
export const scrollSchema = z
  .union([z.literal("auto"), scrollLimitsSchema])
  .describe(
    'Load all entries of a page that grows: scroll to its end and press "load more" until nothing is added. "auto", or an object with limits.',
  );

export type Scroll = z.output<typeof scrollSchema>;

/** Returns the limits of the option; undefined without it. */
export const toScrollLimits = (scroll: Scroll | undefined): ScrollLimits | undefined =>
  scroll === "auto" ? scrollLimitsSchema.parse({}) : scroll;
