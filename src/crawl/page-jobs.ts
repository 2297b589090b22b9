// Reading jobs after their start, the same for crawls and batches.
import type { Identity } from "../account/identity.ts";
import type { Document } from "../contract/page/document.ts";
import type { LedgerEntry } from "../contract/jobs/ledger.ts";
import { LIMITS } from "../contract/request/limits.ts";
import { JOB_KINDS } from "../contract/jobs/kinds.ts";
import { StorageError } from "../errors.ts";
import { toJsonBytes } from "../runtime/json-bytes.ts";
import { describeGoneDocument } from "../store/captures/document-gone.ts";
import type { JobLedgerRow, JobLedgerStore } from "../store/jobs/job-ledger.ts";
import type { JobRecord } from "../store/jobs/job-record.ts";
import type { JobStore } from "../store/jobs/jobs.ts";
import type { ResultRow, ResultStore } from "../store/jobs/results.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { WakeUps } from "../jobs/wake-up.ts";
import { hasFewResults } from "./few-results.ts";
import type {
  DocumentJson,
  JobEvent,
  JobReport,
  JobResults,
  PageJobKind,
  PageJobs,
} from "./job.ts";
import { readStoredOptions } from "./stored-options.ts";
import { listWarnings } from "./warnings.ts";

export type ReadParts = {
  readonly jobs: Pick<JobStore, "load" | "refresh">;
  readonly lifecycle: Jobs;
  readonly results: ResultStore;
  readonly jobLedger: JobLedgerStore;
  readonly wakeUps: WakeUps;
  /** Milliseconds for which a job stays readable after its last read. */
  readonly lifeMs: number;
  /** Time, milliseconds, that a read at the end of a running job is held. */
  readonly holdMs: number;
  /** Interval, milliseconds, in which a waiting reader polls for changes by other processes. */
  readonly lookMs: number;
  readonly now: () => number;
  /** Warning about storage that currently fails in this process, if any. */
  readonly storageWarning: () => string | undefined;
};

/** Maximum failures and robots-blocked URLs in one response. */
const MAX_FAILURES = 10_000;

export function createPageJobs(kind: PageJobKind, parts: ReadParts): PageJobs {
  const { jobs, lifecycle, results, jobLedger, wakeUps, now } = parts;
  const find = (id: string, identity: Identity) => lifecycle.find(kind, id, identity);

  async function report(job: JobRecord): Promise<JobReport> {
    const storage = job.state === "scraping" ? parts.storageWarning() : undefined;
    if (!hasFewResults(job)) return toReport(job, listWarnings(job, { storage }));
    const [refusals, start] = await Promise.all([
      jobLedger.listRefusals(job.id),
      jobLedger.start(job.id),
    ]);
    return toReport(job, listWarnings(job, { few: { refusals, start }, storage }));
  }

  /** Waits at the end of a running job for more than `seen` documents, its end, or the timeout. */
  async function hold(job: JobRecord, seen: number, signal: AbortSignal): Promise<JobRecord> {
    const endsAt = now() + parts.holdMs;
    let current = job;
    while (current.state === "scraping" && current.completed <= seen && !signal.aborted) {
      const left = endsAt - now();
      if (left <= 0) break;
      await wakeUps.wait(job.id, Math.min(left, parts.lookMs), signal);
      current = (await jobs.load(job.id, now())) ?? current;
    }
    return current;
  }

  /**
   * Returns no documents of a running job while the blob store fails: its counters and warnings are
   * worth more than an error.
   */
  async function readDocuments(
    { id, state }: JobRecord,
    place: { readonly skip: number; readonly limit: number },
  ): Promise<readonly ResultRow[]> {
    try {
      return await results.listPage(id, { ...place, maxBytes: LIMITS.crawl.pageBytes });
    } catch (error) {
      if (error instanceof StorageError && state === "scraping") return [];
      throw error;
    }
  }

  return {
    report: async (id, identity) => await report(await find(id, identity)),

    async listResults(id, identity, { skip, limit = LIMITS.crawl.pageDocuments }, signal) {
      const found = await find(id, identity);
      // Reading does not extend the life of data that must not be retained.
      if (!found.zeroDataRetention) await jobs.refresh(id, now() + parts.lifeMs);
      const job = await hold(found, skip, signal);
      const isThere = skip < job.completed;
      const page = isThere ? await readDocuments(job, { skip, limit }) : [];
      return toResults(job, await report(job), skip, page);
    },

    cancel: (id, identity) => lifecycle.cancel(kind, id, identity),

    async listFailures(id, identity) {
      const job = await find(id, identity);
      const failed = await results.listFailures(id, MAX_FAILURES);
      return {
        errors: failed.map(({ sequence, url, at, error }) => ({
          id: buildFailureId(id, sequence),
          url,
          at,
          code: error.code,
          error: error.message,
        })),
        robotsBlocked: await results.listRobotsBlocked(id, MAX_FAILURES),
        warning: warnOfMoreErrors(kind, job),
      };
    },

    async listLedger(id, identity, { skip, limit = MAX_FAILURES, fate }) {
      const job = await find(id, identity);
      const sums = await jobLedger.sumOutcomes(id);
      const entries = await jobLedger.page(id, { skip, limit, fate });
      const total = Object.values(sums).reduce((sum, count) => sum + count, 0);
      const there = fate === undefined ? total : (sums[fate] ?? 0);
      const end = skip + entries.length;
      return {
        report: await report(job),
        total,
        sums,
        entries: entries.map(toEntry),
        nextSkip: end < there && entries.length > 0 ? end : undefined,
      };
    },

    async *iterateLedger(id, identity, fate) {
      await find(id, identity);
      for await (const group of jobLedger.iterateUrls(id, fate)) yield group.map(toEntry);
    },

    async *iterateDocuments(id, identity, { skip, limit }) {
      await find(id, identity);
      for await (const group of results.iterateResults(id, { after: skip, max: limit }))
        yield group.map(toJson);
    },

    async *watch(id, identity, { skip, signal }): AsyncGenerator<JobEvent> {
      let seen = skip;
      let job = await find(id, identity);
      for (;;) {
        const { state } = job;
        for await (const group of results.iterateResults(id, { after: seen })) {
          if (signal.aborted) return;
          seen = group.at(-1)?.sequence ?? seen;
          yield { type: "documents", documents: group.map(toJson) };
        }
        // The state is read before the rows, so no row can follow.
        if (state !== "scraping") break;
        job = await hold(job, seen, signal);
        if (signal.aborted) return;
      }
      yield { type: "ended", report: await report(job) };
    },
  };
}

/** Warns when a job has more failures or URLs that robots.txt forbids than one response lists. */
export function warnOfMoreErrors(
  kind: PageJobKind,
  { id, failed, robotsBlocked }: Pick<JobRecord, "id" | "failed" | "robotsBlocked">,
): string | undefined {
  if (Math.max(failed, robotsBlocked) <= MAX_FAILURES) return undefined;
  return `The first ${MAX_FAILURES} of ${failed} errors and of ${robotsBlocked} URLs that robots.txt forbids are listed; GET ${JOB_KINDS[kind].path}/${id}/ledger has all of them.`;
}

/** A stable id for a failed page: the job's id with the page number in the last part. */
function buildFailureId(jobId: string, sequence: number): string {
  return `${jobId.slice(0, 24)}${sequence.toString(16).padStart(12, "0")}`;
}

function toReport(job: JobRecord, warnings: readonly string[]): JobReport {
  const running = job.state === "scraping";
  return {
    id: job.id,
    kind: job.kind as PageJobKind,
    status: job.state,
    total: running ? job.completed + job.pending : job.completed,
    completed: job.completed,
    creditsUsed: job.creditsUsed,
    createdAt: job.createdAt,
    completedAt: job.completedAt ?? undefined,
    expiresAt: job.expiresAt,
    error: job.error?.message,
    code: job.error?.code,
    warning: warnings.length === 0 ? undefined : warnings.join(" "),
    showFullText: readStoredOptions(job).showFullText,
  };
}

function toResults(
  job: JobRecord,
  report: JobReport,
  skip: number,
  page: readonly ResultRow[],
): JobResults {
  const end = skip + page.length;
  const goesOn = job.state === "scraping" || (page.length > 0 && end < job.completed);
  return {
    ...report,
    documents: page.map(toJson),
    nextSkip: goesOn ? end : undefined,
  };
}

const toJson = (row: ResultRow): DocumentJson => row.json ?? toJsonBytes(buildGoneDocument(row));

/** Reports a document whose blob is gone, because paging counts on every number. */
const buildGoneDocument = ({ requestedUrl, finalUrl, scrapeId, credits }: ResultRow): Document => ({
  warning: describeGoneDocument(requestedUrl),
  metadata: { sourceURL: requestedUrl, url: finalUrl, scrapeId, creditsUsed: credits },
});

function toEntry({ url, fate, reason, verdict, parent, depth }: JobLedgerRow): LedgerEntry {
  return {
    url,
    fate,
    ...(reason === undefined ? {} : { reason }),
    ...(verdict === undefined ? {} : { verdict }),
    ...(parent === undefined ? {} : { parent }),
    depth,
  };
}
