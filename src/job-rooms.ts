// Every kind of job of this server over one lifecycle. A new kind is one more entry in `kinds`.
import type { Credits } from "./account/credits.ts";
import { createAgentRoom, type AgentRoomParts } from "./agent/create-agent-room.ts";
import { createMonitorRoom, type MonitorRoomParts } from "./monitors/create-monitor-room.ts";
import { createCrawlRoom, type CrawlRoomParts } from "./crawl/create-crawl-room.ts";
import type { MapSite, RetryPages } from "./crawl/job.ts";
import { BATCH_KIND, createCrawlKind } from "./crawl/kinds.ts";
import type { JobKindName } from "./contract/jobs/kinds.ts";
import { createFetchFile } from "./engines/fetch-text.ts";
import { createJobService } from "./jobs/create-jobs.ts";
import type { JobKind } from "./jobs/kind.ts";
import { createLazy } from "./runtime/lazy.ts";
import { closeStarted, settle } from "./runtime/shutdown.ts";
import type { Scrape } from "./scrape/scrape.ts";
import type { SearchRoom } from "./search/create-search-room.ts";
import { createExtractKind } from "./search/extract-kind.ts";
import type { Webhooks } from "./webhooks/webhooks.ts";

export type JobRoomsParts = Omit<AgentRoomParts, "jobs" | "searching"> &
  Pick<MonitorRoomParts, "egress" | "config" | "store"> &
  Pick<CrawlRoomParts, "models" | "checkStart" | "config" | "metrics"> & {
    readonly credits: () => Promise<Credits>;
    readonly webhooks: () => Promise<Webhooks>;
    readonly scrape: Scrape;
    readonly searching: SearchRoom;
  };

/** Nothing is opened before it is used. The caller closes the result; the store must stay open until then. */
export function createJobRooms(parts: JobRoomsParts) {
  const { store, credits, webhooks, scrape, searching, http } = parts;
  const mapSite: MapSite = async (options, caller) => (await crawlRoom()).mapSite(options, caller);
  const retryPages: RetryPages = async (job, options, caller) =>
    (await crawlRoom()).retryPages(job, options, caller);
  const jobs = async () => (await service()).jobs;
  const agentRoom = createAgentRoom({ ...parts, jobs });
  const crawls = async () => (await crawlRoom()).crawls;
  const monitorRoom = createMonitorRoom({
    ...parts,
    jobs,
    crawls,
    mapSite,
    search: searching.search,
  });
  const kinds: Record<JobKindName | "monitor", JobKind> = {
    crawl: createCrawlKind(async () => (await crawlRoom()).seeding),
    batch_scrape: BATCH_KIND,
    extract: createExtractKind({ scrape, mapSite, search: searching.search }),
    agent: agentRoom.kind,
    monitor: monitorRoom.kind,
  };
  const service = createLazy(async () =>
    createJobService({
      ...parts,
      store: await store(),
      credits: await credits(),
      webhooks: await webhooks(),
      kinds: Object.values(kinds),
    }),
  );
  const crawlRoom = createLazy(async () =>
    createCrawlRoom({
      ...parts,
      store: await store(),
      jobs: await service(),
      credits: await credits(),
      fetchFile: createFetchFile(http),
      webhooks: await webhooks(),
    }),
  );
  return {
    jobs,
    mapSite,
    retryPages,
    crawls,
    batches: async () => (await crawlRoom()).batches,
    agents: agentRoom.agents,
    monitors: monitorRoom.monitors,
    /** Starts working on jobs, including those left by a process that ended. */
    async start(): Promise<void> {
      await (await crawlRoom()).start();
      await (await service()).start();
      await monitorRoom.start();
    },
    async close(): Promise<void> {
      if (service.started()) await settle(async () => await (await service()).stop());
      await settle(() => agentRoom.close());
      await settle(() => monitorRoom.close());
      await closeStarted(crawlRoom, service);
    },
  };
}
