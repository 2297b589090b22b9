// What the status of a job warns of (wire contract 5.7).
import type { JobRecord } from "../store/jobs/jobs.ts";
import { fewResults, type LedgerFindings } from "./few-results.ts";

export type JobFindings = {
  /** Why there are few results, where there are few. */
  readonly few?: LedgerFindings | undefined;
  /** What of the storage fails at this moment. */
  readonly storage?: string | undefined;
};

/** The saved warnings, and those that follow from the counters and the state of the storage. */
export function warningsOf(job: JobRecord, { few: findings, storage }: JobFindings): string[] {
  const warnings = [...job.warnings];
  if (storage !== undefined && !warnings.includes(storage)) warnings.push(storage);
  const blocked = job.robotsBlocked;
  if (blocked > 0)
    warnings.push(
      `${blocked === 1 ? "1 URL was" : `${blocked} URLs were`} not fetched because robots.txt forbids ${blocked === 1 ? "it" : "them"}; ` +
        `GET /v2/crawl/${job.id}/errors lists them as robotsBlocked, and ignoreRobotsTxt turns the check off.`,
    );
  const few = findings && fewResults(job, findings);
  if (few !== undefined) warnings.push(few);
  return warnings;
}
