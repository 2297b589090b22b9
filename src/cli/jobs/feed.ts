// Feeds of list pages, and feeds and sitemaps of the pages of a job.
import type { ScrapeParameters } from "../../../client/client.ts";
import type { Config } from "../../config.ts";
import type { FeedKind } from "../../contract/page/feed.ts";
import { TargetError } from "../../errors.ts";
import { writeFeed } from "../../feeds/write-feed.ts";
import { connect, connectToJobs, type ServerChoice } from "../connect.ts";
import { openJob, type Noun } from "./read-job.ts";
import { toPlainLine } from "../terminal/terminal-text.ts";
import { withSpinner } from "../terminal/spinner.ts";
import { writeText } from "./write-text.ts";

export type FeedOptions = ServerChoice & {
  readonly format?: FeedKind;
  readonly json?: boolean;
  readonly out?: string;
};

export type SitemapOptions = ServerChoice & {
  readonly part?: number;
  readonly json?: boolean;
  readonly out?: string;
};

/** `quarry feed URL`: the entries of a list page as a feed. The page is fetched anew. */
export async function runFeedCommand(
  config: Config,
  url: string,
  options: FeedOptions,
): Promise<void> {
  await using connection = await connect(config, options, (fetch) => fetch);
  const parameters = { formats: ["feed"], maxAge: 0, integration: "cli" } as ScrapeParameters;
  const { feed, warning } = await withSpinner(process.stderr, `Reading ${url}`, () =>
    connection.client.scrape(url, parameters),
  );
  if (feed === undefined)
    throw new TargetError("SCRAPE_SITE_ERROR", warning ?? "The page has no list of entries.");
  const text =
    options.json === true
      ? `${JSON.stringify(feed, null, 2)}\n`
      : writeFeed(feed, options.format ?? "rss", { readAt: Date.now() });
  await writeText([text], options.out);
  if (warning !== undefined) process.stderr.write(`warning: ${toPlainLine(warning)}\n`);
}

/** `quarry crawl feed ID`: the pages of a job as a feed. */
export async function writeJobFeed(
  config: Config,
  noun: Noun,
  id: string,
  { limit, ...options }: FeedOptions & { readonly limit?: number },
): Promise<void> {
  await using connection = await connectToJobs(config, options);
  const format = options.json === true ? "json" : (options.format ?? "rss");
  await writeText(
    [await openJob(connection.client, noun, id).feed(format, { limit })],
    options.out,
  );
}

/** `quarry crawl sitemap ID`: the pages that a job has read as a sitemap. */
export async function writeJobSitemap(
  config: Config,
  noun: Noun,
  id: string,
  { part, ...options }: SitemapOptions,
): Promise<void> {
  await using connection = await connectToJobs(config, options);
  const text = openJob(connection.client, noun, id).sitemap({ part });
  if (options.json !== true) return await writeText(text, options.out);
  let sitemap = "";
  for await (const piece of text) sitemap += piece;
  await writeText([`${JSON.stringify({ sitemap }, null, 2)}\n`], options.out);
}
