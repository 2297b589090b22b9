// Trace of a prompt in a live session as agent trace events. Each is written before the next
// action, so that the trace can be read while the prompt runs and after the process is gone.
import { v7 } from "uuid";
import type { AgentEvent } from "../contract/jobs/agent-trace.ts";
import type { Logger } from "../logger.ts";
import type { InteractEventStore } from "../store/sessions/interact-events.ts";
import type { LiveSession } from "./session.ts";

export type PromptOutcome = "succeeded" | "failed" | "refused";

export type PromptTraceParts = {
  readonly events: InteractEventStore;
  readonly session: Pick<LiveSession, "facts" | "nextEvent">;
  readonly log: Logger;
  readonly now?: () => number;
};

type Fields = { readonly type: AgentEvent["type"] } & Readonly<Record<string, unknown>>;

const AGENT = { id: "agent", role: "orchestrator", name: "agent" } as const;
const SYSTEM = { id: "system", role: "system", name: "quarry" } as const;
const MAX_TEXT = 1_000;

/** The trace of one prompt. Write failures are logged, and the prompt continues. */
export class PromptTrace {
  readonly #parts: PromptTraceParts;
  readonly #runId = v7();
  readonly #startedAt: number;
  #calls = 0;

  constructor(parts: PromptTraceParts) {
    this.#parts = parts;
    this.#startedAt = this.#now();
  }

  async begin(): Promise<void> {
    await this.#add(SYSTEM, { type: "run.started" });
    await this.#add(AGENT, { type: "agent.started" });
  }

  /** Records the model's text besides its calls. */
  async think(text: string): Promise<void> {
    const said = text.trim().slice(0, MAX_TEXT);
    if (said !== "") await this.#add(AGENT, { type: "reasoning.summary", text: said });
  }

  /** Records a call before it runs. The returned function records its result. */
  async call(toolName: string, parameters: unknown): Promise<(result: string) => Promise<void>> {
    const call = { toolCallId: `${this.#runId}-${this.#calls}`, toolName };
    this.#calls += 1;
    await this.#add(AGENT, { type: "tool_call.started", ...call, parameters });
    return async (result) => {
      const shown = { text: result.slice(0, MAX_TEXT) };
      await this.#add(AGENT, { type: "tool_call.finished", ...call, result: shown });
    };
  }

  async end(outcome: PromptOutcome, message?: string): Promise<void> {
    const error =
      message === undefined
        ? null
        : { code: "PROMPT_FAILED", source: "agent", retryable: false, message };
    const durationMs = this.#now() - this.#startedAt;
    await this.#add(AGENT, { type: "agent.finished", outcome, durationMs, error });
    await this.#add(SYSTEM, { type: "run.finished", outcome, error });
  }

  async #add(agent: typeof AGENT | typeof SYSTEM, fields: Fields): Promise<void> {
    const { events, session, log } = this.#parts;
    const { id } = session.facts;
    const sequence = session.nextEvent();
    const event = {
      schemaVersion: 1,
      eventId: `${id}-${sequence}`,
      runId: this.#runId,
      occurredAt: new Date(this.#now()).toISOString(),
      producerSequence: sequence,
      agent,
      ...fields,
    } as AgentEvent;
    try {
      await events.add(id, sequence, event);
    } catch (error) {
      log.warn({ err: error, sessionId: id }, "failed to store a prompt event");
    }
  }

  #now(): number {
    return (this.#parts.now ?? Date.now)();
  }
}
