// Webhook events to send. They are written in the transaction that causes them, so none is lost. A
// worker claims one under a lease and reports the result, so each is sent at least once with the
// same id. States: waiting -> delivered | failed.
import { sql, type Kysely, type Selectable } from "kysely";
import type { EventType, Webhook } from "../../contract/jobs/webhook.ts";
import { toStorableJson } from "../database/json-rows.ts";
import type { Tables } from "../database/schema.ts";

export type WebhookDelivery = {
  /** Id of the event, sent with every attempt. */
  readonly id: string;
  readonly jobId: string;
  readonly accountId: string;
  /** Position among the events of its job, from 1, in the order they happened. */
  readonly sequence: number;
  readonly type: EventType;
  readonly webhook: Webhook;
  /** The span that started the job; null without tracing. */
  readonly traceparent?: string | null;
  /** Number of the document in the job's results; null for events without one. */
  readonly resultSequence: number | null;
  /** The event's own data when it has no document. */
  readonly data: unknown;
  readonly error: string | null;
  readonly createdAt: number;
  /** Attempts started, including this one. */
  readonly attempt: number;
};

export type DeliveryOutcome =
  | { readonly type: "delivered"; readonly statusCode: number }
  | {
      readonly type: "retry";
      readonly at: number;
      readonly statusCode: number | null;
      readonly error: string;
    }
  | { readonly type: "failed"; readonly statusCode: number | null; readonly error: string }
  /** Nothing was sent, which counts as no attempt: another process may succeed. */
  | {
      readonly type: "postponed";
      readonly at: number;
      readonly statusCode: null;
      readonly error: string;
    };

export type DeliveryLogEntry = {
  readonly id: string;
  readonly type: EventType;
  readonly state: "waiting" | "delivered" | "failed";
  readonly attempts: number;
  readonly createdAt: number;
  /** When it is tried next, was delivered, or failed. */
  readonly at: number;
  readonly statusCode: number | null;
  readonly error: string | null;
};

export type NewDelivery = Pick<
  WebhookDelivery,
  "id" | "jobId" | "accountId" | "type" | "webhook" | "data" | "error" | "createdAt"
>;

export type DeliveryStore = {
  /** Adds an event that no other store writes. */
  add(delivery: NewDelivery): Promise<void>;
  /**
   * Claims due deliveries. Page events of a job may overtake each other. A job event (started,
   * completed …) is claimed only after all earlier ones were tried once, and later ones only after
   * it. The end of a job waits at most `END_WAITS_MS` for its pages.
   */
  claim(claim: {
    readonly worker: string;
    readonly max: number;
    readonly leaseMs: number;
    /** Jobs whose receivers are at their limit. */
    readonly except?: readonly string[];
    readonly now?: number;
  }): Promise<WebhookDelivery[]>;
  /** Records the result of an attempt; ignored when another worker has claimed it since. */
  finish(
    worker: string,
    delivery: WebhookDelivery,
    outcome: DeliveryOutcome,
    now?: number,
  ): Promise<void>;
  /**
   * When the next delivery becomes claimable, milliseconds since the epoch: it falls due or a lease
   * expires. Undefined when there is none.
   */
  findNextDue(except?: readonly string[], now?: number): Promise<number | undefined>;
  /** Releases all leases; only for a process that has the database to itself. */
  releaseAll(): Promise<void>;
  /**
   * Makes an event of a job due now. An event that has ended starts with its first attempt; one that
   * is being sent stays unchanged. Returns false for an unknown event.
   */
  redeliver(jobId: string, id: string, now?: number): Promise<boolean>;
  /** Returns the deliveries of a job, oldest first. */
  log(
    jobId: string,
    range: { readonly skip: number; readonly limit: number },
  ): Promise<DeliveryLogEntry[]>;
};

type DeliveryRow = Selectable<Tables["webhook_deliveries"]> & {
  receiver: Webhook;
  traceparent: string | null;
};

/**
 * Without this limit, a receiver that hangs on each of a thousand pages would get the end an hour
 * later.
 */
const END_WAITS_MS = 30_000;

/** Job events this old no longer wait for earlier ones. */
const isOverdue = (now: number) =>
  sql`(not tried and type not like '%.page' and created_at <= ${now - END_WAITS_MS}::bigint)`;

/** Earlier events of the job that were not tried yet. */
const earlier = sql`select 1 from webhook_deliveries as earlier
  where earlier.job_id = mine.job_id and earlier.sequence < mine.sequence
    and earlier.state = 'waiting' and not earlier.tried`;

/**
 * Page events may overtake each other. A job event waits for all before it, and all after wait for
 * it.
 */
const unblocked = sql`(tried or not exists (${earlier} and earlier.type not like '%.page')
  and (mine.type like '%.page' or not exists (${earlier})))`;

/** Jobs with waiting events, by skip scan: each may have a hundred thousand. */
const waitingJobs = sql`
  waiting_jobs (job_id) as (
    (select job_id from webhook_deliveries where state = 'waiting' order by job_id limit 1)
    union all
    select (select job_id from webhook_deliveries as other
      where other.state = 'waiting' and other.job_id > one.job_id order by other.job_id limit 1)
    from waiting_jobs as one where one.job_id is not null
  )`;

/** Candidates per delivery, so that one worker does not hide everything from others. */
const CANDIDATES = 4;

/** The ids travel as JSON text: one parameter on either engine. */
const excludeJobs = (jobs: readonly string[]) =>
  jobs.length === 0
    ? sql`true`
    : sql`job_id not in (select value::uuid from json_array_elements_text(${JSON.stringify(jobs)}::json))`;

const STATES = {
  delivered: "delivered",
  retry: "waiting",
  postponed: "waiting",
  failed: "failed",
} as const;

/** Stores an event in the transaction that causes it; an event with a known id is skipped. */
export async function addDelivery(
  transaction: Kysely<Tables>,
  { id, jobId, accountId, type, webhook, data, error, createdAt }: NewDelivery,
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${jobId}, 0))`.execute(transaction);
  await sql`
    insert into webhook_deliveries
      (id, job_id, account_id, sequence, type, webhook, data, error, created_at, due_at)
    select ${id}::uuid, ${jobId}::uuid, ${accountId}::uuid, coalesce(max(sequence), 0) + 1, ${type},
      ${toStorableJson(webhook)}::jsonb, ${data === undefined || data === null ? null : toStorableJson(data)}::jsonb,
      ${error}, ${createdAt}::bigint, ${createdAt}::bigint
    from webhook_deliveries where job_id = ${jobId}::uuid on conflict (id) do nothing`.execute(
    transaction,
  );
}

export function createDeliveryStore(kysely: Kysely<Tables>): DeliveryStore {
  return {
    add: (delivery) =>
      kysely.transaction().execute((transaction) => addDelivery(transaction, delivery)),
    async claim({ worker, max, leaseMs, except = [], now = Date.now() }) {
      const free = sql`state = 'waiting' and leased_until <= ${now}::bigint`;
      const inTurn = sql`(
        select id from webhook_deliveries as mine
        where mine.job_id = jobs.job_id and ${free} and due_at <= ${now}::bigint and ${unblocked}
        order by due_at, sequence limit ${max * CANDIDATES}::integer)`;
      const late = sql`(
        select id from webhook_deliveries as mine
        where mine.job_id = jobs.job_id and ${free} and ${isOverdue(now)} limit ${max}::integer)`;
      const found = await sql<DeliveryRow>`
        with recursive ${waitingJobs},
        candidates as materialized (
          select next.id from waiting_jobs as jobs cross join lateral (${late} union ${inTurn}) as next
          where jobs.job_id is not null and ${excludeJobs(except)}
        ),
        picked as (
          select id from webhook_deliveries where id in (select id from candidates) and ${free}
          order by ${isOverdue(now)} desc, due_at, sequence limit ${max}::integer for update skip locked
        )
        update webhook_deliveries as taken
        set worker = ${worker}, leased_until = ${now + leaseMs}::bigint, attempts = attempts + 1
        from picked where taken.id = picked.id
        returning taken.*, coalesce(taken.webhook, (select webhook from jobs where jobs.id = taken.job_id)) as receiver,
          (select traceparent from jobs where jobs.id = taken.job_id)`.execute(kysely);
      return found.rows
        .sort((one, other) => one.due_at - other.due_at || one.sequence - other.sequence)
        .map((row) => ({
          id: row.id,
          jobId: row.job_id,
          accountId: row.account_id,
          sequence: row.sequence,
          type: row.type,
          webhook: row.receiver,
          traceparent: row.traceparent,
          resultSequence: row.result_sequence,
          data: row.data,
          error: row.error,
          createdAt: row.created_at,
          attempt: row.attempts,
        }));
    },
    async finish(worker, delivery, outcome, now = Date.now()) {
      await kysely
        .updateTable("webhook_deliveries")
        .set({
          state: STATES[outcome.type],
          tried: true,
          due_at: "at" in outcome ? outcome.at : now,
          attempts: outcome.type === "postponed" ? delivery.attempt - 1 : delivery.attempt,
          status_code: outcome.statusCode,
          failure: outcome.type === "delivered" ? null : outcome.error,
          worker: null,
          leased_until: 0,
        })
        .where("id", "=", delivery.id)
        .where("state", "=", "waiting")
        .where("worker", "=", worker)
        .where("attempts", "=", delivery.attempt)
        .execute();
    },
    async findNextDue(except = [], now = Date.now()) {
      const found = await sql<{ at: number | null }>`
        select least(
          (select min(due_at) from webhook_deliveries
            where state = 'waiting' and due_at > ${now}::bigint and ${excludeJobs(except)}),
          (select min(leased_until) from webhook_deliveries
            where state = 'waiting' and leased_until > ${now}::bigint and ${excludeJobs(except)})) as at`.execute(
        kysely,
      );
      return found.rows[0]?.at ?? undefined;
    },
    async releaseAll() {
      await kysely
        .updateTable("webhook_deliveries")
        .set({ worker: null, leased_until: 0 })
        .where("state", "=", "waiting")
        .where("leased_until", ">", 0)
        .execute();
    },
    async redeliver(jobId, id, now = Date.now()) {
      const found = await sql<{ id: string }>`
        with due as (
          update webhook_deliveries
          set attempts = case state when 'waiting' then attempts else 0 end, state = 'waiting',
            due_at = ${now}::bigint, worker = null, leased_until = 0
          where id = ${id}::uuid and job_id = ${jobId}::uuid
            and (state <> 'waiting' or leased_until <= ${now}::bigint)
        )
        select id from webhook_deliveries where id = ${id}::uuid and job_id = ${jobId}::uuid`.execute(
        kysely,
      );
      return found.rows.length > 0;
    },
    async log(jobId, { skip, limit }) {
      const rows = await kysely
        .selectFrom("webhook_deliveries")
        .selectAll()
        .where("job_id", "=", jobId)
        .where("sequence", ">", skip)
        .orderBy("sequence")
        .limit(limit)
        .execute();
      return rows.map((row) => ({
        id: row.id,
        type: row.type,
        state: row.state,
        attempts: row.attempts,
        createdAt: row.created_at,
        at: row.due_at,
        statusCode: row.status_code,
        error: row.failure,
      }));
    },
  };
}
