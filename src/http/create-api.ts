// Creates the HTTP API: the handlers of all resources, and the server in front of them. A worker
// serves its health and metrics only.
import type { createAccounting } from "../account/accounting.ts";
import { createJobParts } from "../account/create-job-parts.ts";
import { createRateLimiter } from "../account/rate.ts";
import { createSharedRateLimiter } from "../account/shared-rate.ts";
import { recheckBrowser } from "../browser/open-pool.ts";
import type { Config } from "../config.ts";
import type { Egress } from "../egress/dispatchers.ts";
import { createInteract } from "../interact/interact.ts";
import type { Sessions } from "../interact/sessions.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { Logger } from "../logger.ts";
import type { Metrics } from "../metrics.ts";
import type { Models } from "../models/model.ts";
import { findMissingCapabilities } from "../scrape/capabilities.ts";
import type { ScrapeRoom } from "../scrape/create-scrape-room.ts";
import { createUploadReferences, type UploadReferences } from "../scrape/upload-references.ts";
import { createParseUpload } from "../scrape/uploads.ts";
import type { Store } from "../store/store.ts";
import { VERSION } from "../version.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import { createConsole, type Console } from "./console/create-console.ts";
import type { EarlyListener } from "./early-listener.ts";
import { createLazy } from "../runtime/lazy.ts";
import { serveFiles } from "./files.ts";
import { serveMonitorFeeds } from "./monitor-feeds.ts";
import { serveUnsubscribe } from "./monitor-unsubscribe.ts";
import { createKeepingHandlers, createPageHandlers, type KeepingParts } from "./handlers.ts";
import { createChecks, type Check } from "./health.ts";
import { createPublicAddress, type PublicAddress } from "./public-address.ts";
import { createReaderParts } from "./reader/reader.ts";
import type { Gatekeeper, Handlers } from "./route.ts";
import { serveOperator } from "./admin/serve-operator.ts";
import { createServer, type HttpServer } from "./server.ts";
import { createStopWork } from "./admin/stop-work.ts";
import { createCapabilityHandlers } from "./v2/capabilities.ts";
import { createWatch } from "./websockets/watch-jobs.ts";

export type ApiParts = Pick<
  KeepingParts,
  "crawls" | "batches" | "retryPages" | "mapSite" | "extractors" | "agents" | "search" | "monitors"
> & {
  readonly config: Config;
  readonly listener: EarlyListener;
  /** Accepted by the /admin routes. */
  readonly adminToken: string;
  /** Resolves once the store is open. */
  readonly store: () => Promise<Store>;
  /** False for a process without a store. */
  readonly keeps: boolean;
  readonly accounting: ReturnType<typeof createAccounting>;
  readonly egress: Egress;
  readonly models: Models;
  readonly scraping: ScrapeRoom;
  readonly jobs: () => Promise<Jobs>;
  readonly webhooks: () => Promise<Webhooks>;
  readonly sessions: Sessions;
  /** Aborts when requests are no longer accepted. */
  readonly stopping: AbortSignal;
  /** Aborts when closing begins, which ends streams. */
  readonly closing: AbortSignal;
  readonly log: Logger;
  readonly metrics: Metrics;
};

export type Api = {
  readonly server: HttpServer;
  readonly checks: readonly Check[];
  /** Undefined if the console is disabled. */
  readonly console: Console | undefined;
};

/** Listens nowhere yet. The caller closes the server. */
export async function createApi(parts: ApiParts): Promise<Api> {
  const { config, store, keeps, accounting, egress, scraping, sessions, log, metrics } = parts;
  const isApi = config.role !== "worker";
  const { withoutBrowser } = scraping;
  const address = createPublicAddress(config.publicUrl);
  const uploads = createUploadReferences(store);
  const missing = findMissingCapabilities({ isApi, keeps, withoutBrowser });
  const checks = createChecks(store, scraping.threads);
  const console = isApi && keeps ? createConsole(config, { ...parts, ...accounting }) : undefined;
  const shown = { address, uploads, missing };
  const server = await createServer({
    config,
    listener: parts.listener,
    log,
    metrics,
    version: VERSION,
    gatekeeper: createGatekeeper(parts, console),
    missing,
    checks,
    handlers: isApi ? createHandlers(parts, shown) : {},
    ...(isApi && {
      reader: createReaderParts(config, {
        scrape: scraping.scrape,
        search: keeps ? parts.search : undefined,
        address,
      }),
    }),
    ...(isApi &&
      keeps && {
        watch: createWatch((kind) => (kind === "crawl" ? parts.crawls() : parts.batches())),
        live: { sessions, cdp: config.browserCdp, log },
        uploads,
      }),
    ...(console && { console }),
    extend(instance) {
      if (!isApi) return;
      const { adminToken, webhooks } = parts;
      const { keyring, accounts } = accounting;
      const stopWork = createStopWork(parts);
      const session = console?.identify;
      const operator = { adminToken, keyring, accounts, stopWork, session };
      serveOperator(instance, { ...operator, webhooks, egress, config, checks, store });
      serveFiles(instance, { store });
      if (!keeps) return;
      serveMonitorFeeds(instance, { monitors: parts.monitors, address });
      serveUnsubscribe(instance, parts);
    },
  });
  return { server, checks, console };
}

/** Checks keys, sessions of the console, and rate limits. */
function createGatekeeper(
  { config, store, keeps, accounting, stopping }: ApiParts,
  console: Console | undefined,
): Gatekeeper {
  const isAlone = config.databaseUrl === undefined || !keeps;
  return {
    verify: async (key) => (await accounting.keyring()).verify(key),
    ...(console && { session: console.identify }),
    anonymous: config.auth && keeps ? undefined : accounting.anonymous,
    rate: isAlone
      ? createRateLimiter()
      : createSharedRateLimiter({ windows: async () => (await store()).rateWindows }),
    stopping,
  };
}

type DescribedParts = {
  readonly address: PublicAddress;
  readonly uploads: UploadReferences;
  readonly missing: ReturnType<typeof findMissingCapabilities>;
};

function createHandlers(parts: ApiParts, { address, uploads, missing }: DescribedParts): Handlers {
  const { config, store, keeps, accounting, scraping, sessions, log } = parts;
  const { scrape } = scraping;
  const interact = createInteract(parts);
  const live = { interact, sessions, store, address, cdp: config.browserCdp };
  return {
    ...createCapabilityHandlers(async () => ({
      version: VERSION,
      missing,
      browser: await recheckBrowser(config, scraping.browserPool),
      basicProxies: config.proxyBasic.length,
      enhancedProxies: config.proxyEnhanced.length,
    })),
    ...(keeps &&
      createKeepingHandlers({
        ...parts,
        address,
        uploads,
        usage: accounting.usage,
        histories: createLazy(async () => {
          const { PageHistories } = await import("../scrape/page-histories.ts");
          return new PageHistories(store);
        }),
        credits: accounting.credits,
        deliveries: async () => (await store()).deliveries,
        ...createJobParts(store, log, parts.closing),
        live: scraping.withoutBrowser === undefined ? live : undefined,
      })),
    ...createPageHandlers({
      scrape,
      scrapes: async () => (await store()).scrapes,
      parse: createParseUpload(scrape),
      uploads,
      address,
    }),
  };
}
