import type { CrawlOptions } from "../contract/crawl.ts";
import { resolveUrl } from "../contract/url.ts";
import { RequestError } from "../errors.ts";
import type { JobRecord } from "../store/jobs.ts";
import { judgeUrl } from "../url/scope.ts";
import { toFound } from "./follow.ts";
import type { ActiveJob, Crawls, StartedJob } from "./job.ts";
import { keptOptions, shownOptions } from "./kept-options.ts";
import { createJobReader, type ReadParts } from "./read.ts";
import { startJob, type StartParts } from "./start.ts";
import { WORK } from "./wake-up.ts";
import { buildScope, withoutLogin } from "./work-job.ts";

export type CrawlParts = StartParts &
  ReadParts & {
    /** Sees to it that some worker reads the sitemaps of the crawl. */
    readonly seed: (jobId: string) => Promise<void>;
  };

/** The use cases of crawls. */
export function createCrawls(parts: CrawlParts): Crawls {
  return {
    ...createJobReader("crawl", parts),

    async start(options, caller) {
      const { url: written, scrapeOptions, webhook, ...crawl } = options;
      const { url, page } = withoutLogin(new URL(resolveUrl(written)), scrapeOptions);
      const kept = { crawl: { ...crawl, url: url.href }, page };
      const scope = checkScope(() => buildScope({ url: url.href }, kept));
      const start = judgeUrl({ url: url.href, depth: 0, source: "start" }, scope);
      const hidden = start.accepted && !start.inResults;
      const seeding = options.sitemap !== "skip";
      const { id, limit } = await startJob(
        parts,
        {
          kind: "crawl",
          url: url.href,
          options: kept,
          webhook: webhook ?? null,
          limit: options.limit,
          mayClamp: true,
          maxConcurrency:
            typeof options.delay === "number" ? 1 : (options.maxConcurrency ?? undefined),
          first: [toFound(start, 0, "start", hidden ? { hidden } : {})],
          seeding,
        },
        caller,
      );
      const warnings = startWarnings(options, limit);
      for (const warning of warnings) await parts.jobs.warn(id, warning);
      if (seeding) await parts.seed(id);
      parts.wakeUps.ring(WORK);
      return toStarted(id, warnings);
    },

    async active({ accountId }) {
      return (await parts.jobs.active(accountId, "crawl")).map(toActive);
    },
  };
}

function checkScope<T>(build: () => T): T {
  try {
    return build();
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError)
      throw new RequestError("BAD_REQUEST", error.message, { cause: error });
    throw error;
  }
}

function startWarnings(options: CrawlOptions, limit: number): string[] {
  const warnings: string[] = [];
  if ((options.prompt ?? "").trim() !== "")
    warnings.push(
      "No language model is configured, so prompt had no effect: the crawl runs with the fields that were given.",
    );
  if (limit < options.limit)
    warnings.push(`The credits of the key cover ${limit} pages, so limit is ${limit}.`);
  return warnings;
}

function toStarted(id: string, warnings: readonly string[]): StartedJob {
  return { id, warning: warnings.length === 0 ? undefined : warnings.join(" ") };
}

function toActive(job: JobRecord): ActiveJob {
  return {
    id: job.id,
    accountId: job.accountId,
    url: job.url ?? "",
    createdAt: job.createdAt,
    options: shownOptions(keptOptions(job)),
  };
}
