// Every kind of job of this server, put together over one lifecycle: crawls, batches, extractions, agent runs and checks of monitors. A new kind
// is one more entry in `kinds`.
import type { Credits } from "./account/credits.ts";
import { createAgentRoom, type AgentRoomParts } from "./agent/create-agent-room.ts";
import { createMonitorRoom, type MonitorRoomParts } from "./monitors/create-monitor-room.ts";
import { createCrawlRoom, type CrawlRoomParts } from "./crawl/create-crawl-room.ts";
import type { MapSite } from "./crawl/job.ts";
import { BATCH_KIND, createCrawlKind } from "./crawl/kinds.ts";
import { createFetchFile } from "./engines/fetch-text.ts";
import { createJobService } from "./jobs/create-jobs.ts";
import { createLazy } from "./runtime/lazy.ts";
import { closeStarted, settle } from "./runtime/shutdown.ts";
import type { Scrape } from "./scrape/scrape.ts";
import type { SearchRoom } from "./search/create-search-room.ts";
import { createExtractKind } from "./search/extract-kind.ts";
import { createExtracts } from "./search/extracts.ts";
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
  const jobs = async () => (await service()).jobs;
  const extractKind = createExtractKind({ scrape, mapSite, search: searching.search });
  const agentRoom = createAgentRoom({ ...parts, jobs });
  const crawlKind = createCrawlKind(async () => (await crawlRoom()).seeding);
  const crawls = async () => (await crawlRoom()).crawls;
  const monitorRoom = createMonitorRoom({
    ...parts,
    jobs,
    crawls,
    mapSite,
    search: searching.search,
  });
  const kinds = [crawlKind, BATCH_KIND, extractKind, agentRoom.kind, monitorRoom.kind];
  const service = createLazy(async () =>
    createJobService({
      ...parts,
      store: await store(),
      credits: await credits(),
      webhooks: await webhooks(),
      kinds,
    }),
  );
  const crawlRoom = createLazy(async () =>
    createCrawlRoom({
      ...parts,
      store: await store(),
      kind: crawlKind,
      jobs: await service(),
      credits: await credits(),
      fetchFile: createFetchFile(http),
      webhooks: await webhooks(),
    }),
  );
  return {
    jobs,
    mapSite,
    crawls,
    batches: async () => (await crawlRoom()).batches,
    extracts: createExtracts({ kind: extractKind, jobs, credits }),
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
