// All routes of the API with their handlers.
import type { Usage } from "../account/usage.ts";
import type { Batches, Crawls, MapSite } from "../crawl/job.ts";
import type { PublicAddress } from "./public-address.ts";
import type { Handlers } from "./route.ts";
import { createSearchRoutes, type SearchRoutesParts } from "./search-routes.ts";
import { createV1JobHandlers, createV1MapHandlers } from "./v1/jobs.ts";
import { createV1ScrapeHandlers } from "./v1/scrape.ts";
import { createV1TeamHandlers } from "./v1/team.ts";
import { createAgentHandlers, type AgentRouteParts } from "./v2/agent.ts";
import { createBatchHandlers } from "./v2/batch.ts";
import { createBrowserHandlers, type BrowserRouteParts } from "./v2/browser.ts";
import { createChangeHandlers, type ChangeRouteParts } from "./v2/changes.ts";
import { createCrawlHandlers } from "./v2/crawl.ts";
import { createExtractorHandlers, type ExtractorRouteParts } from "./v2/extractors.ts";
import { createInteractHandlers } from "./v2/interact.ts";
import { createDeliveryHandlers } from "./v2/kind-routes.ts";
import { createJobListHandlers, type JobListRouteParts } from "./v2/job-list.ts";
import { createLlmsTxtHandlers } from "./v2/llms-txt.ts";
import { createMapHandlers } from "./v2/map.ts";
import { createMonitorHandlers, type MonitorRouteParts } from "./v2/monitor.ts";
import { createParseHandlers, type ParseRouteParts } from "./v2/parse.ts";
import { createJobRequestHandlers } from "./v2/job-request.ts";
import { createRetryHandlers, type RetryRouteParts } from "./v2/retry.ts";
import { createScrapeHandlers, type ScrapeRouteParts } from "./v2/scrape.ts";
import { createTeamHandlers } from "./v2/team.ts";
import { createUploadHandlers, type UploadRouteParts } from "./v2/uploads.ts";

/** Handlers for a single page or file, which need no store. */
export const createPageHandlers = (parts: ScrapeRouteParts & ParseRouteParts): Handlers => ({
  ...createScrapeHandlers(parts),
  ...createParseHandlers(parts),
  ...createV1ScrapeHandlers(parts),
});

export type KeepingParts = SearchRoutesParts &
  UploadRouteParts &
  AgentRouteParts &
  ExtractorRouteParts &
  ChangeRouteParts &
  JobListRouteParts &
  MonitorRouteParts &
  RetryRouteParts &
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
    ...createCrawlHandlers({ address, jobs: crawls }),
    ...createLlmsTxtHandlers({ address, jobs: crawls }),
    ...createLlmsTxtHandlers({ address, jobs: crawls }, "v1"),
    ...createBatchHandlers({ address, jobs: batches }),
    ...createDeliveryHandlers(parts),
    ...createRetryHandlers(parts),
    ...createJobRequestHandlers(parts),
    ...createMapHandlers(mapSite),
    ...createSearchRoutes(parts),
    ...createV1JobHandlers({ address, crawls, batches }),
    ...createV1MapHandlers(mapSite),
    ...(live === undefined
      ? {}
      : { ...createInteractHandlers(live), ...createBrowserHandlers(live) }),
    ...createUploadHandlers(parts),
    ...createAgentHandlers(parts),
    ...createExtractorHandlers(parts),
    ...createChangeHandlers(parts),
    ...createJobListHandlers(parts),
    ...createMonitorHandlers(parts),
    ...createTeamHandlers(usage),
    ...createV1TeamHandlers(usage),
  };
}
