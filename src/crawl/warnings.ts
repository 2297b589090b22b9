// What the status of a job warns of (wire contract 5.7).
import type { JobRecord } from "../store/jobs.ts";
import { fewResults, type LedgerFindings } from "./few-results.ts";

/** The noted warnings, and those that its numbers are. `findings` are there where there are few results. */
export function warningsOf(job: JobRecord, findings: LedgerFindings | undefined): string[] {
  const warnings = [...job.warnings];
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
