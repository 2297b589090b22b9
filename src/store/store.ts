import { randomBytes, randomUUID } from "node:crypto";
import { readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { createConcurrencyShares } from "./accounts/concurrency-shares.ts";
import { createRateWindows } from "./accounts/rate-windows.ts";
import type { Config } from "../config.ts";
import type { Logger } from "../logger.ts";
import { createActivityStore } from "./accounts/activity.ts";
import { createAccountStore, createKeyStore, createRowId } from "./accounts/accounts.ts";
import { createAgentRunStore } from "./agent/agent-runs.ts";
import { createAgentStepStore } from "./agent/agent-steps.ts";
import { readBacklog } from "./jobs/backlog.ts";
import { BLOB_SECRET, createBlobLinks } from "./blobs/blob-url.ts";
import { createBrowserSessionStore } from "./sessions/browser-sessions.ts";
import { createCaptureStore } from "./captures/captures.ts";
import { createChangeHistoryStore } from "./captures/change-histories.ts";
import { openDatabase } from "./database/database.ts";
import { createExtractorStore } from "./accounts/extractors.ts";
import { createFinish } from "./jobs/finish.ts";
import { createFrontierStore } from "./jobs/frontier-claims.ts";
import { GroupWriter } from "./database/group-writer.ts";
import { createHostStore, createLocalHosts } from "./jobs/hosts.ts";
import { createIdempotencyStore } from "./accounts/idempotency.ts";
import { createJobLedgerStore } from "./jobs/job-ledger.ts";
import { createInteractEventStore } from "./sessions/interact-events.ts";
import { createJobListStore } from "./jobs/job-list.ts";
import { createJobRunStore } from "./jobs/job-runs.ts";
import { createConsoleSessionStore } from "./accounts/console-sessions.ts";
import { createJobStore } from "./jobs/jobs.ts";
import { createStoredFiles } from "./blobs/stored-files.ts";
import { KnownUrls } from "./jobs/known-urls.ts";
import { createLedgerStore } from "./accounts/ledger.ts";
import { createLoadSampleStore } from "./load-samples.ts";
import { openBlobs } from "./blobs/open-blobs.ts";
import { createMonitorCheckStore } from "./monitors/monitor-checks.ts";
import { createMonitorNoticeStore } from "./monitors/monitor-notices.ts";
import { createMonitorStore } from "./monitors/monitors.ts";
import { createPageUsageStore } from "./accounts/page-usage.ts";
import { createProfileStore } from "./accounts/profiles.ts";
import { createResultStore } from "./jobs/results.ts";
import { createRetention } from "./retention.ts";
import { createScheduleStore } from "./jobs/schedules.ts";
import { createScrapeStore } from "./captures/scrapes.ts";
import { createSearchPageStore } from "./search/search-pages.ts";
import { createSeals } from "./database/seals.ts";
import { createSiteUrlStore } from "./jobs/site-urls.ts";
import { createSecretAgreement } from "./database/secret-agreement.ts";
import { openReplica } from "./database/replica.ts";
import { createSettingStore } from "./database/settings.ts";
import { createUploadStore } from "./blobs/uploads.ts";
import { createVault } from "./database/vault.ts";
import { compact, measureDatabase } from "./database/compact.ts";
import { createDeliveryStore } from "./jobs/webhook-deliveries.ts";
import { createWebhookSecretStore } from "./accounts/webhook-secrets.ts";

export type Store = Awaited<ReturnType<typeof openStore>>;

/** Bytes that must fit for the blob store to count as working, about as much as a page. */
const CHECK_BYTES = 65_536;

const COPY_PREFIX = "copy-";
const MAX_COPY_AGE_MS = 6 * 60 * 60 * 1_000;

/** Removes copies of the database whose command was killed. */
async function removeOldCopies({ dataDir }: Config): Promise<void> {
  const folder = path.resolve(dataDir);
  for (const name of await readdir(folder)) {
    if (!name.startsWith(COPY_PREFIX)) continue;
    const copy = path.join(folder, name);
    const found = await stat(copy).catch(() => undefined);
    if (found !== undefined && Date.now() - found.birthtimeMs > MAX_COPY_AGE_MS)
      await rm(copy, { recursive: true, force: true });
  }
}

/**
 * Opens database and blobs and creates all stores over them. The caller closes the store. `signal`
 * aborts the creation of a new embedded database.
 */
export async function openStore(config: Config, log: Logger, signal?: AbortSignal) {
  const database = await openDatabase(config, log, signal);
  try {
    const { kysely, kind } = database;
    const blobs = await openBlobs(config);
    const replica = await openReplica(config, log);
    // On PostgreSQL other processes may read a result at once, so rows are committed immediately
    // and grouped only under load.
    const shared = kind === "postgres";
    const writer = new GroupWriter(kysely, log, shared ? { maxDelayMs: 5 } : {});
    const settings = createSettingStore(kysely);
    const ledger = createLedgerStore(kysely, writer, createRowId);
    const vault = createVault(config);
    const scrapes = createScrapeStore(kysely, writer, blobs, vault, { shared });
    const files = createStoredFiles(kysely, blobs);
    const captures = createCaptureStore(kysely, writer, blobs, createRowId, { shared, files });
    const activity = createActivityStore(kysely, writer);
    const known = new KnownUrls();
    const seals = createSeals(kysely, blobs);
    const finish = createFinish(database, seals, known);
    const frontier = createFrontierStore({ database, known, finish });
    const retention = createRetention({
      kysely,
      blobs,
      seals,
      ledger,
      log,
      cacheMaxBytes: config.cacheMaxBytes,
      searchIndexPages: config.searchIndexPages,
    });
    // An embedded database has one process and therefore one secret.
    const agreement = shared ? createSecretAgreement({ settings, vault, log }) : undefined;
    await agreement?.start();
    const secret = await settings.loadOrCreate(BLOB_SECRET.name, BLOB_SECRET.create);
    return {
      database,
      blobs,
      files,
      blobLinks: createBlobLinks(secret),
      accounts: createAccountStore(kysely),
      consoleSessions: createConsoleSessionStore(kysely),
      rateWindows: createRateWindows(kysely),
      concurrencyShares: createConcurrencyShares(kysely),
      keys: createKeyStore(kysely),
      ledger,
      scrapes,
      captures,
      activity,
      jobs: createJobStore(kysely, seals),
      runs: createJobRunStore(kysely),
      schedules: createScheduleStore(kysely),
      jobList: createJobListStore(kysely),
      frontier,
      finish,
      results: createResultStore(kysely, seals, replica),
      jobLedger: createJobLedgerStore(kysely),
      deliveries: createDeliveryStore(kysely),
      webhookSecrets: createWebhookSecretStore(kysely, vault),
      hosts: shared ? createHostStore(kysely) : createLocalHosts(),
      siteUrls: createSiteUrlStore(kysely),
      searchPages: createSearchPageStore(kysely),
      idempotency: createIdempotencyStore(kysely),
      agentRuns: createAgentRunStore(kysely),
      agentSteps: createAgentStepStore(kysely),
      browserSessions: createBrowserSessionStore(kysely),
      interactEvents: createInteractEventStore(kysely),
      extractors: createExtractorStore(kysely),
      monitors: createMonitorStore(kysely, vault),
      monitorChecks: createMonitorCheckStore(kysely, blobs, createRowId),
      monitorNotices: createMonitorNoticeStore(kysely),
      loadSamples: createLoadSampleStore(kysely),
      pageUsage: createPageUsageStore(kysely),
      profiles: createProfileStore(kysely, vault),
      changeHistories: createChangeHistoryStore(kysely, blobs, createRowId),
      uploads: createUploadStore(kysely, files),
      settings,
      retention,
      /** Counts what waits for workers. */
      backlog: () => readBacklog(kysely),
      /** Removes what expired, looks for unused blobs, and gives disk space back. */
      async collectGarbage() {
        const databaseBytesBefore = await measureDatabase(database);
        const removed = await retention.cleanUp({ sweep: true });
        await compact(database);
        return {
          ...removed,
          databaseBytesBefore,
          databaseBytes: await measureDatabase(database),
        };
      },
      /**
       * Copies the embedded database to a new folder below the data folder and returns its path; the caller removes it.
       * Returns undefined for PostgreSQL.
       */
      async copyDatabase(): Promise<string | undefined> {
        if (database.copyTo === undefined) return undefined;
        await writer.flush();
        await removeOldCopies(config);
        const folder = path.join(path.resolve(config.dataDir), `${COPY_PREFIX}${randomUUID()}`);
        await database.copyTo(folder);
        return folder;
      },
      /** Settles when everything saved so far is committed. */
      flush: () => writer.flush(),
      /** Settles when database and blobs respond; rejects with the failing one. */
      async check(): Promise<void> {
        await settings.load(BLOB_SECRET.name);
        // New bytes each time: known ones would not be written again, and would fit in old space on
        // a full disk.
        await blobs.delete(await blobs.put(randomBytes(CHECK_BYTES)));
      },
      /**
       * Rejects with LimitError UNAVAILABLE while processes with another secret use the database.
       */
      checkSecrets: async (): Promise<void> => await agreement?.check(),
      async close(): Promise<void> {
        await agreement?.close();
        await retention.close();
        await writer.close();
        await blobs.close();
        await replica?.close();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}
