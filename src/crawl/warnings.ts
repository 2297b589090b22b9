// Warnings in the status of a job (wire contract 5.7).
import type { JobRecord } from "../store/jobs/job-record.ts";
import { explainFewResults, type LedgerFindings } from "./few-results.ts";

export type JobFindings = {
  /** Why there are few results, if there are. */
  readonly few?: LedgerFindings | undefined;
  /** Storage that fails at this moment. */
  readonly storage?: string | undefined;
};

/** Returns the saved warnings plus those derived from the counters and the storage state. */
export function listWarnings(job: JobRecord, { few: findings, storage }: JobFindings): string[] {
  const warnings = [...job.warnings];
  if (storage !== undefined && !warnings.includes(storage)) warnings.push(storage);
  const blocked = job.robotsBlocked;
  if (blocked > 0)
    warnings.push(
      `${blocked === 1 ? "1 URL was" : `${blocked} URLs were`} not fetched because robots.txt forbids ${blocked === 1 ? "it" : "them"}; ` +
        `GET /v2/crawl/${job.id}/errors lists them as robotsBlocked, and ignoreRobotsTxt turns the check off.`,
    );
  const few = findings && explainFewResults(job, findings);
  if (few !== undefined) warnings.push(few);
  return warnings;
}
