// Maps the journal of a run to the contract's trace. Every event keeps its position.
import type { AgentEvent } from "../contract/jobs/agent-trace.ts";
import { ERROR_CODES } from "../contract/request/error-codes.ts";
import type { ErrorRecord } from "../errors.ts";
import type { AgentRunRecord } from "../store/agent/agent-runs.ts";
import type { AgentStep } from "../store/agent/agent-steps.ts";
import { isObject } from "../runtime/is-object.ts";
import { removeLogin } from "../url/userinfo.ts";

const AGENT = { id: "agent", role: "orchestrator", name: "agent" } as const;
const SYSTEM = { id: "system", role: "system", name: "quarry" } as const;
/** Steps that are events by themselves instead of tool calls. */
const THOUGHTS: Readonly<Record<string, "reasoning.summary" | "progress.reported">> = {
  think: "reasoning.summary",
  plan: "progress.reported",
};

type Fields = { readonly type: AgentEvent["type"] } & Readonly<Record<string, unknown>>;

/** Returns all events so far in order. */
export function toTrace(run: AgentRunRecord, steps: readonly AgentStep[]): AgentEvent[] {
  const events: AgentEvent[] = [];
  const add = (
    sequence: number,
    at: number,
    agent: typeof AGENT | typeof SYSTEM,
    fields: Fields,
  ): void => {
    events.push({
      schemaVersion: 1,
      eventId: `${run.id}-${sequence}`,
      runId: run.id,
      occurredAt: new Date(at).toISOString(),
      producerSequence: sequence,
      agent,
      ...fields,
    } as AgentEvent);
  };
  add(0, run.createdAt, SYSTEM, { type: "run.started" });
  add(1, run.createdAt, AGENT, { type: "agent.started" });
  for (const step of steps)
    addStep(step, (sequence, at, fields) => add(sequence, at, AGENT, fields));
  addEnd(run, add);
  return events.toSorted((one, other) => one.producerSequence - other.producerSequence);
}

function addStep(
  step: AgentStep,
  add: (sequence: number, at: number, fields: Fields) => void,
): void {
  const { number, tool, input, shown, error, credits } = step;
  const call = { toolCallId: `step-${number}`, toolName: tool };
  const thought = THOUGHTS[tool];
  const words = (shown as { text?: string } | null)?.text ?? "";
  add(
    step.beganEvent,
    step.beganAt,
    thought === undefined
      ? { type: "tool_call.started", ...call, parameters: omitLogin(input) }
      : { type: "progress.reported", phase: "working", message: "Deciding what to do next." },
  );
  if (step.endedAt === null || step.endedEvent === null) return;
  const result =
    error === null ? { ...toObject(shown), creditsUsed: credits } : { error: error.message };
  if (thought === "reasoning.summary" && error === null && words !== "")
    add(step.endedEvent, step.endedAt, { type: "reasoning.summary", text: words });
  else if (thought !== undefined)
    add(step.endedEvent, step.endedAt, {
      type: "progress.reported",
      phase: "planning",
      message: error?.message ?? (words === "" ? "Decided." : words),
    });
  else add(step.endedEvent, step.endedAt, { type: "tool_call.finished", ...call, result });
}

/** The journal keeps the URL as it was given, because a resumed run compares it. */
function omitLogin(input: unknown): unknown {
  if (!isObject(input)) return input;
  const { url } = input;
  return typeof url === "string" && url.includes("@") ? { ...input, url: removeLogin(url) } : input;
}

const toObject = (value: unknown): object => (isObject(value) ? value : { result: value });

function addEnd(
  run: AgentRunRecord,
  add: (sequence: number, at: number, agent: typeof AGENT | typeof SYSTEM, fields: Fields) => void,
): void {
  const { outcome, finishedAt } = run;
  if (outcome === null || finishedAt === null) return;
  const error = run.error === null ? null : toEventError(run.error, outcome);
  if (outcome === "cancelled")
    add(run.events - 3, finishedAt, SYSTEM, {
      type: "run.cancel_requested",
      reason: "The caller cancelled the run.",
    });
  add(run.events - 2, finishedAt, AGENT, {
    type: "agent.finished",
    outcome,
    durationMs: finishedAt - run.createdAt,
    error,
  });
  add(run.events - 1, finishedAt, SYSTEM, { type: "run.finished", outcome, error });
}

function toEventError({ code, message }: ErrorRecord, outcome: string) {
  const source = outcome === "credit_limit_reached" ? "billing" : "agent";
  return { code, source, retryable: ERROR_CODES[code].retryable, message };
}
