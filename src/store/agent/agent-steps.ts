// The journal of a run: each decision is written before its step runs, and each result before the
// next decision. A process that resumes the run finds everything that was finished and paid.
import { sql, type Kysely, type Selectable, type Transaction } from "kysely";
import type { ErrorRecord } from "../../errors.ts";
import { announce, writeDraft } from "../jobs/job-change.ts";
import { changeRun } from "../jobs/job-runs.ts";
import { toStorableJson } from "../database/json-rows.ts";
import type { Tables } from "../database/schema.ts";

export type AgentStep = {
  /** From 0 in the order of decisions. */
  readonly number: number;
  readonly tool: string;
  readonly input: unknown;
  readonly beganAt: number;
  /** Sequence of its start event in the trace. */
  readonly beganEvent: number;
  /** The output that later steps need. */
  readonly output: unknown;
  readonly error: ErrorRecord | null;
  /** Entry for the trace. */
  readonly shown: unknown;
  readonly credits: number;
  /** Null while it runs, or if its process ended during the step. */
  readonly endedAt: number | null;
  readonly endedEvent: number | null;
};

export type StepEnd = {
  readonly output?: unknown;
  readonly error?: ErrorRecord;
  readonly shown?: unknown;
  readonly credits: number;
  readonly tokens?: number;
};

export type AgentStepStore = {
  /** Returns the steps in order, without outputs. */
  list(runId: string): Promise<AgentStep[]>;
  find(runId: string, number: number): Promise<AgentStep | undefined>;
  /**
   * Records a step before it runs. Returns false when the run has ended or another worker has it.
   */
  begin(
    runId: string,
    worker: string,
    step: Pick<AgentStep, "number" | "tool" | "input">,
    now: number,
  ): Promise<boolean>;
  /**
   * Records the result and cost of a step, and stores the `action` event. Returns false like
   * `begin`.
   */
  end(runId: string, worker: string, number: number, end: StepEnd, now: number): Promise<boolean>;
};

type Row = Selectable<Tables["agent_steps"]>;

const toStep = (row: Row): AgentStep => ({
  number: row.number,
  tool: row.tool,
  input: row.input,
  beganAt: row.began_at,
  beganEvent: row.began_event,
  output: row.output,
  error: row.error as ErrorRecord | null,
  shown: row.shown,
  credits: row.credits,
  endedAt: row.ended_at,
  endedEvent: row.ended_event,
});

const toJson = (value: unknown) =>
  value === undefined || value === null ? null : toStorableJson(value);

export function createAgentStepStore(kysely: Kysely<Tables>): AgentStepStore {
  return {
    async list(runId) {
      const rows = await kysely
        .selectFrom("agent_steps")
        .select([
          "run_id",
          "number",
          "tool",
          "input",
          "began_at",
          "began_event",
          "error",
          "shown",
          "credits",
          "ended_at",
          "ended_event",
        ])
        .select(sql<null>`null`.as("output"))
        .where("run_id", "=", runId)
        .orderBy("number")
        .execute();
      return rows.map(toStep);
    },
    async find(runId, number) {
      const row = await kysely
        .selectFrom("agent_steps")
        .selectAll()
        .where("run_id", "=", runId)
        .where("number", "=", number)
        .executeTakeFirst();
      return row === undefined ? undefined : toStep(row);
    },
    begin: (runId, worker, { number, tool, input }, now) =>
      kysely.transaction().execute(async (transaction) => {
        const draft = await changeRun(transaction, runId, worker, now);
        if (draft === undefined) return false;
        const event = await claimNextEvent(transaction, runId);
        await transaction
          .insertInto("agent_steps")
          .values({
            run_id: runId,
            number,
            tool,
            input: toStorableJson(input),
            began_at: now,
            began_event: event,
          } as never)
          .execute();
        draft.progress.pending += 1;
        await writeDraft(transaction, draft);
        return true;
      }),
    end: (runId, worker, number, end, now) =>
      kysely.transaction().execute(async (transaction) => {
        const draft = await changeRun(transaction, runId, worker, now);
        if (draft === undefined) return false;
        const { output, error, shown, credits, tokens = 0 } = end;
        const written = await sql<{ tool: string; input: unknown }>`
          update agent_steps set output = ${toJson(output)}::json, error = ${toJson(error)}::jsonb,
            shown = ${toJson(shown)}::json, credits = ${credits}::bigint, ended_at = ${now}::bigint,
            ended_event = (select events from agent_turns where agent_turns.run_id = ${runId}::uuid)
          where run_id = ${runId}::uuid and number = ${number}::integer and ended_at is null
          returning tool, input`.execute(transaction);
        const [step] = written.rows;
        if (step === undefined) return false;
        await claimNextEvent(transaction, runId, tokens);
        const { progress } = draft;
        progress.pending -= 1;
        if (error === undefined) progress.completed += 1;
        else progress.failed += 1;
        progress.credits_used += credits;
        announce(draft, "action", {
          data: [{ creditsUsed: progress.credits_used, action: step.tool, input: step.input }],
          ...(error === undefined ? {} : { error: error.message }),
        });
        await writeDraft(transaction, draft);
        return true;
      }),
  };
}

/** Counts one event of the trace, and tokens; its position. */
async function claimNextEvent(
  transaction: Transaction<Tables>,
  runId: string,
  tokens = 0,
): Promise<number> {
  const counted = await sql<{ position: number }>`
    update agent_turns set events = events + 1, tokens_used = tokens_used + ${tokens}::bigint
    where run_id = ${runId}::uuid returning events - 1 as position`.execute(transaction);
  return counted.rows[0]?.position ?? 0;
}
