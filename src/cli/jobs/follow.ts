// Follows a job until it ends: writes its documents as they arrive and shows its progress. The job
// does not depend on it, so a user can leave and return at any time.
import type { Job } from "../../../client/job.ts";
import { ConnectionError, QuarryApiError } from "../../../client/errors.ts";
import type { Document, JobState, JobStatus } from "../../../client/wire.ts";
import type { Display } from "../terminal/display.ts";
import type { Output } from "./output.ts";
import { createRateMeter, type Progress, type Sums } from "./progress.ts";

export type FollowTask = {
  readonly job: Job;
  readonly title: string;
  readonly display: Display;
  readonly output: Output | undefined;
  /**
   * Called for each document; undefined when documents are not wanted, so they are not requested.
   */
  readonly onDocument?: ((document: Document, file: string | undefined) => void) | undefined;
  /**
   * Called for the server's warnings while the job runs, and again when more than their numbers
   * changed.
   */
  readonly onWarning?: ((state: JobState) => void) | undefined;
  /** Ends the following, not the job. */
  readonly signal: AbortSignal;
  readonly clock: FollowClock;
};

export type FollowClock = {
  now(): number;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
};

export type FollowResult = {
  /** The last state read; undefined when it ended before the first answer. */
  readonly state: JobState | undefined;
  readonly sums: Sums;
  /** Documents of the job now in the output. */
  readonly written: number;
  /** Documents that were rewritten because their files were missing. */
  readonly restored: number;
  /** Documents of this run with an error page as content. */
  readonly errorPages: number;
};

/** Reading past any result returns the state only. */
const SKIP_ALL_RESULTS = 1_000_000_000;
const RESULTS_PER_READ = 100;
const MIN_READ_INTERVAL_MS = 400;
const POLL_MS = 1_000;
/** Sums make the server scan all URLs: spend at most this fraction of its time. */
const MAX_SUMS_SHARE = 20;

const MAX_RETRIES = 14;
const MAX_RETRY_MS = 10_000;

/** Follows to the end of the job. On abort it returns what is known so far. */
export async function follow(task: FollowTask): Promise<FollowResult> {
  const { signal, clock, output, display } = task;
  const startedAt = clock.now();
  const meter = createRateMeter();
  const ended = new AbortController();
  let state: JobState | undefined;
  let sums: Sums = {};
  let current: string | undefined;
  let trouble: string | undefined;
  const passed = output?.written ?? 0;
  const gone = new Set(output?.gone);
  let written = passed - gone.size;
  let restored = 0;
  let errorPages = 0;
  const warned = new Set<string>();

  const warn = (now: JobState): void => {
    const text = now.warning?.replaceAll(/\d+/g, "0");
    if (text === undefined || now.status !== "scraping" || warned.has(text)) return;
    warned.add(text);
    task.onWarning?.(now);
  };
  const show = (): void => {
    if (state?.status === "scraping" && !signal.aborted) display.update(toProgress());
  };
  const toProgress = (): Progress => ({
    title: task.title,
    status: state?.status ?? "scraping",
    completed: state?.completed ?? 0,
    total: state?.total ?? 0,
    sums,
    creditsUsed: state?.creditsUsed ?? 0,
    pagesPerSecond: meter.computeRate(),
    elapsedMs: clock.now() - Math.min(startedAt, Date.parse(state?.createdAt ?? "") || startedAt),
    current,
    written: output === undefined ? undefined : { count: written, where: output.where },
    trouble,
  });

  const tellTrouble = (text: string | undefined): void => {
    trouble = text;
    show();
  };
  const take = (document: Document, file: string | undefined): void => {
    if ((document.metadata.statusCode ?? 0) >= 400) errorPages += 1;
    task.onDocument?.(document, file);
  };

  /** Rewrites missing documents of these offsets if they are the same documents. */
  const restore = async ({ from, to }: Stretch): Promise<void> => {
    let place = from;
    for await (const { data } of followUntilDone(task, from, tellTrouble, to - from)) {
      for (const document of data.slice(0, to - place)) {
        const isGone = gone.has(place);
        const file = isGone ? await output?.restore(place, document) : undefined;
        place += 1;
        if (file === undefined) continue;
        written += 1;
        restored += 1;
        take(document, file);
      }
      if (place >= to || data.length === 0) return;
    }
  };

  const read = async (): Promise<void> => {
    for (const stretch of toStretches(gone)) await restore(stretch);
    for await (const page of followUntilDone(task, passed, tellTrouble)) {
      const { data, next: _, ...rest } = page;
      const files = (await output?.add(data)) ?? [];
      written += data.length;
      data.forEach((document, index) => take(document, files[index]));
      state = rest as JobState;
      warn(state);
      meter.add(clock.now(), state.completed);
      show();
    }
  };

  const look = async (): Promise<void> => {
    const either = AbortSignal.any([signal, ended.signal]);
    while (!either.aborted) {
      const askedAt = clock.now();
      const ledger = await task.job
        .ledger({ limit: 1, fate: "working" }, { signal: either })
        .catch((error: unknown) => {
          // The reading loop decides whether to wait for the server.
          if (either.aborted || error instanceof QuarryApiError) return undefined;
          throw error;
        });
      if (ledger !== undefined) {
        sums = ledger.sums;
        current = ledger.entries[0]?.url ?? current;
        show();
      }
      const waitMs = Math.max(POLL_MS, (clock.now() - askedAt) * MAX_SUMS_SHARE);
      await clock.sleep(waitMs, either).catch(() => undefined);
    }
  };

  const looking = look();
  // Awaited below; avoids an unhandled rejection meanwhile.
  looking.catch(() => undefined);
  try {
    await read();
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    ended.abort();
    await looking;
  }
  if (!signal.aborted) sums = (await task.job.ledger({ limit: 1 })).sums;
  return { state, sums, written, restored, errorPages };
}

/** Offsets in the results from `from` up to but excluding `to`. */
type Stretch = { readonly from: number; readonly to: number };

/** Groups ascending offsets into ranges of at most one page of results. */
function toStretches(places: Iterable<number>): Stretch[] {
  const stretches: { from: number; to: number }[] = [];
  for (const place of places) {
    const last = stretches.at(-1);
    if (last !== undefined && place - last.from < RESULTS_PER_READ) last.to = place + 1;
    else stretches.push({ from: place, to: place + 1 });
  }
  return stretches;
}

/**
 * Yields the pages of results after `skip` with at most `max` documents each, and survives
 * connection failures: a restarted server continues its jobs. Gives up after about two minutes
 * without an answer.
 */
async function* followUntilDone(
  task: FollowTask,
  skip: number,
  onTrouble: (text: string | undefined) => void,
  max = RESULTS_PER_READ,
): AsyncGenerator<JobStatus> {
  const { job, signal, clock } = task;
  const wantsDocuments = task.output !== undefined || task.onDocument !== undefined;
  let failures = 0;
  for (let from = wantsDocuments ? skip : SKIP_ALL_RESULTS; ;) {
    try {
      const pageSize = wantsDocuments ? Math.min(max, RESULTS_PER_READ) : 1;
      for await (const page of job.pages({ skip: from, pageSize, signal })) {
        from += page.data.length;
        if (failures > 0) onTrouble(undefined);
        failures = 0;
        yield page;
        // Otherwise a fast job would be read in tiny pages as results arrive.
        if (page.status === "scraping" && page.data.length < pageSize)
          await clock.sleep(MIN_READ_INTERVAL_MS, signal);
      }
      return;
    } catch (error) {
      failures += 1;
      if (!isUnreachable(error) || failures > MAX_RETRIES || signal.aborted) throw error;
      onTrouble("The server does not answer; retrying. The job continues when it is back.");
      await clock.sleep(Math.min(MAX_RETRY_MS, 500 * 2 ** failures), signal);
    }
  }
}

function isUnreachable(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  return error instanceof QuarryApiError && (error.status === 502 || error.status === 503);
}
