// Composition root: builds every part from the configuration in order, and closes them in reverse.
// The server listens first (src/http/early-listener.ts); the database opens behind it.
import { randomBytes } from "node:crypto";
import { createAccounting } from "./account/accounting.ts";
import { createJobParts } from "./account/create-job-parts.ts";
import type { CreatedKey } from "./account/keys.ts";
import { createRateLimiter } from "./account/rate.ts";
import { createSharedRateLimiter } from "./account/shared-rate.ts";
import { createRequestSlots } from "./account/request-slots.ts";
import { createSlots } from "./account/slots.ts";
import {
  recheckBrowser,
  openBrowserPool,
  pagesAtOnce,
  explainMissingBrowser,
} from "./browser/open-pool.ts";
import { closeStarted, closeWithin, settle } from "./runtime/shutdown.ts";
import { ConfigError, settingConflicts, type Config } from "./config.ts";
import { LIMITS } from "./contract/request/limits.ts";
import { createEgress, type Egress } from "./egress/dispatchers.ts";
import { checkFixedHost } from "./egress/fixed-host.ts";
import { openAudioEngine } from "./engines/audio.ts";
import { logReading, openDocumentEngine } from "./engines/document.ts";
import { createBrowserEngine } from "./engines/browser.ts";
import { createHttpEngine } from "./engines/http.ts";
import { availableEngines, type Engines } from "./engines/registry.ts";
import { LimitError, RequestError } from "./errors.ts";
import { createFormatPool } from "./formats/pool.ts";
import { createUnderstanding } from "./formats/understand.ts";
import { createEarlyListener, type EarlyListener } from "./http/early-listener.ts";
import { serveFiles } from "./http/files.ts";
import { keepingHandlers, pageHandlers } from "./http/handlers.ts";
import { createConsole } from "./http/console/create-console.ts";
import { createPublicAddress } from "./http/public-address.ts";
import { createReaderParts } from "./http/reader/reader.ts";
import { listeningUrl, reachableUrl } from "./http/reachable-url.ts";
import { createChecks, runChecks, type Failure } from "./http/health.ts";
import { createStopWork } from "./http/stop-work.ts";
import { serveOperator } from "./http/serve-operator.ts";
import { createServer, type HttpServer } from "./http/server.ts";
import { capabilityHandlers } from "./http/v2/capabilities.ts";
import { createWatch } from "./http/watch-jobs.ts";
import { createInteract } from "./interact/interact.ts";
import { Sessions } from "./interact/sessions.ts";
import { createJobRooms } from "./job-rooms.ts";
import { createLogger, type Logger } from "./log.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
import { lazy } from "./runtime/lazy.ts";
import { NO_STORAGE_MESSAGE, missingCapabilities } from "./scrape/capabilities.ts";
import { createModels } from "./models/models.ts";
import { createFetchAndConvert } from "./scrape/fetch-and-convert.ts";
import { createPageFiles } from "./scrape/page-files.ts";
import { createPageScraper } from "./scrape/page.ts";
import { createUploadReferences } from "./scrape/upload-references.ts";
import { createParseUpload } from "./scrape/uploads.ts";
import { createScrape } from "./scrape/scrape.ts";
import { createSearchRoom, openIndex, toIndex } from "./search/create-search-room.ts";
import { createTrackChanges } from "./scrape/track-changes.ts";
import { loadKeyFile, saveKeyFile } from "./store/database/key-file.ts";
import { removeServerFile, saveServerFile } from "./store/database/server-file.ts";
import { VERSION } from "./version.ts";
import { createWebhooks } from "./webhooks/webhooks.ts";

export type AppOptions = {
  readonly log?: Logger;
  /** False for a process without a store: no database, no cache, no keys. */
  readonly keeps?: boolean;
  /** An open listener that queues requests for the service, which takes it over and closes it. */
  readonly listener?: EarlyListener;
};

export type App = AsyncDisposable & {
  readonly config: Config;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly egress: Egress;
  readonly server: HttpServer;
  /** Accepted by the /admin routes. */
  readonly adminToken: string;
  /**
   * Accepts requests, and listens unless the listener is open; returns the base URL without a
   * trailing slash.
   */
  listen(): Promise<string>;
  /** Opens only the store, so that its error is thrown here instead of failing a request. */
  openStore(): Promise<void>;
  /** Opens slow parts. Returns the first key if this start created one. */
  open(): Promise<CreatedKey | undefined>;
  /** Returns a link that signs the operator in, once; undefined without a console. */
  createSignInLink(): Promise<string | undefined>;
  /** Returns the failures of the opened parts. */
  check(): Promise<Failure[]>;
  close(): Promise<void>;
};

/** Builds the service. The caller closes it. Throws ConfigError for conflicting settings. */
export async function createApp(config: Config, options: AppOptions = {}): Promise<App> {
  const { keeps = true, listener = createEarlyListener(config) } = options;
  const faults = settingConflicts(config);
  if (faults.length > 0) throw new ConfigError(faults.join("\n"));
  const log = options.log ?? createLogger(config.logLevel);
  const metrics = createMetrics();
  const egress = createEgress(config, { metrics });
  const pool = createFormatPool({
    threads: config.workerThreads,
    memoryMiB: config.workerMemoryMiB,
  });
  const documents = openDocumentEngine(config, logReading(log));
  const models = createModels(config, { metrics });
  const adminToken = randomBytes(32).toString("base64url");
  /** Aborted when closing begins, which stops parts that are still opening. */
  const closing = new AbortController();

  const store = lazy(async () => {
    if (!keeps) throw new RequestError("NOT_IMPLEMENTED", NO_STORAGE_MESSAGE);
    // Loaded behind the listening server: neither the first answer nor a command without a store
    // waits for it.
    const { openStore } = await import("./store/store.ts");
    return await openStore(config, log, closing.signal);
  });
  const slots = createRequestSlots(config, { store, keeps, log, metrics });
  const { accounts, keyring, credits, usage, anonymous } = createAccounting(config, {
    store,
    keeps,
    slots,
  });

  const stopping = new AbortController();
  const http = createHttpEngine({ egress, config, log, metrics });
  const browserPool = lazy(() => openBrowserPool({ config, egress, log }));
  const withoutBrowser = explainMissingBrowser(config);
  const hasBrowser = withoutBrowser === undefined;
  const browser = createBrowserEngine({
    pool: browserPool,
    slots: createSlots({ maxConcurrency: pagesAtOnce(config) }),
    profiles: keeps ? async () => (await store()).profiles : undefined,
    config,
    log,
    metrics,
  });
  const engines: Engines = hasBrowser ? { http, browser } : { http };
  const captures = async () => (await store()).captures;
  const indexer = keeps ? openIndex(config, { store, log }) : undefined;
  const pages = createPageScraper({
    fetchAndConvert: createFetchAndConvert({
      engines,
      egress,
      pool,
      documents,
      hasModel: models.role("fast") !== undefined,
      captures,
      longestFetchMs: LIMITS.timeoutMs.max,
    }),
    capabilities: {
      engines: availableEngines(engines),
      enhancedProxy: egress.hasProxy("enhanced"),
      hasCountry: (country) =>
        egress.hasProxy("basic", country) || egress.hasProxy("enhanced", country),
    },
    forceTls: config.forceTlsVerification,
    cacheShared: config.cacheShared,
    audio: openAudioEngine(config, { http, egress }),
    understand: createUnderstanding(models),
    files: createPageFiles({
      keeping: keeps ? store : undefined,
      answer: config.fileAnswers,
      publicUrl: config.publicUrl,
    }),
    captures: keeps ? captures : undefined,
    onStored: toIndex(indexer),
    trackChanges: keeps ? createTrackChanges({ store, models, log }) : undefined,
  });
  const scrape = createScrape({
    pages,
    credits,
    slots,
    keeping: keeps ? store : undefined,
    resultLifeMs: config.resultLifeHours * 3_600_000,
    log,
    metrics,
  });

  const searching = createSearchRoom({ config, store, credits, scrape, log, metrics }, indexer);
  const webhooks = lazy(async () => {
    const kept = await store();
    const shared = kept.database.kind === "postgres";
    return createWebhooks({ store: kept, egress, config, shared, log, metrics });
  });
  const { search } = searching;
  const rooms = createJobRooms({
    store,
    credits,
    webhooks,
    slots,
    pages,
    models,
    http,
    scrape,
    searching,
    checkStart: (url) => checkFixedHost(url, egress),
    config,
    log,
    metrics,
  });
  const { jobs, crawls, batches, mapSite, extracts, agents } = rooms;
  const sessions = new Sessions({ pool: browserPool, store, credits, log });
  const interact = createInteract({ sessions, store, egress, config, models, log });
  const address = createPublicAddress(config.publicUrl);
  const deliveries = async () => (await store()).deliveries;
  const uploads = createUploadReferences(store);
  const isApi = config.role !== "worker";
  const console =
    isApi && keeps ? createConsole(config, { store, keyring, adminToken }) : undefined;
  const missing = missingCapabilities({ isApi, keeps, withoutBrowser });
  const live = { interact, sessions, store, address, cdp: config.browserCdp };
  const reader = createReaderParts(config, { scrape, search: keeps ? search : undefined, address });
  const keeping = {
    address,
    crawls,
    batches,
    deliveries,
    mapSite,
    search,
    uploads,
    usage,
    ...createJobParts(store, log, closing.signal),
    extracts,
    agents,
    live: hasBrowser ? live : undefined,
  };
  const handlers = {
    ...capabilityHandlers(async () => ({
      version: VERSION,
      missing,
      browser: await recheckBrowser(config, browserPool),
      basicProxies: config.proxyBasic.length,
      enhancedProxies: config.proxyEnhanced.length,
    })),
    ...(keeps ? keepingHandlers(keeping) : {}),
    ...pageHandlers({
      scrape,
      scrapes: async () => (await store()).scrapes,
      parse: createParseUpload(scrape),
      uploads,
      address,
    }),
  };
  const stopWork = createStopWork({ jobs, sessions });
  const checks = createChecks(store, pool);
  const session = console?.identify;
  const operator = { adminToken, keyring, accounts, stopWork, session };
  const server = await createServer({
    config,
    listener,
    log,
    metrics,
    version: VERSION,
    gatekeeper: {
      verify: async (key) => (await keyring()).verify(key),
      ...(session && { session }),
      anonymous: config.auth && keeps ? undefined : anonymous,
      rate:
        config.databaseUrl === undefined || !keeps
          ? createRateLimiter()
          : createSharedRateLimiter({ windows: async () => (await store()).rateWindows }),
      stopping: stopping.signal,
    },
    handlers: isApi ? handlers : {},
    ...(isApi && keeps
      ? { watch: createWatch((kind) => (kind === "crawl" ? crawls() : batches())) }
      : {}),
    ...(isApi ? { reader } : {}),
    ...(isApi && keeps ? { live: { sessions, cdp: config.browserCdp, log }, uploads } : {}),
    ...(console && { console }),
    missing,
    checks,
    extend: (instance) => {
      if (!isApi) return;
      serveOperator(instance, { ...operator, webhooks, egress, config, checks });
      serveFiles(instance, { store });
    },
  });
  let listening = false;
  let opening: Promise<unknown> = Promise.resolve();
  const close = lazy(async () => {
    closing.abort();
    await closeWithin(config.shutdownMs, {
      requests: async () => await server.close(),
      refuse: () =>
        stopping.abort(
          new LimitError("UNAVAILABLE", "The server is stopping.", { retryAfterMs: 1_000 }),
        ),
      parts: closeParts,
      storage: () => closeStarted(keyring, store),
    });
  });

  async function closeParts(): Promise<void> {
    await opening.catch(() => undefined);
    if (listening) await removeServerFile(config, adminToken);
    await settle(() => rooms.close());
    await closeStarted(webhooks);
    await settle(() => searching.close());
    await settle(() => sessions.close());
    await closeStarted(browserPool);
    await settle(() => slots.close());
    await Promise.all([pool.close(), documents.close(), models.close(), egress.close()]);
  }

  async function open(): Promise<CreatedKey | undefined> {
    const stopped = (): boolean => closing.signal.aborted;
    const warmed = pool.warm();
    // Awaited below; if the store fails to open, the pool is closed and nobody awaits it.
    warmed.catch(() => undefined);
    if (keeps) {
      const { retention } = await store();
      if (stopped()) return undefined;
      const ring = config.auth && isApi ? await keyring() : undefined;
      if (stopped()) return undefined;
      const first = await ring?.createFirst({
        load: () => loadKeyFile(config),
        save: (key) => saveKeyFile(config, key),
      });
      if (stopped()) return first;
      if (listening)
        await saveServerFile(config, {
          pid: process.pid,
          url: reachableUrl(listener, config),
          adminToken,
        });
      if (stopped()) return first;
      retention.start();
      if (config.role !== "api") {
        await rooms.start();
        (await webhooks()).start();
      }
      await warmed;
      return first;
    }
    await warmed;
    return undefined;
  }

  return {
    config,
    log,
    metrics,
    egress,
    server,
    adminToken,
    async listen() {
      await listener.open();
      await server.ready();
      listener.admit((request, response) => server.routing(request, response));
      listening = true;
      return egress.own.addUrl(listeningUrl(listener, config));
    },
    async openStore() {
      await store();
    },
    open() {
      const opened = open();
      opening = opened;
      return opened;
    },
    check: () => runChecks(checks),
    createSignInLink: async () => console?.createSignInLink(reachableUrl(listener, config)),
    close,
    [Symbol.asyncDispose]: close,
  };
}
