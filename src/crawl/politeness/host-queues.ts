// Pages waiting for their host: for its robots.txt or their turn. A host that is slow, asks for
// long delays or does not answer keeps only its next page. The others are released, so that they do
// not block pages of other hosts.
import type { HostPlaces, LeasedPage } from "../../store/jobs/frontier.ts";

/** A host whose pages wait this long counts as slow. */
const SLOW_MS = 2_000;
/** A host counts as slow until this long after its last long wait. */
const REMEMBER_MS = 60_000;
/** Pages that wait for a slow host. */
const MAX_WAITING_SLOW = 1;
/** No more pages are claimed for a host with this many waiting. */
const MAX_WAITING = 20;

type HostWaiter = { readonly since: number; readonly release: () => void };

type Line = { readonly pages: Map<LeasedPage, HostWaiter>; slowUntil: number };

export class HostQueues {
  readonly #lines = new Map<string, Line>();
  readonly #byJob = new Map<string, number>();
  readonly #now: () => number;
  #size = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Pages waiting. */
  get size(): number {
    return this.#size;
  }

  /** Waiting pages by job; jobs without any are absent. */
  get byJob(): ReadonlyMap<string, number> {
    return this.#byJob;
  }

  /** Runs the wait of the page; `release` may be called meanwhile. */
  async wait<Result>(
    page: LeasedPage,
    release: () => void,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const { host, jobId } = page;
    const line = this.#lines.get(host) ?? {
      pages: new Map<LeasedPage, HostWaiter>(),
      slowUntil: 0,
    };
    this.#lines.set(host, line);
    const since = this.#now();
    line.pages.set(page, { since, release });
    this.#count(jobId, 1);
    try {
      return await work();
    } finally {
      const now = this.#now();
      if (now - since >= SLOW_MS) line.slowUntil = now + REMEMBER_MS;
      line.pages.delete(page);
      this.#count(jobId, -1);
      this.#drop(host, line, now);
    }
  }

  /** Number of pages that may still be claimed of each limited host. */
  countPlaces(): HostPlaces {
    const now = this.#now();
    const places: Record<string, number> = {};
    for (const [host, { pages, slowUntil }] of this.#lines)
      if (slowUntil > now) places[host] = Math.max(0, MAX_WAITING_SLOW - pages.size);
      else if (pages.size >= MAX_WAITING) places[host] = 0;
    return places;
  }

  /** Stops treating the host as slow. */
  forget(host: string): void {
    const line = this.#lines.get(host);
    if (line !== undefined) line.slowUntil = 0;
  }

  isSlow(host: string): boolean {
    return (this.#lines.get(host)?.slowUntil ?? 0) > this.#now();
  }

  /**
   * Releases pages that wait for slow hosts, except the first of each host and the start pages of
   * crawls.
   */
  releaseWaiting(): void {
    const now = this.#now();
    for (const [host, line] of this.#lines) {
      this.#drop(host, line, now);
      const [first] = line.pages.values();
      if (first === undefined || now - first.since < SLOW_MS) continue;
      line.slowUntil = now + REMEMBER_MS;
      const beyond = [...line.pages].slice(MAX_WAITING_SLOW);
      for (const [page, { release }] of beyond) if (page.source !== "start") release();
    }
  }

  #count(jobId: string, change: 1 | -1): void {
    this.#size += change;
    const count = (this.#byJob.get(jobId) ?? 0) + change;
    if (count > 0) this.#byJob.set(jobId, count);
    else this.#byJob.delete(jobId);
  }

  #drop(host: string, { pages, slowUntil }: Line, now: number): void {
    if (pages.size === 0 && slowUntil <= now) this.#lines.delete(host);
  }
}
