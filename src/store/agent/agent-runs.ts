// Agent runs and the leases on them. States: processing -> completed | failed; an ended run never
// changes. A process works on a run under a lease. Its writes are rejected after it loses the
// lease.
import { sql, type Kysely, type Selectable, type Transaction } from "kysely";
import { chargeOfRun } from "../../contract/account/prices.ts";
import type { EventType, Webhook } from "../../contract/jobs/webhook.ts";
import type { ErrorRecord } from "../../errors.ts";
import { toStorableJson } from "../database/json-rows.ts";
import type { HoldEntry } from "../accounts/ledger.ts";
import type { AgentOutcome, Tables } from "../database/schema.ts";
import { isUuid } from "../database/uuid.ts";
import { addDelivery } from "../jobs/webhook-deliveries.ts";
import { createRowId } from "../accounts/accounts.ts";

export type NewAgentRun = {
  /** UUID version 7. */
  readonly id: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly threadId: string;
  /** Position in its thread, from 1. */
  readonly turn: number;
  /** The validated options. JSON. */
  readonly options: unknown;
  readonly webhook: Webhook | null;
  readonly hold: HoldEntry | null;
  readonly maxCredits: number;
  readonly warning: string | null;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** How long an enqueued run waits for a worker before `takeIdle` returns it again. */
  readonly awaitedMs?: number;
};

export type AgentRunRecord = Omit<NewAgentRun, "awaitedMs"> & {
  readonly state: "processing" | "completed" | "failed";
  readonly outcome: AgentOutcome | null;
  readonly finishedAt: number | null;
  readonly error: ErrorRecord | null;
  readonly message: string | null;
  /** What was found so far or in the end. */
  readonly answer: unknown;
  readonly creditsUsed: number;
  readonly tokensUsed: number;
  /** Events of the trace so far. */
  readonly events: number;
  readonly settled: boolean;
};

export type AgentEnd = {
  readonly outcome: AgentOutcome;
  readonly error?: ErrorRecord;
  /** Appended to earlier warnings. */
  readonly warning?: string;
  readonly message?: string;
  /** Replaces what was found so far. */
  readonly answer?: unknown;
};

export type AgentRunStore = {
  /**
   * Stores a run with its `started` event. Returns false when its thread has a running run or the
   * turn is taken.
   */
  create(run: NewAgentRun): Promise<boolean>;
  /** Undefined when unknown, or when it has ended and expired. */
  load(id: string, now?: number): Promise<AgentRunRecord | undefined>;
  /** Returns runs of an account created before `before`, newest first. */
  list(accountId: string, before: number, limit: number, now?: number): Promise<AgentRunRecord[]>;
  /** Returns the runs of a conversation in order, without expired ones. */
  thread(threadId: string, now?: number): Promise<AgentRunRecord[]>;
  /**
   * Returns running runs without a lease that were not enqueued recently; the caller enqueues them.
   * Each is returned again after `awaitedMs` without a worker. Skips those in `except`.
   */
  takeIdle(now: number, awaitedMs: number, except?: readonly string[]): Promise<string[]>;
  /** Claims a run; undefined when it has ended or another worker has it. */
  claim(id: string, lease: Lease, now: number): Promise<AgentRunRecord | undefined>;
  /** Returns false when another worker has it, or it has ended. */
  renew(id: string, lease: Lease, now: number): Promise<boolean>;
  /** Releases the lease; `takeIdle` returns the run from `awaitedUntil` on. */
  release(id: string, worker: string, awaitedUntil?: number): Promise<void>;
  /** Releases all leases; only for a process that has the database to itself. */
  releaseAll(): Promise<void>;
  /**
   * Stores what was found so far. Returns false when another worker has the run, or it has ended.
   */
  keep(id: string, worker: string, answer: unknown): Promise<boolean>;
  /**
   * Ends a running run. Returns false when it has ended. Without `worker` it ends under any worker.
   */
  end(id: string, end: AgentEnd, now: number, worker?: string): Promise<boolean>;
  /** Returns ended runs whose credits are not settled, at most 100. */
  unsettled(): Promise<AgentRunRecord[]>;
  markSettled(id: string): Promise<void>;
};

export type Lease = { readonly worker: string; readonly leaseMs: number };

type Row = Selectable<Tables["agent_runs"]>;

function toRecord(row: Row): AgentRunRecord {
  return {
    id: row.id,
    accountId: row.account_id,
    keyId: row.key_id,
    threadId: row.thread_id,
    turn: row.turn,
    options: row.options,
    webhook: row.webhook as Webhook | null,
    hold: row.hold as HoldEntry | null,
    maxCredits: row.max_credits,
    warning: row.warning,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    state: row.state,
    outcome: row.outcome,
    finishedAt: row.finished_at,
    error: row.error as ErrorRecord | null,
    message: row.message,
    answer: row.answer,
    creditsUsed: row.credits_used,
    tokensUsed: row.tokens_used,
    events: row.events,
    settled: row.settled,
  };
}

const jsonOf = (value: unknown) => (value === undefined ? null : toStorableJson(value));

type Told = Pick<AgentRunRecord, "id" | "accountId" | "webhook">;

/**
 * Stores an event for the run's webhook if the caller subscribed to it. `event` is the short name.
 */
export async function announceRun(
  transaction: Kysely<Tables>,
  { id, accountId, webhook }: Told,
  event: "started" | "action" | "completed" | "failed" | "cancelled",
  about: { readonly at: number; readonly data?: unknown; readonly error?: string },
): Promise<void> {
  if (webhook === null || !webhook.events.includes(event)) return;
  await addDelivery(transaction, {
    id: createRowId(),
    jobId: id,
    accountId,
    type: `agent.${event}` as EventType,
    webhook,
    data: about.data ?? null,
    error: about.error ?? null,
    createdAt: about.at,
  });
}

/** The caller's part of an answer; the rest is metadata. */
const valueOf = (answer: unknown): unknown => (answer as { value?: unknown } | null)?.value ?? null;

async function announceEnd(
  transaction: Transaction<Tables>,
  run: AgentRunRecord,
  now: number,
): Promise<void> {
  const creditsUsed = chargeOfRun(run);
  if (run.outcome === "succeeded")
    return await announceRun(transaction, run, "completed", {
      at: now,
      data: [{ creditsUsed, data: valueOf(run.answer) }],
    });
  if (run.outcome === "cancelled")
    return await announceRun(transaction, run, "cancelled", { at: now, data: [{ creditsUsed }] });
  await announceRun(transaction, run, "failed", {
    at: now,
    data: [{ creditsUsed }],
    error: run.error?.message ?? "The run failed.",
  });
}

const UNSETTLED_AT_ONCE = 100;

export function createAgentRunStore(kysely: Kysely<Tables>): AgentRunStore {
  const runs = () => kysely.selectFrom("agent_runs").selectAll();
  const alive = (now: number) =>
    sql<boolean>`(state = 'processing' or expires_at > ${now}::bigint)`;

  return {
    create: (run) =>
      kysely.transaction().execute(async (transaction) => {
        const made = await transaction
          .insertInto("agent_runs")
          .values({
            id: run.id,
            account_id: run.accountId,
            key_id: run.keyId,
            thread_id: run.threadId,
            turn: run.turn,
            options: toStorableJson(run.options),
            webhook: run.webhook === null ? null : toStorableJson(run.webhook),
            hold: run.hold === null ? null : toStorableJson(run.hold),
            max_credits: run.maxCredits,
            created_at: run.createdAt,
            expires_at: run.expiresAt,
            life_ms: run.expiresAt - run.createdAt,
            outcome: null,
            finished_at: null,
            error: null,
            warning: run.warning,
            message: null,
            answer: null,
            worker: null,
            leased_until: run.createdAt + (run.awaitedMs ?? 0),
            // Counts run.started and agent.started.
            events: 2,
          } as never)
          .onConflict((conflict) => conflict.doNothing())
          .returning("id")
          .execute();
        if (made.length === 0) return false;
        await announceRun(transaction, run, "started", { at: run.createdAt });
        return true;
      }),
    async load(id, now = Date.now()) {
      if (!isUuid(id)) return undefined;
      const row = await runs().where("id", "=", id).where(alive(now)).executeTakeFirst();
      return row === undefined ? undefined : toRecord(row);
    },
    async list(accountId, before, limit, now = Date.now()) {
      const rows = await runs()
        .where("account_id", "=", accountId)
        .where("created_at", "<", before)
        .where(alive(now))
        .orderBy("created_at", "desc")
        .orderBy("id", "desc")
        .limit(limit)
        .execute();
      return rows.map(toRecord);
    },
    async thread(threadId, now = Date.now()) {
      if (!isUuid(threadId)) return [];
      const rows = await runs()
        .where("thread_id", "=", threadId)
        .where(alive(now))
        .orderBy("turn")
        .execute();
      return rows.map(toRecord);
    },
    async takeIdle(now, awaitedMs, except = []) {
      let idle = kysely
        .updateTable("agent_runs")
        .set({ worker: null, leased_until: now + awaitedMs })
        .where("state", "=", "processing")
        .where("leased_until", "<=", now);
      if (except.length > 0) idle = idle.where("id", "not in", except);
      const rows = await idle.returning("id").execute();
      return rows.map(({ id }) => id).toSorted();
    },
    async claim(id, { worker, leaseMs }, now) {
      const row = await kysely
        .updateTable("agent_runs")
        .set({ worker, leased_until: now + leaseMs })
        .where("id", "=", id)
        .where("state", "=", "processing")
        .where((run) => run.or([run("leased_until", "<=", now), run("worker", "is", null)]))
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? undefined : toRecord(row);
    },
    async renew(id, { worker, leaseMs }, now) {
      const row = await kysely
        .updateTable("agent_runs")
        .set({ leased_until: now + leaseMs })
        .where("id", "=", id)
        .where("state", "=", "processing")
        .where("worker", "=", worker)
        .returning("id")
        .executeTakeFirst();
      return row !== undefined;
    },
    async release(id, worker, awaitedUntil = 0) {
      await kysely
        .updateTable("agent_runs")
        .set({ worker: null, leased_until: awaitedUntil })
        .where("id", "=", id)
        .where("worker", "=", worker)
        .execute();
    },
    async releaseAll() {
      await kysely
        .updateTable("agent_runs")
        .set({ worker: null, leased_until: 0 })
        .where("state", "=", "processing")
        .execute();
    },
    async keep(id, worker, answer) {
      const row = await kysely
        .updateTable("agent_runs")
        .set({ answer: toStorableJson(answer) })
        .where("id", "=", id)
        .where("state", "=", "processing")
        .where("worker", "=", worker)
        .returning("id")
        .executeTakeFirst();
      return row !== undefined;
    },
    end: (id, end, now, worker) =>
      kysely.transaction().execute(async (transaction) => {
        const { outcome, error, warning, message, answer } = end;
        const ended = await sql<Row>`
          update agent_runs set
            state = ${outcome === "succeeded" ? "completed" : "failed"}, outcome = ${outcome},
            finished_at = ${now}::bigint, expires_at = ${now}::bigint + life_ms,
            error = ${jsonOf(error)}::jsonb, message = ${message ?? null},
            warning = nullif(concat_ws(' ', warning, ${warning ?? null}::text), ''),
            answer = ${answer === undefined ? sql`answer` : sql`${toStorableJson(answer)}::json`},
            events = events + ${outcome === "cancelled" ? 3 : 2}, worker = null, leased_until = 0
          where id = ${id}::uuid and state = 'processing'
            and ${worker === undefined ? sql`true` : sql`worker = ${worker}`}
          returning *`.execute(transaction);
        const [row] = ended.rows;
        if (row === undefined) return false;
        await announceEnd(transaction, toRecord(row), now);
        return true;
      }),
    async unsettled() {
      const rows = await runs()
        .where("state", "<>", "processing")
        .where("settled", "=", false)
        .limit(UNSETTLED_AT_ONCE)
        .execute();
      return rows.map(toRecord);
    },
    async markSettled(id) {
      await kysely.updateTable("agent_runs").set({ settled: true }).where("id", "=", id).execute();
    },
  };
}

/** Removes ended, expired runs with their journals and events. Returns their number. */
export async function removeExpiredRuns(kysely: Kysely<Tables>, now: number): Promise<number> {
  const gone = await sql<{ id: string }>`
    with gone as (
      delete from agent_runs where id in (
        select id from agent_runs where state <> 'processing' and settled and expires_at <= ${now}::bigint limit 100
      ) returning id
    ), events as (
      delete from webhook_deliveries where job_id in (select id from gone)
    ) select id from gone`.execute(kysely);
  return gone.rows.length;
}
