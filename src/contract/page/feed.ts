// The format feed: the entries of a list page, such as a blog or a news section.
import { z } from "zod";

export const feedItemSchema = z.looseObject({
  url: z.string().describe("Absolute URL of the entry."),
  title: z.string(),
  date: z
    .string()
    .optional()
    .describe("Date beside the entry, as a day or with a time; missing if none is stated."),
  summary: z.string().optional().describe("First text of the entry beside its title."),
});

export const feedSchema = z.looseObject({
  title: z.string(),
  url: z.string(),
  description: z.string().optional(),
  language: z.string().optional(),
  items: z.array(feedItemSchema).describe("In the order of the page, at most 1000."),
});

export type PageFeed = z.output<typeof feedSchema>;
export type PageFeedItem = z.output<typeof feedItemSchema>;

/** Ways to write a feed: RSS 2.0, Atom (RFC 4287), JSON Feed 1.1. */
export const FEED_KINDS = ["rss", "atom", "json"] as const;
export type FeedKind = (typeof FEED_KINDS)[number];

/** Query of GET /v2/crawl/{id}/feed. */
export const crawlFeedQuerySchema = z.strictObject({
  format: z
    .enum(FEED_KINDS)
    .default("rss")
    .describe("rss (RSS 2.0), atom, or json (JSON Feed 1.1)."),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000)
    .default(100)
    .describe("Maximum entries, newest first."),
});

/** Query of GET /v2/crawl/{id}/sitemap.xml. */
export const sitemapQuerySchema = z.strictObject({
  part: z.coerce
    .number()
    .int()
    .min(1)
    .max(10_000)
    .optional()
    .describe("Part of a large sitemap, from 1. Without it, more than 50000 pages give an index."),
});
