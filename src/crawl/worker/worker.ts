// The worker loop of one process. It claims a few pages at a time, round-robin over jobs, renews
// their leases, and hands results to the committer. Pages held by a killed process are claimed by
// others when the leases expire.
import { setImmediate as nextTick } from "node:timers/promises";
import type { Logger } from "../../logger.ts";
import { StorageError } from "../../errors.ts";
import type { Finish, FinishedPage } from "../../store/jobs/finish.ts";
import type { Claim, FrontierStore, LeasedPage } from "../../store/jobs/frontier.ts";
import { DEFAULT_GROUP_PAGES, createCommitter } from "./committer.ts";
import { countFates } from "../backlog.ts";
import { combineSignals } from "./any-signal.ts";
import { HostQueues } from "../politeness/host-queues.ts";
import { LostHostError, type Politeness } from "../politeness/politeness.ts";
import { keepLeases, LEASE_MS } from "../../jobs/lease.ts";
import { RUNS, WORK, type WakeUps } from "../../jobs/wake-up.ts";
import type { StorageGate } from "./storage-gate.ts";
import type { WorkerJobs } from "../worker-jobs.ts";
import { Suspects } from "./suspects.ts";
import {
  recordSpan,
  withoutSpans,
  withRemoteParent,
  withSpan,
  type Span,
} from "../../telemetry/tracing.ts";
import { processPage, type ProcessPageParts } from "./process-page.ts";

export type WorkerParts = {
  readonly name: string;
  readonly frontier: FrontierStore;
  readonly finish: Finish;
  readonly jobs: WorkerJobs;
  readonly page: ProcessPageParts;
  readonly politeness: Politeness;
  readonly wakeUps: WakeUps;
  readonly storage: StorageGate;
  /** Maximum pages fetched or converted concurrently. */
  readonly room: number;
  /** Maximum pages per claim. */
  readonly claimSize?: number;
  readonly leaseMs?: number;
  /** Polling interval, milliseconds, of an idle worker for work of other processes. */
  readonly idleMs: number;
  /** Minimum age of the process, milliseconds, before it tries suspect pages. */
  readonly settleMs?: number;
  readonly log: Logger;
  /** A page of this process ended a job. */
  readonly onEnded: (jobId: string) => void;
  /** Stored events may wait to be sent. */
  readonly onEvent: () => void;
};

export type Worker = {
  start(): void;
  /** Releases its pages and settles when nothing is in progress. */
  close(): Promise<void>;
};

const DEFAULT_CLAIM_SIZE = 20;
/** Pages that wait for their host cost nothing; this many may wait for each active page. */
const WAITING_FACTOR = 8;
/** No page is started with more unwritten links, which would be held in memory. */
const MAX_UNWRITTEN_LINKS = 50_000;
/** Share of waiting pages that one job may have. */
const MAX_JOB_SHARE = 0.5;
/** Interval, milliseconds, for releasing pages that wait for slow hosts. */
const SWEEP_MS = 1_000;
const HEARD = "heard";

export function createWorker(parts: WorkerParts): Worker {
  const {
    name,
    frontier,
    wakeUps,
    room,
    log,
    claimSize = DEFAULT_CLAIM_SIZE,
    leaseMs = LEASE_MS,
  } = parts;
  /** Rings when a page leaves this worker. */
  const freed = `room of ${name}`;
  /** Rings when pages were written. */
  const written = `writes of ${name}`;
  const stopping = new AbortController();
  const inHand = new Set<Promise<void>>();
  /**
   * Claimed pages that are neither written nor released. Pages of a claim whose answer was lost are
   * not included, so their leases expire.
   */
  const held = new Set<LeasedPage>();
  /** When each page was claimed, for its trace. */
  const claims = new WeakMap<
    LeasedPage,
    { readonly startedAt: number; readonly endedAt: number }
  >();
  const lines = new HostQueues();
  /** Pages that wait until links are written. */
  let heldCount = 0;
  let heldBack = false;
  /** Pages to release together. */
  const returning: LeasedPage[] = [];
  let returned: Promise<void> | undefined;
  /** The last claim that returned nothing. */
  let fruitless = "";
  /** One claim per finished page would query the database twenty times as often. */
  const leastClaim = Math.min(claimSize, Math.ceil(room / 3));
  const suspects = new Suspects(parts.settleMs);
  let loop: Promise<void> | undefined;
  let leases: { close(): void } | undefined;
  let sweeping: NodeJS.Timeout | undefined;

  const committer = createCommitter({
    finish: (jobId, pages) => parts.finish(jobId, name, pages),
    log,
    onLost: (jobId) => parts.jobs.forget(jobId),
    onStorageError: (error, jobId) => void parts.storage.report(error, jobId),
    onFinished(jobId, pages, report) {
      countFates(parts.page.metrics, pages, report);
      parts.jobs.learn(jobId, pages, report);
      if (report.pages.includes("lost")) parts.jobs.forget(jobId);
      wakeUps.wake(jobId);
      // Ended leases free concurrency in their job, too.
      wakeUps.wake(WORK);
      if (report.state !== "scraping") parts.jobs.end(jobId);
      if (report.revisits === true) wakeUps.wake(RUNS);
      if (report.ended) parts.onEnded(jobId);
      else parts.onEvent();
    },
  });

  /** The parts for one page, with host waits that can release it. */
  function buildParts(page: LeasedPage, returns: AbortController): ProcessPageParts {
    const { robots } = parts.page;
    let isBegun = false;
    const wait = async <Result>(work: () => Promise<Result>): Promise<Result> => {
      try {
        return await lines.wait(page, () => returns.abort(), work);
      } catch (error) {
        // The host's pages end at once, without waiting.
        if (error instanceof LostHostError) lines.forget(page.host);
        throw error;
      } finally {
        // The next page of the host may be taken.
        if (lines.isSlow(page.host)) wakeUps.wake(freed);
      }
    };
    return {
      ...parts.page,
      politeness: {
        ...parts.politeness,
        async enter(host, options) {
          await waitForLinkRoom(options.signal);
          const turn = await withSpan("host.wait", { "server.address": host }, () =>
            wait(() => parts.politeness.enter(host, options)),
          );
          isBegun = true;
          return turn;
        },
      },
      robots: {
        ...robots,
        // Also called for redirect targets, which are not about the page's host.
        decide: (url, agent) =>
          isBegun
            ? robots.decide(url, agent)
            : wait(() => waitUntilAborted(robots.decide(url, agent), returns.signal)),
      },
    };
  }

  function isFull(): boolean {
    const full = committer.links() > MAX_UNWRITTEN_LINKS;
    heldBack ||= full;
    return full;
  }

  async function waitForLinkRoom(signal: AbortSignal): Promise<void> {
    while (isFull() && !signal.aborted) {
      heldCount += 1;
      committer.flushSoon();
      await wakeUps.wait(written, parts.idleMs, signal);
      heldCount -= 1;
    }
  }

  /** Releases the page together with others of the same moment. */
  function release(page: LeasedPage): Promise<void> {
    held.delete(page);
    returning.push(page);
    returned ??= nextTick().then(() => {
      returned = undefined;
      return frontier.release(name, returning.splice(0));
    });
    return returned;
  }

  async function handlePage(page: LeasedPage): Promise<void> {
    const returns = new AbortController();
    // Pages from the cache and the embedded database resolve without yielding; a job of such pages
    // would block the event loop.
    await nextTick();
    try {
      const job = await parts.jobs.find(page.jobId);
      if (job === undefined) return await release(page);
      using either = combineSignals([stopping.signal, job.ended.signal, returns.signal]);
      const about = {
        "quarry.job.id": page.jobId,
        "server.address": page.host,
        "quarry.depth": page.depth,
      };
      const start = { kind: "consumer", attributes: about } as const;
      const handle = async (span: Span): Promise<void> => {
        const claim = claims.get(page);
        if (claim !== undefined) {
          // When a link was found is not stored; the start page waits since the job began.
          if (page.source === "start" && page.attempt === 1)
            recordSpan("queue.wait", {
              startedAt: job.record.createdAt,
              endedAt: claim.startedAt,
            });
          recordSpan("queue.claim", claim);
        }
        const finished = await processPage(buildParts(page, returns), page, job, either.signal);
        span.set(describeOutcome(finished));
        // The next page may start while this one is committed.
        void committer.add(finished).finally(() => {
          held.delete(page);
          if (suspects.isWaiting) wakeUps.wake(freed);
          if (heldBack) wakeUps.wake(written);
          heldBack = false;
        });
      };
      await withoutSpans(job.record.zeroDataRetention, () =>
        withRemoteParent(job.record.traceparent, "crawl.page", start, handle),
      );
    } catch (error) {
      if (error instanceof StorageError) await parts.storage.report(error, page.jobId);
      else if (!stopping.signal.aborted && !returns.signal.aborted)
        log.debug({ err: error, jobId: page.jobId }, "page released");
      await release(page);
    }
  }

  function begin(page: LeasedPage): void {
    const running = handlePage(page)
      .catch((error: unknown) => log.warn({ err: error }, "failed to release a page"))
      .finally(() => {
        inHand.delete(running);
        suspects.end(page);
        wakeUps.wake(freed);
        // Commit now: no page in progress could join this commit.
        if (inHand.size === countWaiting()) committer.flushSoon();
      });
    inHand.add(running);
  }

  const countWaiting = (): number => lines.size + heldCount;
  const isIdle = (): boolean => inHand.size === countWaiting() && committer.size() === 0;

  async function take(what: Omit<Claim, "worker" | "leaseMs">): Promise<LeasedPage[]> {
    const startedAt = Date.now();
    const pages = await frontier.claim({ worker: name, leaseMs, ...what });
    const claim = { startedAt, endedAt: Date.now() };
    for (const page of pages) {
      held.add(page);
      claims.set(page, claim);
    }
    return pages;
  }

  /** `isNews`: there may be new pages. */
  async function claim(isNews: boolean): Promise<LeasedPage[]> {
    // Pages that cannot be written as fast as they finish hold back new ones.
    const unwritten = Math.max(0, committer.size() - 2 * DEFAULT_GROUP_PAGES);
    const load = inHand.size - countWaiting() + unwritten;
    if (isFull()) return [];
    const max = Math.min(claimSize, room - load, room * WAITING_FACTOR - inHand.size);
    if (max < leastClaim) return [];
    const limits = readClaimLimits();
    const asked = JSON.stringify(limits);
    if (!isNews && asked === fruitless) return [];
    const pages = await take({ max, suspects: "none", ...limits });
    fruitless = pages.length === 0 ? asked : "";
    return pages;
  }

  /** Returns which jobs and hosts have enough pages waiting here. */
  function readClaimLimits(): Pick<Claim, "except" | "hosts"> {
    const except = [...lines.byJob].flatMap(([id, count]) =>
      count >= room * WAITING_FACTOR * MAX_JOB_SHARE ? [id] : [],
    );
    return { except, hosts: lines.countPlaces() };
  }

  /** Periodically claims a suspect page and starts it once nothing else is in progress. */
  async function trySuspects(): Promise<boolean> {
    if (suspects.isDue(isIdle()))
      suspects.take(
        await take({
          max: 1,
          suspects: "only",
          suspectTries: suspects.tries,
          ...readClaimLimits(),
        }),
      );
    const page = isIdle() ? suspects.begin() : undefined;
    if (page !== undefined) begin(page);
    return page !== undefined;
  }

  /** Returns true when pages were claimed. */
  async function runTurn(isNews: boolean): Promise<boolean> {
    try {
      if (!(await parts.storage.isOpen())) return false;
      const tried = await trySuspects();
      if (suspects.isOpen) {
        fruitless = "";
        return tried;
      }
      const pages = await claim(isNews);
      for (const page of pages) begin(page);
      return pages.length > 0;
    } catch (error) {
      log.warn({ err: error }, "failed to claim pages; will retry");
      return false;
    }
  }

  async function renew(): Promise<void> {
    if (held.size > 0) await frontier.renew(name, [...held], leaseMs);
  }

  async function run(): Promise<void> {
    let isNews = true;
    while (!stopping.signal.aborted) {
      // Listen first, so that a signal during the query is not missed.
      const listening = new AbortController();
      using either = combineSignals([stopping.signal, listening.signal]);
      const { signal } = either;
      const rung = Promise.race([
        wakeUps.wait(WORK, parts.idleMs, signal).then(() => true),
        wakeUps.wait(freed, parts.idleMs, signal).then((rang) => !rang),
        wakeUps.wait(written, parts.idleMs, signal).then((rang) => !rang),
      ]);
      const took = await runTurn(isNews);
      isNews = took || (await rung);
      // A constant reason avoids creating an error with a stack trace.
      listening.abort(HEARD);
    }
  }

  return {
    start() {
      if (loop !== undefined) return;
      suspects.start();
      loop = run();
      leases = keepLeases({ leaseMs, renew, log });
      sweeping = setInterval(() => lines.releaseWaiting(), SWEEP_MS);
      sweeping.unref();
    },
    async close() {
      stopping.abort();
      await loop;
      const untried = suspects.begin();
      if (untried !== undefined) await release(untried);
      await Promise.all(inHand);
      await committer.close();
      leases?.close();
      clearInterval(sweeping);
      await parts.politeness.close();
    },
  };
}

const describeOutcome = ({ outcome }: FinishedPage) => ({
  "quarry.outcome": outcome.type,
  ...("statusCode" in outcome && {
    "http.response.status_code": outcome.statusCode ?? undefined,
  }),
  ...("error" in outcome && { "error.type": outcome.error.code }),
  ...("credits" in outcome && { "quarry.credits": outcome.credits }),
});

/** Rejects with the reason of `signal` if it aborts first. */
async function waitUntilAborted<Result>(
  work: Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason as Error);
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
