// Finished pages are committed together: some of one job in one transaction, at most a moment after the first of them. While
// one group is written the next one gathers, so under load groups are full and the database is asked seldom.
import { LimitError, QuarryError, StorageError } from "../errors.ts";
import type { Logger } from "../log.ts";
import type { FinishedPage, FinishReport } from "../store/jobs/finish.ts";

export type CommitterParts = {
  readonly finish: (jobId: string, pages: readonly FinishedPage[]) => Promise<FinishReport>;
  readonly onFinished: (
    jobId: string,
    pages: readonly FinishedPage[],
    report: FinishReport,
  ) => void;
  /** The pages could not be written, and their leases will bring them back. */
  readonly onLost: (jobId: string) => void;
  /** The pages wait until the storage works again. */
  readonly onStorageError?: (error: StorageError, jobId: string) => void;
  readonly log: Logger;
  readonly maxPages?: number;
  readonly maxMs?: number;
  /** Between attempts while the database cannot be reached. */
  readonly retryMs?: number;
};

export type Committer = {
  /** Settles when the page is committed, or given up: its lease then brings it back. */
  add(page: FinishedPage): Promise<void>;
  /** Writes what is there without waiting for more. */
  hurry(): void;
  /** Pages that wait or are being written. */
  size(): number;
  /** Links of those pages. */
  links(): number;
  /** Writes what is there. */
  close(): Promise<void>;
};

type Waiting = { readonly page: FinishedPage; readonly done: () => void };

/** Pages of a group and the longest that one waits for others. 20 and 150 ms take 0.4 to 0.8 ms of CPU a page more. */
export const GROUP_PAGES = 40;
/** A group takes no further page when it has so many links. */
const GROUP_LINKS = 20_000;
const MS = 400;
const RETRY_MS = 1_000;
/** Then the leases have run out anyway. */
const ATTEMPTS = 20;

export function createCommitter(parts: CommitterParts): Committer {
  const { maxPages = GROUP_PAGES, maxMs = MS, retryMs = RETRY_MS, log } = parts;
  /** By job, in the order of their first page. */
  const waiting = new Map<string, Waiting[]>();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let closing = false;
  let size = 0;
  let links = 0;

  function take(): readonly [string, Waiting[]] | undefined {
    const full = waiting.entries().find(([, pages]) => pages.length >= maxPages);
    const next = full ?? waiting.entries().next().value;
    if (next === undefined) return undefined;
    const [jobId, pages] = next;
    const group = pages.splice(0, fitting(pages, maxPages));
    if (pages.length === 0) waiting.delete(jobId);
    return [jobId, group];
  }

  async function finish(jobId: string, group: readonly Waiting[]): Promise<void> {
    const pages = group.map(({ page }) => page);
    for (let attempt = 1; ; attempt++) {
      try {
        parts.onFinished(jobId, pages, await parts.finish(jobId, pages));
        return;
      } catch (error) {
        const isStorage = error instanceof StorageError;
        if (isStorage) parts.onStorageError?.(error, jobId);
        if (error instanceof LimitError && (isStorage || attempt < ATTEMPTS) && !closing) {
          await pause(retryMs);
          continue;
        }
        if (!(error instanceof LimitError) && group.length > 1) {
          // One page that cannot be written must not take the others with it.
          for (const single of group) await finish(jobId, [single]);
          return;
        }
        const err =
          error instanceof QuarryError ? error : new Error(String(error), { cause: error });
        log.error({ err, jobId, pages: pages.length }, "finished pages could not be kept");
        parts.onLost(jobId);
        return;
      }
    }
  }

  async function drain(): Promise<void> {
    for (let next = take(); next !== undefined; next = take()) {
      const [jobId, group] = next;
      await finish(jobId, group);
      size -= group.length;
      links -= linksOf(group);
      for (const { done } of group) done();
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    running ??= drain().finally(() => {
      running = undefined;
    });
    return running;
  }

  return {
    add(page) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const pages = waiting.get(page.page.jobId) ?? [];
      waiting.set(page.page.jobId, pages);
      pages.push({ page, done: resolve });
      size += 1;
      links += page.links.length;
      if (running === undefined) {
        if (pages.length >= maxPages || closing) void flush();
        else timer ??= setTimeout(() => void flush(), maxMs);
      }
      return promise;
    },
    hurry() {
      if (size > 0) void flush();
    },
    size: () => size,
    links: () => links,
    async close() {
      closing = true;
      while (waiting.size > 0 || running !== undefined) await flush();
    },
  };
}

const linksOf = (group: readonly Waiting[]): number =>
  group.reduce((sum, { page }) => sum + page.links.length, 0);

/** How many of the first pages make a group: one at least. */
function fitting(pages: readonly Waiting[], maxPages: number): number {
  let links = 0;
  const beyond = pages.findIndex(({ page }, index) => {
    links += page.links.length;
    return index === maxPages || (index > 0 && links > GROUP_LINKS);
  });
  return beyond === -1 ? pages.length : beyond;
}

function pause(ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  setTimeout(resolve, ms);
  return promise;
}
