// Composition root: builds every part from the configuration in order, and closes them in reverse.
// The server listens first (src/http/early-listener.ts); the database opens behind it.
import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { createAccounting } from "./account/accounting.ts";
import type { CreatedKey } from "./account/keys.ts";
import { createPageMeter } from "./account/page-meter.ts";
import { createRequestSlots } from "./account/request-slots.ts";
import { ConfigError, findSettingConflicts, type Config } from "./config.ts";
import { createEgress, type Egress } from "./egress/dispatchers.ts";
import { checkFixedHost } from "./egress/fixed-host.ts";
import { LimitError, RequestError } from "./errors.ts";
import { createLoadSampler } from "./diagnosis/load-sampler.ts";
import { createExtractors } from "./stored-extractors/extractors.ts";
import { openTeaching } from "./stored-extractors/open-teaching.ts";
import { createPrograms } from "./stored-extractors/programs.ts";
import type { FormatPool } from "./formats/threads/pool.ts";
import { createApi } from "./http/create-api.ts";
import { createEarlyListener, type EarlyListener } from "./http/early-listener.ts";
import { runChecks, type Failure } from "./http/health.ts";
import { buildListeningUrl, buildReachableUrl, findPort } from "./http/reachable-url.ts";
import type { HttpServer } from "./http/server.ts";
import { Sessions } from "./interact/sessions.ts";
import { createJobRooms } from "./job-rooms.ts";
import { createLogger, type Logger } from "./logger.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
import { createModels } from "./models/models.ts";
import { createLazy } from "./runtime/lazy.ts";
import { closeStarted, closeWithin, settle } from "./runtime/shutdown.ts";
import type { Telemetry } from "./telemetry/open-telemetry.ts";
import { VERSION } from "./version.ts";
import { NO_STORAGE_MESSAGE } from "./scrape/capabilities.ts";
import { createScrapeRoom } from "./scrape/create-scrape-room.ts";
import { createSearchRoom, openIndex, toIndex } from "./search/create-search-room.ts";
import { loadKeyFile, saveKeyFile } from "./store/database/key-file.ts";
import type { StorageReport } from "./store/report-storage.ts";
import { removeServerFile, saveServerFile } from "./store/database/server-file.ts";
import { createWebhooks } from "./webhooks/webhooks.ts";

export type AppOptions = {
  readonly log?: Logger;
  /** False for a process without a store: no database, no cache, no keys. */
  readonly keeps?: boolean;
  /** False: threads that convert pages start with the first page that needs one, not at opening. */
  readonly warms?: boolean;
  /** An open listener that queues requests for the service, which takes it over and closes it. */
  readonly listener?: EarlyListener;
  /** Conversion threads of the caller, who closes them; by default the service starts its own. */
  readonly threads?: FormatPool;
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
  /** Resolves once the conversion threads have started, which `open` does not wait for. */
  warm(): Promise<void>;
  /** Returns a link that signs the operator in, once; undefined without a console. */
  createSignInLink(): Promise<string | undefined>;
  /** Returns the failures of the opened parts; a part without an answer in time has failed. */
  check(withinMs?: number): Promise<Failure[]>;
  close(): Promise<void>;
};

/** Builds the service. The caller closes it. Throws ConfigError for conflicting settings. */
export async function createApp(config: Config, options: AppOptions = {}): Promise<App> {
  const { keeps = true, warms = true, listener = createEarlyListener(config) } = options;
  const faults = findSettingConflicts(config);
  if (faults.length > 0) throw new ConfigError(faults.join("\n"));
  /** Aborted when closing begins, which stops parts that are still opening. */
  const closing = new AbortController();
  /** Aborted when requests are no longer accepted. */
  const stopping = new AbortController();
  const adminToken = randomBytes(32).toString("base64url");
  const log = options.log ?? createLogger(config.logLevel);
  const metrics = createMetrics();
  // Before the parts: they ask whether there is tracing.
  const telemetry = await openTracing(config);

  // Each part is built from parts above it, and opens what it needs when it is first used.
  const egress = createEgress(config, { metrics });
  const models = createModels(config, { metrics });
  let storage: StorageReport | undefined;
  const store = createLazy(async () => {
    if (!keeps) throw new RequestError("NOT_IMPLEMENTED", NO_STORAGE_MESSAGE);
    // Loaded behind the listening server: neither the first answer nor a command without a store
    // waits for it.
    const { openStore } = await import("./store/store.ts");
    const { reportStorage } = await import("./store/report-storage.ts");
    const opened = await openStore(config, log, closing.signal);
    storage = reportStorage(opened, metrics, { signal: closing.signal });
    metrics.onRead(storage.read);
    return opened;
  });
  const slots = createRequestSlots(config, { store, keeps, log, metrics });
  const meter = keeps ? createPageMeter({ store, log }) : undefined;
  const accounting = createAccounting(config, { store, keeps, slots, meter });
  const { keyring, credits } = accounting;
  const base = { config, store, keeps, egress, models, slots, credits, log, metrics };
  const indexer = keeps ? openIndex(config, base) : undefined;
  const programs = createPrograms(base);
  const teaching = openTeaching(base);
  const scraping = createScrapeRoom({
    ...base,
    extractors: keeps ? programs : undefined,
    learnTemplates: keeps ? teaching?.learnTemplates : undefined,
    threads: options.threads,
    onStored: toIndex(indexer),
    meter,
  });
  const { scrape, pages, http, browserPool, threads } = scraping;
  const sampler = createLoadSampler({
    ...base,
    role: config.role,
    browserUse: scraping.browserUse,
    storage: () => storage,
  });
  const pointAtValues = teaching?.pointAtValues(threads);
  const extractors = createExtractors({ ...base, programs, scrape, pool: threads, pointAtValues });
  const searching = createSearchRoom({ ...base, scrape }, indexer);
  const webhooks = createLazy(async () => {
    const opened = await store();
    return createWebhooks({ ...base, store: opened, shared: opened.database.kind === "postgres" });
  });
  const sessions = new Sessions({ ...base, pool: browserPool });
  const checkStart = (url: URL): Promise<void> => checkFixedHost(url, egress);
  const jobs = createJobRooms({ ...base, webhooks, pages, http, scrape, searching, checkStart });
  const { server, checks, console } = await createApi({
    ...base,
    ...jobs,
    extractors,
    accounting,
    scraping,
    search: searching.search,
    webhooks,
    sessions,
    listener,
    adminToken,
    closing: closing.signal,
    stopping: stopping.signal,
  });

  let listening = false;
  let opening: Promise<unknown> = Promise.resolve();
  const close = createLazy(async () => {
    closing.abort();
    await closeWithin(config.shutdownMs, {
      requests: async () => await server.close(),
      refuse: () =>
        stopping.abort(
          new LimitError("UNAVAILABLE", "The server is stopping.", { retryAfterMs: 1_000 }),
        ),
      parts: closeParts,
      storage: closeStorage,
    });
  });

  async function closeParts(): Promise<void> {
    await opening.catch(() => undefined);
    if (listening) await removeServerFile(config, adminToken);
    await settle(() => sampler.close());
    await settle(() => jobs.close());
    await closeStarted(webhooks);
    await settle(() => programs.flush());
    await settle(() => searching.close());
    await settle(() => sessions.close());
    await settle(() => scraping.close());
    await settle(async () => await meter?.close());
    await settle(() => slots.close());
    await Promise.all([models.close(), egress.close()]);
  }

  async function closeStorage(): Promise<void> {
    await closeStarted(keyring, store);
    await telemetry?.close();
  }

  async function open(): Promise<CreatedKey | undefined> {
    const isStopped = (): boolean => closing.signal.aborted;
    // Behind the start: pages wait for the threads, and readiness reports a failure.
    if (warms) scraping.threads.warm().catch(() => undefined);
    if (keeps) {
      const { retention } = await store();
      if (isStopped()) return undefined;
      const ring = config.auth && config.role !== "worker" ? await keyring() : undefined;
      if (isStopped()) return undefined;
      const first = await ring?.createFirst({
        load: () => loadKeyFile(config),
        save: (key) => saveKeyFile(config, key),
      });
      if (isStopped()) return first;
      if (listening)
        await saveServerFile(config, {
          pid: process.pid,
          url: buildReachableUrl(listener, config),
          adminToken,
        });
      if (isStopped()) return first;
      retention.start();
      // Commands that open the service for one task are no part of its load.
      if (listening) sampler.start(`${hostname()}:${findPort(listener, config)}`);
      if (config.role !== "api") {
        await jobs.start();
        (await webhooks()).start();
      }
      return first;
    }
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
      return egress.own.addUrl(buildListeningUrl(listener, config));
    },
    async openStore() {
      await store();
    },
    open() {
      const opened = open();
      opening = opened;
      return opened;
    },
    warm: () => scraping.threads.warm(),
    check: (withinMs) => runChecks(checks, withinMs),
    createSignInLink: async () => console?.createSignInLink(buildReachableUrl(listener, config)),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The SDK is loaded only when a collector is configured. */
async function openTracing(config: Config): Promise<Telemetry | undefined> {
  const { otlpEndpoint, otlpHeaders, otelServiceName, otelSampleRatio, tracesPerSecond } = config;
  if (otlpEndpoint === undefined) return undefined;
  const { openTelemetry, parseHeaderList } = await import("./telemetry/open-telemetry.ts");
  try {
    return await openTelemetry({
      endpoint: otlpEndpoint,
      headers: parseHeaderList(otlpHeaders?.reveal() ?? ""),
      serviceName: otelServiceName,
      serviceVersion: VERSION,
      sampleRatio: Number(otelSampleRatio),
      tracesPerSecond,
    });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND"))
      throw error;
    throw new ConfigError(
      "OTEL_EXPORTER_OTLP_ENDPOINT: tracing needs the optional packages @opentelemetry/*; install Quarry without --omit=optional.",
    );
  }
}
