// Crawls and batches as kinds of jobs: their frontier ends them, and each page has its price.
import type { JobKind } from "../jobs/kind.ts";

export const CRAWL_KIND: JobKind = {
  name: "crawl",
  title: "Job",
  charged: "at the end",
  cancellable: true,
  activity: ({ url }) => ({ target: url }),
};

export const BATCH_KIND: JobKind = { ...CRAWL_KIND, name: "batch_scrape" };
