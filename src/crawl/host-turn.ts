// The turn of a page at its host: waited for, given up with the host, and what "later" means for the page.
import { retryAfterMs } from "../engines/retry-after.ts";
import { TargetError } from "../errors.ts";
import type { ScrapedPage } from "../scrape/page.ts";
import type { LeasedPage } from "../store/jobs/frontier.ts";
import {
  LostHostError,
  type EnterOptions,
  type HostAnswer,
  type Politeness,
  type Turn,
} from "./politeness.ts";
import type { Tries, WorkJob } from "./work-job.ts";

export type TurnParts = {
  readonly politeness: Politeness;
  /** Whether any worker had a page of the host for the job since then, milliseconds since the epoch. */
  readonly wasServed: (jobId: string, host: string, since: number) => Promise<boolean>;
  /** Tells the caller of the job something, once. */
  readonly warn: (jobId: string, warning: string) => Promise<void>;
};

type Visit = {
  readonly page: LeasedPage;
  readonly job: WorkJob;
  readonly signal: AbortSignal;
};

/** Tries of a page whose host breaks off or cannot serve it. */
export const TRIES = 3;
/** Tries where the host says "later": another page may have had the turn that was meant for this one. */
const PUT_OFF_TRIES = 6;
/** Hosts of a job that its warnings name. */
const MAX_NAMED = 5;

/** From so long between two pages on a crawl says that its site asks for it. */
const LONG_DELAY_MS = 5_000;

/** Tells of a long delay that robots.txt asks for, once for each host: without a word such a crawl looks stuck. */
export async function tellDelay(
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
 * Waits for the host's turn. A host that is given up here is asked further where another worker was served; else throws
 * a LostHostError.
 */
async function enterHost(
  { politeness, wasServed, warn }: TurnParts,
  { page, job, signal }: Visit,
  pace: Pick<EnterOptions, "delayMs" | "lane">,
): Promise<Turn> {
  const { jobId, host } = page;
  for (;;)
    try {
      return await politeness.enter(host, {
        ...pace,
        insists: page.source === "start",
        // A job that retains nothing leaves no host in the log either.
        ...(job.kept.page.zeroDataRetention ? {} : { jobId }),
        signal,
      });
    } catch (error) {
      // Found out once: there may be thousands of its pages.
      if (!(error instanceof LostHostError) || job.lost.get(host) === error.since) throw error;
      if (await wasServed(jobId, host, error.since)) {
        politeness.serves(host);
        continue;
      }
      job.lost.set(host, error.since);
      if (job.lost.size <= MAX_NAMED) await warn(jobId, `${host} was given up. ${LOST_HOST}`);
      throw error;
    }
}

/** The tries that the page had here before it was given back. */
export function resume({ page, job }: Visit): Tries {
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

/** Pages of a job whose tries are remembered. */
const MAX_RESUMED = 200;

/** The turn for the next try; a page that is given back meanwhile does not begin anew when it comes again. */
export async function enterAgain(
  parts: TurnParts,
  visit: Visit,
  pace: Pick<EnterOptions, "delayMs" | "lane">,
  tries: Tries,
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
  "It served nothing for a long time (QUARRY_CRAWL_PATIENCE); its pages that were left are errors with SCRAPE_RETRY_LIMIT.";

export const isPutOff = ({ capture }: ScrapedPage): boolean =>
  capture.statusCode === 429 || capture.statusCode === 503;

/** A 503 may just be a page that is broken; a 429, or a time to come back, is a word on all pages. */
export const triesOf = ({ capture }: ScrapedPage): number =>
  capture.statusCode === 429 ||
  (capture.statusCode === 503 && capture.headers.some(([name]) => name === "retry-after"))
    ? PUT_OFF_TRIES
    : TRIES;

/** Notes a request that was sent for the page, and the status of its answer, if one came. */
export function countRequest({ requests }: Tries, status: number | undefined): void {
  requests.set(status, (requests.get(status) ?? 0) + 1);
}

/** Of a page that is given up, by the requests that were sent for it: a try is a word of this program, not of the host. */
export function putOffError(url: URL, { requests, beganAt }: Tries, now: number): TargetError {
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

export function answerOf({ url }: LeasedPage, { capture, trail }: ScrapedPage): HostAnswer {
  const header = capture.headers.find(([name]) => name === "retry-after")?.[1];
  const ms = trail.reduce((sum, attempt) => sum + attempt.ms, 0);
  const { statusCode } = capture;
  const requests = trail.length;
  return { url, ms, statusCode, requests, retryAfterMs: retryAfterMs(header, Date.now()) };
}
