// Crawls and batches as kinds of jobs. Their last page ends them; until all their URLs are known, a
// run keeps them open.
import type { JobKind, JobRunner } from "../jobs/kind.ts";
import { enqueueEarlierPages, type RevisitParts } from "./frontier/revisit.ts";
import { addSitemaps, type SeedParts } from "./frontier/seed.ts";

const PAGE_JOB = {
  title: "Job",
  charged: "at the end",
  cancellable: true,
  toActivity: ({ url }) => ({ target: url }),
} as const satisfies Partial<JobKind>;

const ATTEMPTS = { concurrency: 4, maxAttempts: 4, retryDelayMs: 1_000, maxRunMs: 3_600_000 };

/**
 * The run of a crawl reads its sitemaps. With change tracking a second one looks up the pages of an
 * earlier crawl.
 */
export function createCrawlKind(parts: () => Promise<SeedParts & RevisitParts>): JobKind {
  const runner: JobRunner = {
    ...ATTEMPTS,
    async run(context) {
      const { isRevisiting = false, seeding } = context.job;
      if (isRevisiting) await enqueueEarlierPages(await parts(), context);
      else if (seeding) await addSitemaps(await parts(), context);
      return undefined;
    },
    async giveUp(context) {
      await context.warn(
        context.job.isRevisiting === true
          ? "The pages that only an earlier crawl saw could not be looked up."
          : "The sitemaps could not be read.",
      );
      return undefined;
    },
  };
  return { ...PAGE_JOB, name: "crawl", runner };
}

/** Delay of the run of a batch. */
export const BATCH_WRITING_MS = 60_000;

/**
 * The process that starts a batch stores all its URLs and marks it as complete. If the process dies
 * before, no client knows the id of the job, and its run ends it with the stored URLs.
 */
export const BATCH_KIND: JobKind = {
  ...PAGE_JOB,
  name: "batch_scrape",
  runner: { ...ATTEMPTS, run: async () => undefined },
};
