// Runs of the agent: jobs with a position in a conversation. Their lease, end and events are those
// of all jobs (store/jobs/); this file maps their states to the contract's names.
import { sql, type Kysely } from "kysely";
import type { ErrorRecord } from "../../errors.ts";
import type { AgentOutcome, Tables } from "../database/schema.ts";
import { createFirstIdAt, isUuid } from "../database/uuid.ts";
import { selectJobs, toJobRecord, type JobRecord } from "../jobs/job-record.ts";
import type { TransactionStep } from "../jobs/jobs.ts";

export type AgentTurn = {
  /** UUID version 7 of the run. */
  readonly id: string;
  readonly accountId: string;
  readonly threadId: string;
  /** Position in the thread, from 1. */
  readonly turn: number;
};

/** Final result of a run, beside its answer. */
export type AgentResult = {
  readonly outcome: AgentOutcome;
  readonly message?: string | null;
  /** The final answer; the saved interim answer when missing. */
  readonly answer?: unknown;
};

export type AgentRunRecord = AgentTurn &
  Pick<
    JobRecord,
    "keyId" | "options" | "webhook" | "hold" | "createdAt" | "expiresAt" | "creditsUsed" | "settled"
  > & {
    readonly state: "processing" | "completed" | "failed";
    readonly outcome: AgentOutcome | null;
    readonly finishedAt: number | null;
    readonly error: ErrorRecord | null;
    readonly warning: string | null;
    readonly message: string | null;
    /** The answer: intermediate while running, then final. */
    readonly answer: unknown;
    readonly tokensUsed: number;
    /** Number of trace events so far. */
    readonly events: number;
  };

export type AgentRunStore = {
  /** Gives a new job its position in a thread; false when the position is taken. */
  addTurn(turn: AgentTurn): TransactionStep;
  /** Undefined when unknown, or ended and expired. */
  load(id: string, now?: number): Promise<AgentRunRecord | undefined>;
  /** Runs of an account created before `before`, newest first. */
  list(
    accountId: string,
    before: number | undefined,
    limit: number,
    now?: number,
  ): Promise<AgentRunRecord[]>;
  /** Runs of a conversation in order, without expired ones. */
  loadThread(threadId: string, now?: number): Promise<AgentRunRecord[]>;
};

/**
 * Trace events of the end: agent.finished and run.finished, and run.cancel_requested before them.
 */
const countEndEvents = (outcome: AgentOutcome | null): number => {
  if (outcome === null) return 0;
  return outcome === "cancelled" ? 3 : 2;
};

function readOutcome({ state, work }: JobRecord): AgentOutcome | null {
  if (state === "scraping") return null;
  if (state === "cancelled") return "cancelled";
  const outcome = (work?.result as AgentResult | null)?.outcome;
  return outcome ?? (state === "completed" ? "succeeded" : "failed");
}

const selectRuns = (kysely: Kysely<Tables>, now: number) =>
  selectJobs(kysely)
    .innerJoin("agent_turns", "agent_turns.run_id", "jobs.id")
    .select(["agent_turns.thread_id", "agent_turns.turn", "agent_turns.tokens_used"])
    .select("agent_turns.events as trace_events")
    .where(sql<boolean>`(job_progress.state = 'scraping' or jobs.expires_at > ${now}::bigint)`);

type Row = Parameters<typeof toJobRecord>[0] & {
  readonly thread_id: string;
  readonly turn: number;
  readonly tokens_used: number;
  readonly trace_events: number;
};

function toRecord(row: Row): AgentRunRecord {
  const job = toJobRecord(row);
  const outcome = readOutcome(job);
  const result = job.work?.result as AgentResult | null;
  const { state, warnings, completedAt } = job;
  return {
    id: job.id,
    accountId: job.accountId,
    keyId: job.keyId,
    threadId: row.thread_id,
    turn: row.turn,
    options: job.options,
    webhook: job.webhook,
    hold: job.hold,
    createdAt: job.createdAt,
    expiresAt: job.expiresAt,
    creditsUsed: job.creditsUsed,
    settled: job.settled,
    state: state === "scraping" ? "processing" : state === "completed" ? "completed" : "failed",
    outcome,
    finishedAt: completedAt,
    error: job.error,
    warning: warnings.length === 0 ? null : warnings.join(" "),
    message: result?.message ?? null,
    answer: result?.answer ?? job.work?.progress ?? null,
    tokensUsed: row.tokens_used,
    events: row.trace_events + countEndEvents(outcome),
  };
}

export function createAgentRunStore(kysely: Kysely<Tables>): AgentRunStore {
  return {
    addTurn:
      ({ id, accountId, threadId, turn }) =>
      async (transaction) => {
        const made = await sql<{ run_id: string }>`
          insert into agent_turns (run_id, account_id, thread_id, turn)
          values (${id}::uuid, ${accountId}::uuid, ${threadId}::uuid, ${turn}::integer)
          on conflict do nothing returning run_id`.execute(transaction);
        return made.rows.length > 0;
      },
    async load(id, now = Date.now()) {
      if (!isUuid(id)) return undefined;
      const row = await selectRuns(kysely, now).where("jobs.id", "=", id).executeTakeFirst();
      return row === undefined ? undefined : toRecord(row);
    },
    async list(accountId, before, limit, now = Date.now()) {
      const runs = selectRuns(kysely, now).where("agent_turns.account_id", "=", accountId);
      const rows = await (
        before === undefined
          ? runs
          : runs
              .where("jobs.created_at", "<", before)
              .where("agent_turns.run_id", "<", createFirstIdAt(before))
      )
        .orderBy("agent_turns.run_id", "desc")
        .limit(limit)
        .execute();
      return rows.map(toRecord);
    },
    async loadThread(threadId, now = Date.now()) {
      if (!isUuid(threadId)) return [];
      const rows = await selectRuns(kysely, now)
        .where("agent_turns.thread_id", "=", threadId)
        .orderBy("agent_turns.turn")
        .execute();
      return rows.map(toRecord);
    },
  };
}
