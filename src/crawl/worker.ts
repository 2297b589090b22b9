// The loop of one process: it takes pages as it has room for them, a few at a time and in turn between jobs, keeps their
// leases alive while it works on them, and hands them to the committer. What it holds when it is killed comes back to others
// when the leases run out.
import type { Logger } from "../log.ts";
import type { Finish } from "../store/finish.ts";
import type { FrontierStore, LeasedPage } from "../store/frontier.ts";
import { GROUP_PAGES, createCommitter } from "./committer.ts";
import type { Politeness } from "./politeness.ts";
import { WORK, type WakeUps } from "./wake-up.ts";
import type { WorkJobs } from "./work-job.ts";
import { workPage, type WorkPageParts } from "./work-page.ts";

export type WorkerParts = {
  readonly name: string;
  readonly frontier: FrontierStore;
  readonly finish: Finish;
  readonly jobs: WorkJobs;
  readonly page: WorkPageParts;
  readonly politeness: Politeness;
  readonly wakeUps: WakeUps;
  /** Pages fetched or converted at once. */
  readonly room: number;
  /** Pages of one claim at most. */
  readonly claimSize?: number;
  readonly leaseMs?: number;
  /** How often an idle worker looks for what other processes have found. */
  readonly idleMs: number;
  readonly log: Logger;
  /** A job has ended by a page of this process. */
  readonly onEnded: (jobId: string) => void;
  /** A crawl has fetched all it found, and looks for what an earlier one saw. */
  readonly onRevisit: (jobId: string) => void;
  /** Events may have been kept that wait to be sent. */
  readonly onEvent: () => void;
};

export type Worker = {
  start(): void;
  /** Gives back what it holds and settles when nothing is in work. */
  close(): Promise<void>;
};

const CLAIM = 20;
const LEASE_MS = 20_000;
/** Pages that wait for their host's turn are no load; so many of them for each page that is. */
const WAITING_FACTOR = 8;
/** Links found and not yet written: with more of them no page is begun, they would be held in memory. */
const UNWRITTEN_LINKS = 50_000;
/** A job with so many waiting pages gets no more of them. */
const WAITING_OF_A_JOB = 20;

export function createWorker(parts: WorkerParts): Worker {
  const { name, frontier, wakeUps, room, log, claimSize = CLAIM, leaseMs = LEASE_MS } = parts;
  /** Rings when a page leaves the hands of this worker. */
  const freed = `room of ${name}`;
  /** Rings when pages were written. */
  const written = `writes of ${name}`;
  const stopping = new AbortController();
  const inHand = new Set<Promise<void>>();
  /** Pages that wait for their host's turn, by job. */
  const waiting = new Map<string, number>();
  let waitingCount = 0;
  /** Something waits until links are written. */
  let heldBack = false;
  /** One claim for each page that leaves would ask the database twenty times as often. */
  const leastClaim = Math.min(claimSize, Math.ceil(room / 3));
  let loop: Promise<void> | undefined;
  let renewing: NodeJS.Timeout | undefined;

  const committer = createCommitter({
    finish: (jobId, pages) => parts.finish(jobId, name, pages),
    log,
    onLost: (jobId) => parts.jobs.forget(jobId),
    onFinished(jobId, pages, report) {
      parts.jobs.learn(jobId, pages, report);
      if (report.pages.includes("lost")) parts.jobs.forget(jobId);
      wakeUps.ring(jobId);
      // Leases that ended make room in their job, too.
      wakeUps.ring(WORK);
      if (report.state !== "scraping") parts.jobs.end(jobId);
      if (report.revisits === true) parts.onRevisit(jobId);
      if (report.ended) parts.onEnded(jobId);
      else parts.onEvent();
    },
  });

  const politeness: Politeness = {
    ...parts.politeness,
    async enter(host, options) {
      waitingCount += 1;
      try {
        await roomForLinks(options.signal);
        return await parts.politeness.enter(host, options);
      } finally {
        waitingCount -= 1;
      }
    },
  };
  const pageParts = { ...parts.page, politeness };

  function isFull(): boolean {
    const full = committer.links() > UNWRITTEN_LINKS;
    heldBack ||= full;
    return full;
  }

  async function roomForLinks(signal: AbortSignal): Promise<void> {
    while (isFull() && !signal.aborted) {
      committer.hurry();
      await wakeUps.wait(written, parts.idleMs, signal);
    }
  }

  async function work(page: LeasedPage): Promise<void> {
    waiting.set(page.jobId, (waiting.get(page.jobId) ?? 0) + 1);
    try {
      const job = await parts.jobs.find(page.jobId);
      if (job === undefined) return await frontier.release(name, [page]);
      const signal = AbortSignal.any([stopping.signal, job.ended.signal]);
      const finished = await workPage(pageParts, page, job, signal);
      // The next page may begin while this one is being committed.
      void committer.add(finished).finally(() => {
        if (heldBack) wakeUps.ring(written);
        heldBack = false;
      });
    } catch (error) {
      if (!stopping.signal.aborted)
        log.debug({ err: error, jobId: page.jobId }, "a page was let go");
      await frontier.release(name, [page]);
    } finally {
      const left = (waiting.get(page.jobId) ?? 1) - 1;
      if (left > 0) waiting.set(page.jobId, left);
      else waiting.delete(page.jobId);
    }
  }

  function begin(page: LeasedPage): void {
    const running = work(page)
      .catch((error: unknown) => log.warn({ err: error }, "a page could not be given back"))
      .finally(() => {
        inHand.delete(running);
        wakeUps.ring(freed);
        // Nothing else is on its way that a commit could wait for.
        if (inHand.size === waitingCount) committer.hurry();
      });
    inHand.add(running);
  }

  async function claim(): Promise<LeasedPage[]> {
    // Pages that cannot be written as fast as they are finished hold the next ones back.
    const unwritten = Math.max(0, committer.size() - 2 * GROUP_PAGES);
    const load = inHand.size - waitingCount + unwritten;
    if (isFull()) return [];
    const most = Math.min(claimSize, room - load, room * WAITING_FACTOR - inHand.size);
    if (most < leastClaim) return [];
    const except = [...waiting].flatMap(([id, count]) =>
      count >= Math.max(WAITING_OF_A_JOB, room) ? [id] : [],
    );
    return await frontier.claim({ worker: name, most, leaseMs, except });
  }

  /** True when pages were taken. */
  async function turn(): Promise<boolean> {
    try {
      const pages = await claim();
      for (const page of pages) begin(page);
      return pages.length > 0;
    } catch (error) {
      log.warn({ err: error }, "no pages could be claimed; tried again soon");
      return false;
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      // Listening first: what rings while the database is asked is not missed.
      const listening = new AbortController();
      const signal = AbortSignal.any([stopping.signal, listening.signal]);
      const rung = Promise.race([
        wakeUps.wait(WORK, parts.idleMs, signal),
        wakeUps.wait(freed, parts.idleMs, signal),
        wakeUps.wait(written, parts.idleMs, signal),
      ]);
      const took = await turn();
      if (!took) await rung;
      listening.abort();
    }
  }

  return {
    start() {
      if (loop !== undefined) return;
      loop = run();
      renewing = setInterval(() => {
        if (inHand.size + committer.size() === 0) return;
        frontier
          .renew(name, leaseMs)
          .catch((error: unknown) => log.warn({ err: error }, "leases could not be renewed"));
      }, leaseMs / 4);
      renewing.unref();
    },
    async close() {
      stopping.abort();
      await loop;
      await Promise.all(inHand);
      await committer.close();
      clearInterval(renewing);
      await parts.politeness.close();
    },
  };
}
