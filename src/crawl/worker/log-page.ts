// Log lines of the pages of jobs.
import type { Logger } from "../../logger.ts";
import type { Trail } from "../../scrape/explanation.ts";
import type { ScrapedPage } from "../../scrape/page.ts";
import type { PageOutcome } from "../../store/jobs/finish.ts";
import type { LeasedPage } from "../../store/jobs/frontier.ts";
import type { WorkerJob } from "../worker-jobs.ts";

type Visit = {
  readonly page: LeasedPage;
  readonly job: WorkerJob;
  /** Engines tried in the last attempt. */
  readonly trail: readonly Trail[];
};

/** The host is left out with zero data retention. */
const describeVisit = ({ page, job }: Visit) => ({
  jobId: page.jobId,
  key: job.identity.keyName,
  ...(job.record.zeroDataRetention ? {} : { host: page.host }),
});

export function logFailedPage(log: Logger, visit: Visit, outcome: PageOutcome): void {
  if (outcome.type !== "failed") return;
  const engine = visit.trail.at(-1)?.engine;
  const { code } = outcome.error;
  log.debug({ ...describeVisit(visit), code, ...(engine && { engine }) }, "page failed");
}

export function logScrapedPage(log: Logger, visit: Visit, scraped: ScrapedPage): void {
  log.debug(
    {
      ...describeVisit(visit),
      engine: scraped.fromCache ? "cache" : scraped.capture.engine,
      verdict: scraped.verdict.kind,
      credits: scraped.creditsUsed,
    },
    "page scraped",
  );
}
