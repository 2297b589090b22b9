// The turn of a page at its host: waiting for it, giving up with the host, and handling "retry
// later" answers.
import { parseRetryAfterMs } from "../../runtime/retry-after.ts";
import { TargetError } from "../../errors.ts";
import type { ScrapedPage } from "../../scrape/page.ts";
import type { LeasedPage } from "../../store/jobs/frontier.ts";
import {
  LostHostError,
  type EnterOptions,
  type HostAnswer,
  type Politeness,
  type Turn,
} from "./politeness.ts";
import type { AttemptState, WorkerJob } from "../worker-jobs.ts";

export type TurnParts = {
  readonly politeness: Politeness;
  /**
   * True if any worker got a page of the host for the job since `since`, milliseconds since the
   * epoch.
   */
  readonly wasServed: (jobId: string, host: string, since: number) => Promise<boolean>;
  /** Adds a warning to the job, once. */
  readonly warn: (jobId: string, warning: string) => Promise<void>;
};

type Visit = {
  readonly page: LeasedPage;
  readonly job: WorkerJob;
  readonly signal: AbortSignal;
};

/** Attempts for a page whose host drops the connection or cannot serve it. */
export const MAX_TRIES = 3;
/** Attempts when the host says "retry later": another page may have used the turn. */
const MAX_POSTPONED_TRIES = 6;
/** Hosts of a job that its warnings name. */
const MAX_NAMED = 5;

/** A delay this long between two pages is reported to the caller. */
const LONG_DELAY_MS = 5_000;

/** Warns about a long Crawl-delay, once per host. Without it such a crawl looks stuck. */
export async function warnAboutDelay(
  { warn }: Pick<TurnParts, "warn">,
  { page, job }: Pick<Visit, "page" | "job">,
  robotsDelayMs: number,
): Promise<void> {
  const { jobId, host } = page;
  const { told } = job;
  if (robotsDelayMs < LONG_DELAY_MS || told.has(host) || told.size >= MAX_NAMED) return;
  told.add(host);
  const seconds = robotsDelayMs / 1_000;
  await warn(jobId, `${host} wants ${seconds} s between pages (Crawl-delay in its robots.txt).`);
}

/**
 * Waits for the host's turn. A host that is given up here is tried again if another worker was
 * served; otherwise throws LostHostError.
 */
async function enterHost(
  { politeness, wasServed, warn }: TurnParts,
  { page, job, signal }: Visit,
  pace: Pick<EnterOptions, "delayMs" | "paceKey">,
): Promise<Turn> {
  const { jobId, host } = page;
  for (;;)
    try {
      return await politeness.enter(host, {
        ...pace,
        ignoresBreaker: page.source === "start",
        // A job with zero data retention leaves no host in the log.
        ...(job.options.page.zeroDataRetention ? {} : { jobId }),
        signal,
      });
    } catch (error) {
      // Check once per host: thousands of its pages may wait.
      if (!(error instanceof LostHostError) || job.lost.get(host) === error.since) throw error;
      if (await wasServed(jobId, host, error.since)) {
        politeness.hasHost(host);
        continue;
      }
      job.lost.set(host, error.since);
      if (job.lost.size <= MAX_NAMED) await warn(jobId, `${host} was given up. ${LOST_HOST}`);
      throw error;
    }
}

/** Restores the attempts that the page had before it was released. */
export function restoreTries({ page, job }: Visit): AttemptState {
  const earlier = job.tries.get(page.identity);
  job.tries.delete(page.identity);
  return (
    earlier ?? {
      number: 1,
      beganAt: Date.now(),
      requests: new Map(),
      partial: undefined,
      delayed: undefined,
    }
  );
}

/** Pages of a job whose attempts are remembered. */
const MAX_RESUMED = 200;

/** Waits for the turn of the next attempt. A page released meanwhile keeps its attempt count. */
export async function waitForNextTry(
  parts: TurnParts,
  visit: Visit,
  pace: Pick<EnterOptions, "delayMs" | "paceKey">,
  tries: AttemptState,
): Promise<Turn> {
  const { page, job, signal } = visit;
  try {
    return await enterHost(parts, visit, pace);
  } catch (error) {
    const { tries: kept } = job;
    if (signal.aborted && tries.number > 1 && kept.size < MAX_RESUMED)
      kept.set(page.identity, tries);
    throw error;
  }
}

const LOST_HOST =
  "It served no page for too long (QUARRY_CRAWL_PATIENCE); its remaining pages failed with SCRAPE_RETRY_LIMIT.";

export const isRetryLater = ({ capture }: ScrapedPage): boolean =>
  capture.statusCode === 429 || capture.statusCode === 503;

/**
 * A 503 may concern this page only. A 429 or a Retry-After header concerns all pages of the host.
 */
export const readMaxTries = ({ capture }: ScrapedPage): number =>
  capture.statusCode === 429 ||
  (capture.statusCode === 503 && capture.headers.some(([name]) => name === "retry-after"))
    ? MAX_POSTPONED_TRIES
    : MAX_TRIES;

/** Records a request sent for the page and the status of its answer, if any. */
export function countRequest({ requests }: AttemptState, status: number | undefined): void {
  requests.set(status, (requests.get(status) ?? 0) + 1);
}

/** The error of a page that is given up. It counts requests, because attempts are internal. */
export function toRetryLimitError(
  url: URL,
  { requests, beganAt }: AttemptState,
  now: number,
): TargetError {
  const seconds = ((now - beganAt) / 1_000).toFixed(1);
  const sent = requests.values().reduce((sum, count) => sum + count, 0);
  const silent = requests.get(undefined) ?? 0;
  const statuses = [...requests.keys()].filter((status) => status !== undefined);
  const said = statuses.toSorted((one, other) => one - other).join(" or ");
  const share = silent === 0 ? "each" : String(sent - silent);
  return new TargetError(
    "SCRAPE_RETRY_LIMIT",
    `${url.host} answered ${said} to ${share} of ${sent} requests within ${seconds} s.`,
  );
}

export function toHostAnswer({ url }: LeasedPage, { capture, trail }: ScrapedPage): HostAnswer {
  const header = capture.headers.find(([name]) => name === "retry-after")?.[1];
  const ms = trail.reduce((sum, attempt) => sum + attempt.ms, 0);
  const { statusCode } = capture;
  const requests = trail.length;
  return { url, ms, statusCode, requests, retryAfterMs: parseRetryAfterMs(header, Date.now()) };
}
