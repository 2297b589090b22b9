import type { CrawlParameters } from "../../../client/client.ts";
import type { Config } from "../../config.ts";
import { connectToJobs } from "../connect.ts";
import {
  announceOrWatch,
  isJobId,
  rejectStartOptions,
  type JobCommandOptions,
} from "./job-options.ts";
import { toPageParameters, type PageOptions } from "../pages/page-options.ts";
import { createHint } from "../terminal/hint.ts";
import { checkOutputTarget } from "./open-output.ts";

export type CrawlCommandOptions = JobCommandOptions &
  PageOptions & {
    readonly prompt?: string;
    readonly limit?: number;
    readonly include?: readonly string[];
    readonly exclude?: readonly string[];
    readonly depth?: number;
    readonly sitemap?: string;
    readonly entireDomain?: boolean;
    readonly subdomains?: boolean;
    readonly externalLinks?: boolean;
    readonly delay?: number;
    readonly ignoreRobots?: boolean;
  };

/** `quarry crawl URL` starts a crawl and follows it; `quarry crawl ID` joins an existing crawl. */
export async function runCrawlCommand(
  config: Config,
  target: string,
  options: CrawlCommandOptions,
): Promise<void> {
  checkOutputTarget(options.out);
  const isId = isJobId(target);
  if (isId) rejectStartOptions(options, "crawl");
  await using connection = await connectToJobs(config, options);
  const job = isId
    ? connection.client.crawlJob(target)
    : await connection.client.startCrawl(target, toParameters(options));
  const title = isId ? `Crawl ${job.id}` : `Crawling ${target}`;
  if (isId) await job.status({ skip: 0, limit: 1 });
  await announceOrWatch(
    { noun: "crawl", title, job, isOwn: connection.isOwn, hint: createHint(config, options) },
    target,
    options,
  );
}

function toParameters(options: CrawlCommandOptions): CrawlParameters {
  const parameters: Record<string, unknown> = {
    prompt: options.prompt,
    limit: options.limit,
    includePaths: options.include,
    excludePaths: options.exclude,
    maxDiscoveryDepth: options.depth,
    sitemap: options.sitemap,
    crawlEntireDomain: options.entireDomain,
    allowSubdomains: options.subdomains,
    allowExternalLinks: options.externalLinks,
    delay: options.delay,
    maxConcurrency: options.concurrency,
    ignoreRobotsTxt: options.ignoreRobots,
    scrapeOptions: toPageParameters(options),
    integration: "cli",
  };
  // JSON omits undefined values; the server validates the rest.
  return parameters as CrawlParameters;
}
