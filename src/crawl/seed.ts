// The URLs that a crawl gets from elsewhere than its pages: sitemaps. Read beside the first pages; the crawl does not end
// before they are.
import type { RobotsStore } from "../discovery/robots.ts";
import type { Logger } from "../log.ts";
import type { FrontierStore } from "../store/frontier.ts";
import type { JobStore } from "../store/jobs.ts";
import { WORK, type WakeUps } from "./wake-up.ts";

export type SeederParts = {
  readonly jobs: JobStore;
  readonly frontier: FrontierStore;
  readonly robots: RobotsStore;
  readonly userAgent: string;
  readonly wakeUps: WakeUps;
  readonly log: Logger;
  readonly now: () => number;
  readonly onEnded: (jobId: string) => void;
};

export type Seeder = {
  /** Begins in the background. */
  seed(jobId: string): Promise<void>;
  /** Goes on with the crawls whose seeding a process that is gone had begun. */
  start(): void;
  close(): Promise<void>;
};

export function createSeeder(parts: SeederParts): Seeder {
  const { jobs, log, wakeUps, now } = parts;
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();

  async function work(jobId: string): Promise<void> {
    const { ended } = await jobs.endSeeding(jobId, now());
    wakeUps.ring(WORK);
    if (ended) parts.onEnded(jobId);
  }

  function begin(jobId: string): void {
    const run = work(jobId)
      .catch((error: unknown) => log.error({ err: error, jobId }, "a crawl could not be seeded"))
      .finally(() => void running.delete(run));
    running.add(run);
  }

  return {
    async seed(jobId) {
      begin(jobId);
    },
    start() {
      void jobs.seeding().then(
        (found) => {
          for (const { id } of found) begin(id);
        },
        (error: unknown) => log.warn({ err: error }, "unfinished crawls could not be looked up"),
      );
    },
    async close() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}
