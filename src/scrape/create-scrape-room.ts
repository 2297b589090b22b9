// Creates what fetches and converts one URL: the engines, the conversion threads, and scrapes over
// them.
import type { Credits } from "../account/credits.ts";
import type { PageMeter } from "../account/page-meter.ts";
import { createSlots, type Slots } from "../account/slots.ts";
import {
  explainMissingBrowser,
  openBrowserPool,
  computeConcurrentPages,
} from "../browser/open-pool.ts";
import type { Config } from "../config.ts";
import { LIMITS } from "../contract/request/limits.ts";
import type { Egress } from "../egress/dispatchers.ts";
import { openAudioEngine } from "../engines/audio.ts";
import { createBrowserEngine } from "../engines/browser.ts";
import { logProgress, openDocumentEngine } from "../engines/document.ts";
import { createHttpEngine } from "../engines/http.ts";
import { createBrowserUse, reportBrowser } from "../browser/report-browser.ts";
import { listAvailableEngines, type Engines } from "../engines/registry.ts";
import { createFormatPool, type FormatPool } from "../formats/threads/pool.ts";
import { createUnderstanding } from "../formats/model/understand.ts";
import type { Logger } from "../logger.ts";
import type { Metrics } from "../metrics.ts";
import type { Models } from "../models/model.ts";
import { createLazy } from "../runtime/lazy.ts";
import { closeStarted } from "../runtime/shutdown.ts";
import type { Store } from "../store/store.ts";
import { createFetchAndConvert } from "./fetch-and-convert.ts";
import type { LearnTemplates } from "./learn-templates.ts";
import { PageStates } from "./page-state/page-states.ts";
import { createPageFiles } from "./page-files.ts";
import { createPageScraper, type StoredPage } from "./page.ts";
import type { ExtractorPrograms } from "./replay-extractor.ts";
import { createScrape } from "./scrape.ts";
import { createTrackChanges } from "./track-changes.ts";

export type ScrapeRoomParts = {
  readonly config: Config;
  readonly egress: Egress;
  readonly models: Models;
  /** Resolves once the store is open. */
  readonly store: () => Promise<Store>;
  /** False for a process without a store. */
  readonly keeps: boolean;
  readonly credits: () => Promise<Credits>;
  readonly slots: Slots;
  /** The programs of stored extractors; undefined for a process without a store. */
  readonly extractors: ExtractorPrograms | undefined;
  /**
   * Learns the templates of running jobs over the conversion threads; undefined without a model or
   * a store.
   */
  readonly learnTemplates: ((threads: FormatPool) => LearnTemplates) | undefined;
  /** Conversion threads of the caller, who closes them; by default the room starts its own. */
  readonly threads?: FormatPool | undefined;
  /** Called with each stored page. */
  readonly onStored: ((page: StoredPage) => void) | undefined;
  /** Undefined for a process without a store. */
  readonly meter: PageMeter | undefined;
  readonly log: Logger;
  readonly metrics: Metrics;
};

export type ScrapeRoom = ReturnType<typeof createScrapeRoom>;

/** The browser starts with its first page. The caller closes the result. */
export function createScrapeRoom(parts: ScrapeRoomParts) {
  const { config, egress, models, store, log, metrics } = parts;
  const keeping = parts.keeps ? store : undefined;
  const threads =
    parts.threads ??
    createFormatPool({
      threads: config.workerThreads,
      memoryMiB: config.workerMemoryMiB,
      isBrief: !parts.keeps,
    });
  const documents = openDocumentEngine(config, logProgress(log));
  const http = createHttpEngine({ egress, config, log, metrics });
  const browserPool = createLazy(() => openBrowserPool({ config, egress, log, metrics }));
  const withoutBrowser = explainMissingBrowser(config);
  const browserSlots = createSlots({ maxConcurrency: computeConcurrentPages(config) });
  const browserUse = createBrowserUse(browserPool, browserSlots);
  const hideBrowser = metrics.onRead(
    reportBrowser(browserUse, metrics, { isThere: withoutBrowser === undefined }),
  );
  const engines: Engines = {
    http,
    ...(withoutBrowser === undefined && {
      browser: createBrowserEngine({
        pool: browserPool,
        slots: browserSlots,
        profiles: keeping && (async () => (await keeping()).profiles),
        config,
        log,
        metrics,
      }),
    }),
  };
  const captures = async () => (await store()).captures;
  const pages = createPageScraper({
    fetchAndConvert: createFetchAndConvert({
      engines,
      egress,
      pool: threads,
      documents,
      hasModel: models.role("fast") !== undefined,
      pageStates: config.pageData === "read" ? new PageStates() : undefined,
      captures,
      longestFetchMs: LIMITS.timeoutMs.max,
      metrics,
    }),
    capabilities: {
      engines: listAvailableEngines(engines),
      withoutBrowser,
      enhancedProxy: egress.hasProxy("enhanced"),
      hasCountry: (country) =>
        egress.hasProxy("basic", country) || egress.hasProxy("enhanced", country),
    },
    forceTls: config.forceTlsVerification,
    cacheShared: config.cacheShared,
    audio: openAudioEngine(config, { http, egress }),
    understand: createUnderstanding(models),
    files: createPageFiles({
      keeping,
      answer: config.fileAnswers,
      publicUrl: config.publicUrl,
    }),
    captures: keeping && captures,
    onStored: parts.onStored,
    meter: parts.meter,
    extractors: parts.extractors,
    learnTemplates: parts.learnTemplates?.(threads),
    trackChanges: keeping && createTrackChanges({ store: keeping, models, log }),
  });
  const scrape = createScrape({
    pages,
    credits: parts.credits,
    slots: parts.slots,
    keeping,
    resultLifeMs: config.resultLifeHours * 3_600_000,
    log,
    metrics,
  });
  return {
    http,
    threads,
    browserPool,
    browserUse,
    /** Why pages cannot be rendered; undefined with a browser. */
    withoutBrowser,
    pages,
    scrape,
    async close(): Promise<void> {
      hideBrowser();
      await closeStarted(browserPool);
      await Promise.all([
        parts.threads === undefined ? threads.close() : undefined,
        documents.close(),
      ]);
    },
  };
}
