// All routes of the API with their handlers.
import type { Usage } from "../account/usage.ts";
import type { Batches, Crawls, MapSite } from "../crawl/job.ts";
import type { PublicAddress } from "./public-address.ts";
import type { Handlers } from "./route.ts";
import { searchRoutes, type SearchRoutesParts } from "./search-routes.ts";
import { v1JobHandlers, v1MapHandlers } from "./v1/jobs.ts";
import { v1ScrapeHandlers } from "./v1/scrape.ts";
import { v1TeamHandlers } from "./v1/team.ts";
import { createAgentHandlers, type AgentRouteParts } from "./v2/agent.ts";
import { createBatchHandlers } from "./v2/batch.ts";
import { createBrowserHandlers, type BrowserRouteParts } from "./v2/browser.ts";
import { crawlHandlers } from "./v2/crawl.ts";
import { createExtractorHandlers, type ExtractorRouteParts } from "./v2/extractors.ts";
import { interactHandlers } from "./v2/interact.ts";
import { createDeliveryHandlers } from "./v2/kind-routes.ts";
import { createJobListHandlers, type JobListRouteParts } from "./v2/job-list.ts";
import { createLlmsTxtHandlers } from "./v2/llms-txt.ts";
import { createMapHandlers } from "./v2/map.ts";
import { createMonitorHandlers, type MonitorRouteParts } from "./v2/monitor.ts";
import { parseHandlers, type ParseRouteParts } from "./v2/parse.ts";
import { scrapeHandlers, type ScrapeRouteParts } from "./v2/scrape.ts";
import { createTeamHandlers } from "./v2/team.ts";
import { createUploadHandlers, type UploadRouteParts } from "./v2/uploads.ts";

/** Handlers for a single page or file, which need no store. */
export const createPageHandlers = (parts: ScrapeRouteParts & ParseRouteParts): Handlers => ({
  ...scrapeHandlers(parts),
  ...parseHandlers(parts),
  ...v1ScrapeHandlers(parts),
});

export type KeepingParts = SearchRoutesParts &
  UploadRouteParts &
  AgentRouteParts &
  ExtractorRouteParts &
  JobListRouteParts &
  MonitorRouteParts &
  Parameters<typeof createDeliveryHandlers>[0] & {
    readonly address: PublicAddress;
    readonly crawls: () => Promise<Crawls>;
    readonly batches: () => Promise<Batches>;
    readonly mapSite: MapSite;
    readonly usage: () => Promise<Usage>;
    /** Undefined without a browser. */
    readonly live: BrowserRouteParts | undefined;
  };

/** Handlers that need a store: jobs, searches, sessions, uploads, usage. */
export function createKeepingHandlers(parts: KeepingParts): Handlers {
  const { address, crawls, batches, mapSite, usage, live } = parts;
  return {
    ...crawlHandlers({ address, jobs: crawls }),
    ...createLlmsTxtHandlers({ address, jobs: crawls }),
    ...createLlmsTxtHandlers({ address, jobs: crawls }, "v1"),
    ...createBatchHandlers({ address, jobs: batches }),
    ...createDeliveryHandlers(parts),
    ...createMapHandlers(mapSite),
    ...searchRoutes(parts),
    ...v1JobHandlers({ address, crawls, batches }),
    ...v1MapHandlers(mapSite),
    ...(live === undefined ? {} : { ...interactHandlers(live), ...createBrowserHandlers(live) }),
    ...createUploadHandlers(parts),
    ...createAgentHandlers(parts),
    ...createExtractorHandlers(parts),
    ...createJobListHandlers(parts),
    ...createMonitorHandlers(parts),
    ...createTeamHandlers(usage),
    ...v1TeamHandlers(usage),
  };
}
