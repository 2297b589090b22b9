// What the status of a job warns of (wire contract 5.7).
import type { JobRecord } from "../store/jobs.ts";
import { keptOptions } from "./kept-options.ts";

/** The noted warnings, and those that its numbers are. */
export function warningsOf(job: JobRecord): string[] {
  const warnings = [...job.warnings];
  if (job.robotsBlocked > 0)
    warnings.push(
      `${job.robotsBlocked} ${job.robotsBlocked === 1 ? "URL was" : "URLs were"} not fetched because robots.txt forbids it; ` +
        `GET /v2/crawl/${job.id}/errors lists them as robotsBlocked, and ignoreRobotsTxt turns the check off.`,
    );
  const few = fewResults(job);
  if (few !== undefined) warnings.push(few);
  return warnings;
}

function fewResults(job: JobRecord): string | undefined {
  const { crawl } = keptOptions(job);
  if (crawl === undefined || job.url === null || job.state !== "completed") return undefined;
  if (job.completed > 1 || crawl.limit === 1) return undefined;
  const start = URL.parse(job.url);
  if (start === null || crawl.crawlEntireDomain || start.pathname === "/") return undefined;
  return (
    `Only ${job.completed} ${job.completed === 1 ? "page was" : "pages were"} found below ${start.href}. ` +
    `Set crawlEntireDomain to crawl the whole site, or start at ${start.origin}/.`
  );
}
