// Jobs over many URLs: a crawl finds its URLs, a batch is given them. States: scraping -> completed
// | failed | cancelled; an ended job never changes its state. Every change of a job's pages and
// counters happens under the lock of its row, so counters, sequences and the limit are exact with
// any number of workers.
import { sql, type Kysely, type Selectable } from "kysely";
import type { JobStatus } from "../../contract/jobs/crawl.ts";
import type { Webhook } from "../../contract/jobs/webhook.ts";
import { InternalError, type ErrorRecord } from "../../errors.ts";
import type { FoundUrl } from "./frontier.ts";
import {
  admit,
  announce,
  endIfDone,
  endJob,
  openDraft,
  type Draft,
  writeDraft,
} from "./job-change.ts";
import { rowInsert, toStorableJson } from "../database/json-rows.ts";
import type { HoldEntry } from "../accounts/ledger.ts";
import type { Tables } from "../database/schema.ts";
import type { Seals } from "../database/seals.ts";
import { isUuid } from "../database/uuid.ts";

export type JobKind = "crawl" | "batch_scrape";

export type NewJob = {
  /** UUID version 7. */
  readonly id: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly kind: JobKind;
  /** The start URL of a crawl; null for a batch. */
  readonly url: string | null;
  /** The validated options for the workers. JSON. */
  readonly options: unknown;
  /** Maximum documents; null means unlimited. */
  readonly limit: number | null;
  /** Maximum pages in progress over all workers. */
  readonly maxConcurrency: number;
  /** The credit hold that ends with the job. */
  readonly hold: HoldEntry | null;
  readonly webhook: Webhook | null;
  readonly zeroDataRetention: boolean;
  /**
   * While true, more URLs come from elsewhere (a sitemap), so an empty frontier does not end the
   * job.
   */
  readonly seeding: boolean;
  /** Before it ends, pages that only an earlier crawl saw are checked; the job is seeding then. */
  readonly revisits?: boolean;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /**
   * Until when it is readable; a running job never expires. After its end it is readable as long
   * again, with zero data retention at most an hour.
   */
  readonly expiresAt: number;
};

export type JobCounters = {
  /** To be fetched or in progress. */
  readonly pending: number;
  /** Documents in the results. */
  readonly completed: number;
  /** Pages with an error instead of a document. */
  readonly failed: number;
  /** URLs beyond the limit, promoted when a page gives no document. */
  readonly held: number;
  /** URLs seen, whatever their outcome. */
  readonly discovered: number;
  readonly robotsBlocked: number;
  readonly creditsUsed: number;
};

export type JobRecord = NewJob &
  JobCounters & {
    readonly state: JobStatus;
    /** Whether it is seeding to check pages of an earlier crawl. */
    readonly isRevisiting?: boolean;
    readonly completedAt: number | null;
    /** Set when the job failed as a whole. */
    readonly error: ErrorRecord | null;
    /** Warnings for the caller, in order. */
    readonly warnings: readonly string[];
    /** The credits of the ended job are settled. */
    readonly settled: boolean;
  };

/** The result of a change that may have ended the job. */
export type JobChange = {
  /** State after the change. */
  readonly state: JobStatus;
  /** True for exactly one call per job: the one that ended it. */
  readonly ended: boolean;
  /**
   * True for at most one call: pages of an earlier crawl must be checked now, and `endRevisit`
   * follows.
   */
  readonly revisits?: boolean;
};

export type JobStore = {
  /**
   * Stores a job with its first URLs and its `started` event in one transaction. At most some
   * thousand URLs: see `add`.
   */
  create(job: NewJob, first: readonly FoundUrl[]): Promise<void>;
  /** Undefined when unknown, or when it has ended and expired. */
  load(id: string, now?: number): Promise<JobRecord | undefined>;
  /**
   * Whether the account had such a job that is no longer readable; known for a week after its
   * removal.
   */
  hasExpired(
    id: string,
    owner: { readonly accountId: string; readonly kind: JobKind },
    now?: number,
  ): Promise<boolean>;
  /**
   * Extends the time it is readable to `expiresAt`. Written only when that gains more than a
   * minute, and not with zero data retention.
   */
  refresh(id: string, expiresAt: number): Promise<void>;
  /** Running jobs of an account, oldest first. */
  active(accountId: string, kind: JobKind): Promise<JobRecord[]>;
  /** Running jobs of all accounts whose seeding has not ended: after a crash it has to continue. */
  seeding(): Promise<JobRecord[]>;
  /** No more URLs come from elsewhere. Completes a job with nothing to fetch. */
  endSeeding(id: string, now: number): Promise<JobChange>;
  /** URLs from the previous crawl have been queued. */
  endRevisit(id: string, now: number): Promise<JobChange>;
  /**
   * Cancels a running job: drops pages in progress, keeps results. An ended job stays unchanged.
   */
  cancel(id: string, now: number): Promise<JobChange>;
  /** Ends a running job with an error. */
  fail(id: string, error: ErrorRecord, now: number): Promise<JobChange>;
  /** Adds a warning for the caller, once. */
  warn(id: string, warning: string): Promise<void>;
  /** Adds credits other than page prices to a running job. */
  charge(id: string, credits: number): Promise<void>;
  /** Ended jobs whose credits are not settled, also after a crash. At most 100. */
  unsettled(): Promise<JobRecord[]>;
  /** Also deletes what the caller sent to its site, such as a cookie. */
  markSettled(id: string): Promise<void>;
};

const REFRESH_MS = 60_000;
const UNSETTLED_AT_ONCE = 100;

type JobRow = Selectable<Tables["jobs"]> & Selectable<Tables["job_progress"]>;

function toRecord(row: JobRow): JobRecord {
  return {
    id: row.id,
    accountId: row.account_id,
    keyId: row.key_id,
    kind: row.kind,
    url: row.url,
    options: row.options,
    limit: row.page_limit,
    maxConcurrency: row.max_concurrency,
    hold: row.hold as HoldEntry | null,
    webhook: row.webhook as Webhook | null,
    zeroDataRetention: row.zero_data_retention,
    seeding: row.seeding,
    ...(row.revisit === "running" && { isRevisiting: true }),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    pending: row.pending,
    completed: row.completed,
    failed: row.failed,
    held: row.held,
    discovered: row.discovered,
    robotsBlocked: row.robots_blocked,
    creditsUsed: row.credits_used,
    state: row.state,
    completedAt: row.completed_at,
    error: row.error as ErrorRecord | null,
    warnings: row.warnings,
    settled: row.settled,
  };
}

const insertJob = rowInsert("jobs", {
  id: "uuid",
  account_id: "uuid",
  key_id: "uuid",
  kind: "text",
  url: "text",
  options: "jsonb",
  page_limit: "integer",
  max_concurrency: "integer",
  hold: "jsonb",
  webhook: "jsonb",
  zero_data_retention: "boolean",
  created_at: "bigint",
  expires_at: "bigint",
  life_ms: "bigint",
  seal_ref: "text",
});

const toRow = (job: NewJob) => ({
  id: job.id,
  account_id: job.accountId,
  key_id: job.keyId,
  kind: job.kind,
  url: job.url,
  options: job.options,
  page_limit: job.limit,
  max_concurrency: job.maxConcurrency,
  hold: job.hold,
  webhook: job.webhook,
  zero_data_retention: job.zeroDataRetention,
  created_at: job.createdAt,
  expires_at: job.expiresAt,
  life_ms: job.expiresAt - job.createdAt,
});

/** URLs of a batch handled per statement. */
const FORGOTTEN_AT_ONCE = 2_000;

/**
 * In chunks: a batch may have a hundred thousand URLs. Repeated after a crash, because the job is
 * not settled before.
 */
async function forgetPasswords(kysely: Kysely<Tables>, id: string): Promise<void> {
  const found = await sql<{ discovered: number }>`
    select discovered from job_progress join jobs on jobs.id = job_id
    where job_id = ${id}::uuid and kind = 'batch_scrape'`.execute(kysely);
  const count = found.rows[0]?.discovered ?? 0;
  for (let first = 1; first <= count; first += FORGOTTEN_AT_ONCE)
    await sql`update frontier set marks = marks - 'authorization'
      where job_id = ${id}::uuid and sequence >= ${first}::integer
        and sequence < ${first + FORGOTTEN_AT_ONCE}::integer and marks is not null`.execute(kysely);
}

export function createJobStore(kysely: Kysely<Tables>, seals: Pick<Seals, "create">): JobStore {
  const jobs = () =>
    kysely
      .selectFrom("jobs")
      .innerJoin("job_progress as progress", "progress.job_id", "jobs.id")
      .selectAll();

  /** Changes a running job under its lock; `work` returns whether it ended the job. */
  async function change(
    id: string,
    now: number,
    work: (draft: Draft) => boolean,
  ): Promise<JobChange> {
    return kysely.transaction().execute(async (transaction) => {
      const draft = await openDraft(transaction, id, now);
      if (draft?.progress.state !== "scraping")
        return { state: draft?.progress.state ?? "cancelled", ended: false };
      const ended = work(draft);
      await writeDraft(transaction, draft);
      return { state: draft.progress.state, ended, ...(draft.revisits && { revisits: true }) };
    });
  }

  return {
    async create(job, first) {
      // Before the transaction: a key without a job is swept later.
      const sealRef = job.zeroDataRetention ? await seals.create() : null;
      await kysely.transaction().execute(async (transaction) => {
        await insertJob([{ ...toRow(job), seal_ref: sealRef }]).execute(transaction);
        await transaction
          .insertInto("job_progress")
          .values({
            job_id: job.id,
            owner_id: job.accountId,
            seeding: job.seeding,
            revisit: job.revisits === true ? "due" : null,
          })
          .execute();
        const draft = await openDraft(transaction, job.id, job.createdAt);
        if (draft === undefined) throw new InternalError("Failed to store the job.");
        announce(draft, "started");
        for (const url of first) admit(draft, url, undefined);
        endIfDone(draft);
        await writeDraft(transaction, draft);
      });
    },
    async load(id, now = Date.now()) {
      if (!isUuid(id)) return undefined;
      const row = await jobs().where("id", "=", id).executeTakeFirst();
      if (row === undefined) return undefined;
      return row.state === "scraping" || row.expires_at > now ? toRecord(row) : undefined;
    },
    async hasExpired(id, { accountId, kind }, now = Date.now()) {
      if (!isUuid(id)) return false;
      const found = await sql<{ expired: boolean }>`
        select exists (
          select 1 from jobs join job_progress on job_id = id
          where id = ${id}::uuid and account_id = ${accountId}::uuid and kind = ${kind}
            and state <> 'scraping' and expires_at <= ${now}::bigint
        ) or exists (
          select 1 from expired_jobs
          where id = ${id}::uuid and account_id = ${accountId}::uuid and kind = ${kind}
        ) as expired`.execute(kysely);
      return found.rows[0]?.expired === true;
    },
    async refresh(id, expiresAt) {
      await kysely
        .updateTable("jobs")
        .set({ expires_at: expiresAt })
        .where("id", "=", id)
        .where("expires_at", "<", expiresAt - REFRESH_MS)
        .where("zero_data_retention", "=", false)
        .execute();
    },
    async active(accountId, kind) {
      const rows = await jobs()
        .where("state", "=", "scraping")
        .where("account_id", "=", accountId)
        .where("kind", "=", kind)
        .orderBy("id")
        .execute();
      return rows.map(toRecord);
    },
    async seeding() {
      const rows = await jobs()
        .where("state", "=", "scraping")
        .where("seeding", "=", true)
        .orderBy("id")
        .execute();
      return rows.map(toRecord);
    },
    endSeeding: (id, now) =>
      change(id, now, (draft) => {
        // A late repeat after a crash does not end what followed the sitemaps.
        if (draft.progress.revisit !== "running") draft.progress.seeding = false;
        return endIfDone(draft);
      }),
    endRevisit: (id, now) =>
      change(id, now, (draft) => {
        if (draft.progress.revisit !== "running") return false;
        draft.progress.revisit = null;
        draft.progress.seeding = false;
        return endIfDone(draft);
      }),
    cancel: (id, now) =>
      change(id, now, (draft) => {
        endJob(draft, "cancelled");
        return true;
      }),
    fail: (id, error, now) =>
      change(id, now, (draft) => {
        endJob(draft, "failed", error);
        return true;
      }),
    async warn(id, warning) {
      const text = toStorableJson([warning]);
      await sql`update job_progress set warnings = warnings || ${text}::jsonb
        where job_id = ${id}::uuid and not warnings @> ${text}::jsonb`.execute(kysely);
    },
    async charge(id, credits) {
      await sql`update job_progress set credits_used = credits_used + ${credits}::bigint
        where job_id = ${id}::uuid and state = 'scraping'`.execute(kysely);
    },
    async unsettled() {
      const rows = await jobs()
        .where("state", "<>", "scraping")
        .where("settled", "=", false)
        .limit(UNSETTLED_AT_ONCE)
        .execute();
      return rows.map(toRecord);
    },
    async markSettled(id) {
      await forgetPasswords(kysely, id);
      await kysely.transaction().execute(async (transaction) => {
        await transaction
          .updateTable("job_progress")
          .set({ settled: true })
          .where("job_id", "=", id)
          .execute();
        // The caller's headers may hold a cookie or a password, and are no longer needed.
        await sql`update jobs set options = options #- '{page,headers}' where id = ${id}::uuid`.execute(
          transaction,
        );
      });
    },
  };
}
