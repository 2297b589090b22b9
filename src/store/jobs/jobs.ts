// Jobs of every kind. States: scraping (running) -> completed | failed | cancelled; an ended job
// never changes its state. Every change of a job's state, pages and counters happens under the lock
// of its row, so counters, sequences and the limit are exact with any number of workers. Jobs with
// pages have a frontier, jobs with a run a row in job_runs.
import { sql, type Kysely } from "kysely";
import { InternalError } from "../../errors.ts";
import type { FoundUrl } from "./frontier.ts";
import {
  admit,
  announce,
  endIfDone,
  endSeeding,
  type JobChange,
  openDraft,
  writeDraft,
} from "./job-change.ts";
import { buildRowInsert, toStorableJson } from "../database/json-rows.ts";
import { selectJobs, toJobRecord, type JobRecord, type NewJob } from "./job-record.ts";
import { insertRun } from "./job-runs.ts";
import type { Tables } from "../database/schema.ts";
import type { Seals } from "../database/seals.ts";
import { isUuid } from "../database/uuid.ts";

export type TransactionStep = (transaction: Kysely<Tables>) => Promise<boolean>;

export type JobStore = {
  /**
   * Stores a job with its first URLs and its `started` event in one transaction. At most some
   * thousand URLs: see `add`. `alongside` writes rows that its kind keeps elsewhere; when it
   * returns false, or the schedule's job exists, nothing is stored and `create` returns false.
   */
  create(job: NewJob, first?: readonly FoundUrl[], alongside?: TransactionStep): Promise<boolean>;
  /** Undefined when unknown, or when it has ended and expired. */
  load(id: string, now?: number): Promise<JobRecord | undefined>;
  /**
   * True if the account had such a job that is no longer readable; known for a week after its
   * removal.
   */
  hasExpired(
    id: string,
    owner: { readonly accountId: string; readonly kind: string },
    now?: number,
  ): Promise<boolean>;
  /**
   * Extends the time it is readable to `expiresAt`. Written only when that gains more than a
   * minute, and not with zero data retention.
   */
  refresh(id: string, expiresAt: number): Promise<void>;
  /** Running jobs of an account, of one kind or of all, oldest first. */
  listActive(accountId: string, kind?: string): Promise<JobRecord[]>;
  /** Marks all URLs of a job without a run as stored. Completes a job with nothing to fetch. */
  endSeeding(id: string, now: number): Promise<JobChange>;
  /** Adds a warning for the caller, once. */
  warn(id: string, warning: string): Promise<void>;
  /** Adds credits other than page prices to a running job. */
  charge(id: string, credits: number): Promise<void>;
  /** Ended jobs whose credits are not settled, also after a crash. At most 100. */
  listUnsettled(): Promise<JobRecord[]>;
  /** Also deletes the caller's headers for its site, such as cookies. */
  markSettled(id: string): Promise<void>;
  /** Notes in the options that URLs with a login were added to the job. */
  markLogins(id: string): Promise<void>;
};

/** Thrown to roll back the transaction that creates a job. */
const NOT_MADE = new InternalError("The job was not created.");
const REFRESH_MS = 60_000;
const UNSETTLED_PER_BATCH = 100;

const insertJob = buildRowInsert("jobs", {
  id: "uuid",
  account_id: "uuid",
  key_id: "uuid",
  kind: "text",
  url: "text",
  options: "json",
  page_limit: "integer",
  max_concurrency: "integer",
  hold: "jsonb",
  webhook: "jsonb",
  zero_data_retention: "boolean",
  created_at: "bigint",
  expires_at: "bigint",
  life_ms: "bigint",
  seal_ref: "text",
  traceparent: "text",
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
  traceparent: job.traceparent ?? null,
});

/** URLs of a batch handled per statement. */
const MAX_DELETED_PER_BATCH = 2_000;

/**
 * In chunks: a batch may have a hundred thousand URLs. Repeated after a crash, because the job is
 * not settled before.
 */
async function forgetPasswords(kysely: Kysely<Tables>, id: string): Promise<void> {
  const found = await sql<{ discovered: number }>`
    select discovered from job_progress join jobs on jobs.id = job_id
    where job_id = ${id}::uuid and kind = 'batch_scrape'`.execute(kysely);
  const count = found.rows[0]?.discovered ?? 0;
  for (let first = 1; first <= count; first += MAX_DELETED_PER_BATCH)
    await sql`update frontier set marks = marks - 'authorization'
      where job_id = ${id}::uuid and sequence >= ${first}::integer
        and sequence < ${first + MAX_DELETED_PER_BATCH}::integer and marks is not null`.execute(
      kysely,
    );
}

export function createJobStore(kysely: Kysely<Tables>, seals: Pick<Seals, "create">): JobStore {
  const jobs = () => selectJobs(kysely);

  return {
    async create(job, first = [], alongside) {
      // Before the transaction: a key without a job is swept later.
      const sealRef = job.zeroDataRetention ? await seals.create() : null;
      const made = kysely.transaction().execute(async (transaction) => {
        await insertJob([{ ...toRow(job), seal_ref: sealRef }]).execute(transaction);
        await transaction
          .insertInto("job_progress")
          .values({
            job_id: job.id,
            owner_id: job.accountId,
            job_kind: job.kind,
            seeding: job.seeding,
            revisit: job.revisits === true ? "due" : null,
            warnings: sql`${toStorableJson(job.warnings ?? [])}::jsonb`,
          })
          .execute();
        if (job.run !== undefined && !(await insertRun(transaction, job, job.run))) throw NOT_MADE;
        if (alongside !== undefined && !(await alongside(transaction))) throw NOT_MADE;
        const draft = await openDraft(transaction, job.id, job.createdAt);
        if (draft === undefined) throw new InternalError("Failed to store the job.");
        announce(draft, "started");
        for (const url of first) admit(draft, url, undefined);
        endIfDone(draft);
        await writeDraft(transaction, draft);
        return true;
      });
      try {
        return await made;
      } catch (error) {
        if (error === NOT_MADE) return false;
        throw error;
      }
    },
    async load(id, now = Date.now()) {
      if (!isUuid(id)) return undefined;
      const row = await jobs().where("id", "=", id).executeTakeFirst();
      if (row === undefined) return undefined;
      return row.state === "scraping" || row.expires_at > now ? toJobRecord(row) : undefined;
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
    async listActive(accountId, kind) {
      const running = jobs().where("state", "=", "scraping").where("account_id", "=", accountId);
      const rows = await (kind === undefined ? running : running.where("kind", "=", kind))
        .orderBy("id")
        .execute();
      return rows.map(toJobRecord);
    },
    endSeeding: (id, now) =>
      kysely.transaction().execute(async (transaction) => {
        const draft = await openDraft(transaction, id, now);
        if (draft?.progress.state !== "scraping")
          return { state: draft?.progress.state ?? "cancelled", ended: false };
        const ended = endSeeding(draft);
        await writeDraft(transaction, draft);
        return { state: draft.progress.state, ended };
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
    async listUnsettled() {
      const rows = await jobs()
        .where("state", "<>", "scraping")
        .where("settled", "=", false)
        .limit(UNSETTLED_PER_BATCH)
        .execute();
      return rows.map(toJobRecord);
    },
    async markLogins(id) {
      await sql`update jobs set options = jsonb_set(options::jsonb, '{hasLogins}', 'true')::json
        where id = ${id}::uuid and options ->> 'hasLogins' is null`.execute(kysely);
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
        await sql`update jobs set options = (options::jsonb #- '{page,headers}')::json
          where id = ${id}::uuid and options -> 'page' is not null`.execute(transaction);
      });
    },
  };
}
