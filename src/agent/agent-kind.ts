// Agent runs as a kind of job: another attempt continues from the journal, in any process.
import { InternalError, LimitError, QuarryError, TargetError } from "../errors.ts";
import type { JobEnd, JobKind, RunContext } from "../jobs/kind.ts";
import type { Logger } from "../logger.ts";
import type { AgentResult } from "../store/agent/agent-runs.ts";
import type { AgentStepStore } from "../store/agent/agent-steps.ts";
import type { AgentOutcome } from "../store/database/schema.ts";
import { ModelBusy } from "./model/run-by-model.ts";
import { describeRun } from "./describe-run.ts";
import { CreditLimit, Journal, JournalChangedSignal } from "./journal.ts";
import type { RunInput } from "./agent-run-context.ts";
import type { Answer, Finding, StoredRun } from "./run.ts";

/** Executes a run through its journal and reports intermediate answers. */
export type ExecuteRun = (
  run: RunInput,
  journal: Journal,
  tell: (answer: Answer) => Promise<void>,
) => Promise<Finding>;

export type AgentKindParts = {
  /** Resolve once the database is open. */
  readonly steps: () => Promise<AgentStepStore>;
  readonly executeRun: () => Promise<ExecuteRun>;
  readonly log: Logger;
  readonly now?: () => number;
};

export function createAgentKind(parts: AgentKindParts): JobKind {
  return {
    name: "agent",
    title: "Agent job",
    charged: "at the end",
    cancellable: true,
    toActivity: (job) => ({ target: describeRun(job) }),
    cancelled: () => toJobEnd({ outcome: "cancelled", error: CANCELLED }),
    runner: {
      concurrency: 4,
      maxAttempts: 9,
      retryDelayMs: 1_000,
      maxRunMs: 3 * 3_600_000,
      run: (context) => runAttempt(parts, context),
      giveUp(_context, error) {
        const cause = error instanceof ModelBusy ? BUSY : GIVEN_UP;
        return toJobEnd({ outcome: "failed", error: cause.toRecord() });
      },
    },
  };
}

const SCHEMA_MISMATCH = new TargetError(
  "AGENT_INCOMPLETE",
  "The data does not fit the schema: a required value was not found. The data found so far is in partial.",
);
const BUSY = new TargetError("MODEL_BUSY", "The model provider kept returning 'overloaded'.");
const CHANGED = new InternalError(
  "The server's language model or version changed during the run, so it cannot resume. Start it again; the data found so far is in partial.",
);
const GIVEN_UP = new InternalError("The run failed repeatedly and was given up.");

const CANCELLED = { code: "SCRAPE_JOB_CANCELLED", message: "The run was cancelled." } as const;

/**
 * Executes a claimed run to its end. Throws RunLostSignal, and errors that are not the run's fault; it
 * can then resume.
 */
async function runAttempt(parts: AgentKindParts, context: RunContext): Promise<JobEnd> {
  const { job, signal, worker } = context;
  const { maxCredits } = job.options as StoredRun;
  const { log, now = Date.now } = parts;
  const journal = await Journal.open({
    steps: await parts.steps(),
    runId: job.id,
    worker,
    maxCredits,
    signal,
    now,
  });
  try {
    const executeRun = await parts.executeRun();
    const finding = await executeRun({ ...job, maxCredits }, journal, async (answer) => {
      // These results were stored before; a replay must not overwrite them with less.
      if (journal.recalls) return;
      await context.save(answer);
      context.onEvent();
    });
    return toEnd(finding);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof CreditLimit) return limitReached(maxCredits);
    if (error instanceof JournalChangedSignal) {
      log.error({ err: error, runId: job.id }, "cannot resume agent run");
      return toJobEnd({ outcome: "failed", error: CHANGED.toRecord() });
    }
    // Storage or browser are unavailable: the run resumes later from its journal.
    const isUnavailable = error instanceof LimitError && error.code === "UNAVAILABLE";
    if (isUnavailable || !(error instanceof QuarryError) || error instanceof InternalError)
      throw error;
    return toJobEnd({ outcome: "failed", error: error.toRecord() });
  }
}

type AgentEnd = AgentResult & Pick<JobEnd, "error" | "warning"> & { readonly answer?: Answer };

/** Nothing is charged for a run that its limit stopped, or that failed. */
const isFree = (outcome: AgentOutcome): boolean =>
  outcome === "credit_limit_reached" || outcome === "failed";

function toJobEnd({ error, warning, ...result }: AgentEnd): JobEnd {
  const { outcome, answer } = result;
  const data = outcome === "succeeded" ? { data: answer?.value ?? null } : {};
  return {
    state: outcome === "succeeded" ? "completed" : outcome === "cancelled" ? "cancelled" : "failed",
    result,
    error,
    warning,
    ...(isFree(outcome) && { creditsUsed: 0 }),
    eventData: ({ creditsUsed }) => [{ creditsUsed, ...data }],
  };
}

function toEnd({ answer, warnings, message, refused, needsModel, failure }: Finding): JobEnd {
  const about = {
    answer,
    ...(warnings.length === 0 ? {} : { warning: warnings.join(" ") }),
    ...(message === undefined ? {} : { message }),
  };
  if (needsModel !== undefined)
    return toJobEnd({
      outcome: "failed",
      error: { code: "AGENT_NEEDS_MODEL", message: needsModel },
      ...about,
    });
  if (failure !== undefined) return toJobEnd({ outcome: "failed", error: failure, ...about });
  if (refused !== true && answer.valid) return toJobEnd({ outcome: "succeeded", ...about });
  if (refused !== true)
    return toJobEnd({ outcome: "failed", error: SCHEMA_MISMATCH.toRecord(), ...about });
  const text = message ?? "The language model declined to do this.";
  return toJobEnd({
    outcome: "refused",
    error: { code: "AGENT_REFUSED", message: text },
    ...about,
  });
}

function limitReached(maxCredits: number): JobEnd {
  const message = `The run was stopped: its next step could exceed what is left of its ${maxCredits} credits. Nothing is charged; what was found is in partial.`;
  return toJobEnd({
    outcome: "credit_limit_reached",
    error: { code: "INSUFFICIENT_CREDITS", message },
  });
}
