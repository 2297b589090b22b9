// All routes of the API with their handlers.
import type { Usage } from "../account/usage.ts";
import type { Batches, Crawls, MapSite } from "../crawl/job.ts";
import type { PublicAddress } from "./public-address.ts";
import type { Handlers } from "./route.ts";
import { searchRoutes, type SearchRoutesParts } from "./search-routes.ts";
import { v1JobHandlers, v1MapHandlers } from "./v1/jobs.ts";
import { v1ScrapeHandlers } from "./v1/scrape.ts";
import { v1TeamHandlers } from "./v1/team.ts";
import { agentHandlers, type AgentRouteParts } from "./v2/agent.ts";
import { batchHandlers } from "./v2/batch.ts";
import { browserHandlers, type BrowserRouteParts } from "./v2/browser.ts";
import { crawlHandlers } from "./v2/crawl.ts";
import { extractorHandlers, type ExtractorRouteParts } from "./v2/extractors.ts";
import { interactHandlers } from "./v2/interact.ts";
import { jobListHandlers, type JobListRouteParts } from "./v2/job-list.ts";
import { llmsTxtHandlers } from "./v2/llms-txt.ts";
import { mapHandlers } from "./v2/map.ts";
import { monitorHandlers, type MonitorRouteParts } from "./v2/monitor.ts";
import { parseHandlers, type ParseRouteParts } from "./v2/parse.ts";
import { scrapeHandlers, type ScrapeRouteParts } from "./v2/scrape.ts";
import { teamHandlers } from "./v2/team.ts";
import { uploadHandlers, type UploadRouteParts } from "./v2/uploads.ts";
import { deliveryHandlers, type DeliveryRouteParts } from "./v2/webhooks.ts";

/** Handlers for a single page or file, which need no store. */
export const pageHandlers = (parts: ScrapeRouteParts & ParseRouteParts): Handlers => ({
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
  Pick<DeliveryRouteParts, "deliveries"> & {
    readonly address: PublicAddress;
    readonly crawls: () => Promise<Crawls>;
    readonly batches: () => Promise<Batches>;
    readonly mapSite: MapSite;
    readonly usage: () => Promise<Usage>;
    /** Undefined without a browser. */
    readonly live: BrowserRouteParts | undefined;
  };

/** Handlers that need a store: jobs, searches, sessions, uploads, usage. */
export function keepingHandlers(parts: KeepingParts): Handlers {
  const { address, crawls, batches, deliveries, mapSite, usage, live } = parts;
  return {
    ...crawlHandlers({ address, jobs: crawls }),
    ...llmsTxtHandlers({ address, jobs: crawls }),
    ...batchHandlers({ address, jobs: batches }),
    ...deliveryHandlers("/v2/crawl", { address, jobs: crawls, deliveries }),
    ...deliveryHandlers("/v2/batch/scrape", { address, jobs: batches, deliveries }),
    ...mapHandlers(mapSite),
    ...searchRoutes(parts),
    ...v1JobHandlers({ address, crawls, batches }),
    ...v1MapHandlers(mapSite),
    ...(live === undefined ? {} : { ...interactHandlers(live), ...browserHandlers(live) }),
    ...uploadHandlers(parts),
    ...agentHandlers(parts),
    ...extractorHandlers(parts),
    ...jobListHandlers(parts),
    ...monitorHandlers(parts),
    ...teamHandlers(usage),
    ...v1TeamHandlers(usage),
  };
}
