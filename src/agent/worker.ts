// Processes runs: a durable queue job names the run, a lease its worker, and the journal what was
// done. The run of a killed process restarts when the queue misses its heartbeat, or at the next
// start of the only process.
import { z } from "zod";
import { InternalError, LimitError, QuarryError, StorageError, TargetError } from "../errors.ts";
import type { Logger } from "../log.ts";
import { defineJob, type Attempt, type JobDefinition } from "../queue/definition.ts";
import type { Queue } from "../queue/queue.ts";
import type { StorageWaits } from "../jobs/storage-waits.ts";
import type { AgentRunRecord, AgentRunStore } from "../store/agent/agent-runs.ts";
import type { AgentStepStore } from "../store/agent/agent-steps.ts";
import { ModelBusy } from "./by-model.ts";
import { CreditLimit, Journal, JournalChanged, RunLost } from "./journal.ts";
import type { Finding } from "./run.ts";

/** Executes a run through its journal and reports intermediate answers. */
export type Pursue = (
  run: AgentRunRecord,
  journal: Journal,
  tell: (answer: Finding["answer"]) => Promise<void>,
) => Promise<Finding>;

export type AgentWorkerParts = {
  /** Unique to this process. */
  readonly name: string;
  readonly runs: AgentRunStore;
  readonly steps: AgentStepStore;
  readonly queue: Queue;
  readonly pursue: Pursue;
  readonly waits: StorageWaits;
  /** Maximum runs in progress in this process. */
  readonly room: number;
  readonly log: Logger;
  readonly now: () => number;
  readonly onEvent: () => void;
  readonly onEnded: (runId: string) => void;
};

export type AgentWorker = {
  enqueue(runId: string): Promise<void>;
  /** Starts processing runs, including those without a worker. */
  start(options: { readonly eager: boolean }): Promise<void>;
  /** Stops this process's work on a run that has ended. */
  stop(runId: string): void;
  close(): Promise<void>;
};

const inputSchema = z.object({ runId: z.uuid() });
const LEASE_MS = 20_000;
const LOOK_MS = 30_000;
const STORAGE_PAUSE_MS = 5_000;
/**
 * A waiting run is not enqueued again within this time, so that the queue does not fill with
 * duplicates.
 */
export const AWAITED_MS = 5 * 60_000;
const RETRIES = 8;
const LONGEST_SECONDS = 3 * 3_600;

export function createAgentWorker(parts: AgentWorkerParts): AgentWorker {
  const { name, runs, queue, waits, log, now } = parts;
  const active = new Map<string, AbortController>();
  let working: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let works = false;

  const definition: JobDefinition<z.output<typeof inputSchema>> = defineJob({
    name: "agent.run",
    schema: inputSchema,
    retries: RETRIES,
    retryDelaySeconds: 1,
    expireSeconds: LONGEST_SECONDS,
    concurrency: parts.room,
    handle: ({ runId }, attempt) => attend(runId, attempt),
  });

  async function attend(runId: string, { number, signal }: Attempt): Promise<void> {
    // A lease that expired during a database outage must not start the run twice in one process.
    if (active.has(runId)) return;
    const run = await runs.claim(runId, { worker: name, leaseMs: LEASE_MS }, now());
    waits.end(runId);
    if (run === undefined) return;
    const ended = new AbortController();
    active.set(runId, ended);
    const renewing = setInterval(() => void renew(runId, ended), LEASE_MS / 4);
    try {
      await workRun({ ...parts, worker: name }, run, AbortSignal.any([signal, ended.signal]));
    } catch (error) {
      if (error instanceof RunLost || ended.signal.aborted) return;
      if (error instanceof StorageError) {
        log.warn({ err: error, runId }, "storage failed; agent run waits");
        waits.begin(runId, error);
        // `look` resumes it. Without the database the lease expires instead.
        await runs.release(runId, name, now() + STORAGE_PAUSE_MS).catch(() => undefined);
        return;
      }
      if (signal.aborted || number <= RETRIES) {
        // The queue retries by itself.
        await runs.release(runId, name, now() + AWAITED_MS);
        throw error;
      }
      log.error({ err: error, runId }, "agent run given up");
      const cause = error instanceof ModelBusy ? BUSY : GIVEN_UP;
      await runs.end(runId, { outcome: "failed", error: cause.toRecord() }, now(), name);
      parts.onEnded(runId);
    } finally {
      clearInterval(renewing);
      active.delete(runId);
    }
  }

  async function renew(runId: string, ended: AbortController): Promise<void> {
    try {
      const mine = await runs.renew(runId, { worker: name, leaseMs: LEASE_MS }, now());
      if (!mine) ended.abort(new RunLost(`run ${runId}`));
    } catch (error) {
      log.warn({ err: error, runId }, "failed to renew lease");
    }
  }

  const enqueue = async (runId: string): Promise<void> => {
    if (works) await (working ??= queue.work([definition]));
    // A generated id: a failed job with the run's id would block the next one.
    await queue.enqueue(definition, { runId });
  };

  async function look(): Promise<void> {
    try {
      const idle = await runs.takeIdle(now(), AWAITED_MS, [...active.keys()]);
      for (const runId of idle) await enqueue(runId);
    } catch (error) {
      if (error instanceof StorageError) waits.extend();
      log.warn({ err: error }, "failed to look up unfinished agent runs");
    }
  }

  return {
    enqueue,
    async start({ eager }) {
      works = true;
      if (eager)
        void (working ??= queue.work([definition])).catch((error: unknown) =>
          log.error({ err: error }, "job queue failed to start"),
        );
      else await runs.releaseAll();
      void look();
      timer = setInterval(() => void look(), LOOK_MS);
      timer.unref();
    },
    stop(runId) {
      active.get(runId)?.abort(new RunLost(`run ${runId}`));
    },
    async close() {
      clearInterval(timer);
      await working?.catch(() => undefined);
    },
  };
}

const MISFIT = new TargetError(
  "AGENT_INCOMPLETE",
  "The data does not fit the schema: a required value was not found. What was found is in partial.",
);
const BUSY = new TargetError("MODEL_BUSY", "The model provider kept returning 'overloaded'.");
const CHANGED = new InternalError(
  "The server's language model or version changed during the run, so it cannot resume. Start it again; what was found is in partial.",
);
const GIVEN_UP = new InternalError("The run failed repeatedly and was given up.");

export type WorkRunParts = Pick<
  AgentWorkerParts,
  "runs" | "steps" | "pursue" | "log" | "now" | "onEvent" | "onEnded"
> & { readonly worker: string };

/**
 * Executes a claimed run to its end. Throws RunLost, and errors that are not the run's fault; it
 * can then resume.
 */
export async function workRun(
  parts: WorkRunParts,
  run: AgentRunRecord,
  signal: AbortSignal,
): Promise<void> {
  const { runs, worker, now, log } = parts;
  const journal = await Journal.open({
    steps: parts.steps,
    runId: run.id,
    worker,
    maxCredits: run.maxCredits,
    signal,
    now,
  });
  let end: Parameters<AgentRunStore["end"]>[1];
  try {
    const finding = await parts.pursue(run, journal, async (answer) => {
      // These results were stored before; a replay must not overwrite them with less.
      if (journal.recalls) return;
      if (!(await runs.keep(run.id, worker, answer))) throw new RunLost(`run ${run.id}`);
      parts.onEvent();
    });
    end = toEnd(finding);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof CreditLimit) end = limitReached(run.maxCredits);
    else if (error instanceof JournalChanged) {
      log.error({ err: error, runId: run.id }, "cannot resume agent run");
      end = { outcome: "failed", error: CHANGED.toRecord() };
    } else if (error instanceof LimitError && error.code === "UNAVAILABLE") {
      // Storage or browser are unavailable: the run resumes later from its journal.
      throw error;
    } else if (error instanceof QuarryError && !(error instanceof InternalError))
      end = { outcome: "failed", error: error.toRecord() };
    else throw error;
  }
  if (!(await runs.end(run.id, end, now(), worker))) throw new RunLost(`run ${run.id}`);
  log.debug({ runId: run.id, outcome: end.outcome, credits: journal.spent }, "agent run ended");
  parts.onEnded(run.id);
}

function toEnd({
  answer,
  warnings,
  message,
  refused,
  needsModel,
}: Finding): Parameters<AgentRunStore["end"]>[1] {
  const about = {
    answer,
    ...(warnings.length === 0 ? {} : { warning: warnings.join(" ") }),
    ...(message === undefined ? {} : { message }),
  };
  if (needsModel !== undefined)
    return {
      outcome: "failed",
      error: { code: "AGENT_NEEDS_MODEL", message: needsModel },
      ...about,
    };
  if (refused !== true && answer.valid) return { outcome: "succeeded", ...about };
  if (refused !== true) return { outcome: "failed", error: MISFIT.toRecord(), ...about };
  const text = message ?? "The language model declined to do this.";
  return { outcome: "refused", error: { code: "AGENT_REFUSED", message: text }, ...about };
}

function limitReached(maxCredits: number): Parameters<AgentRunStore["end"]>[1] {
  const message = `The run was stopped: its next step could exceed what is left of its ${maxCredits} credits. Nothing is charged; what was found is in partial.`;
  return { outcome: "credit_limit_reached", error: { code: "INSUFFICIENT_CREDITS", message } };
}
