// The steps of one run. Each is recorded before it runs, and its result before the next is decided.
// A resumed run makes the same decisions and skips recorded steps.
import { isDeepStrictEqual } from "node:util";
import {
  InternalError,
  QuarryError,
  RequestError,
  StorageError,
  TargetError,
  type ErrorRecord,
} from "../errors.ts";
import { RunLostSignal } from "../jobs/kind.ts";
import type { AgentStep, AgentStepStore } from "../store/agent/agent-steps.ts";

export type StepCall = {
  readonly tool: string;
  /** The parameters shown in the trace; JSON. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Maximum credits of the step. */
  readonly maxCredits: number;
};

export type StepResult<Output> = {
  /** JSON that later decisions need. */
  readonly output: Output;
  /** The result shown in the trace; JSON. */
  readonly shown: unknown;
  readonly credits: number;
  readonly tokens?: number;
};

/** The next step could exceed maxCredits. */
export class CreditLimit extends Error {}

/**
 * The run decides differently from its journal, because the server now has another model or other
 * rules.
 */
export class JournalChangedSignal extends Error {}

export type JournalParts = {
  readonly steps: AgentStepStore;
  readonly runId: string;
  readonly worker: string;
  readonly maxCredits: number;
  /** Aborts when the run is ended from outside or the process stops. */
  readonly signal: AbortSignal;
  readonly now: () => number;
};

export class Journal {
  readonly #parts: JournalParts;
  readonly #known: ReadonlyMap<number, AgentStep>;
  readonly #last: number;
  #next = 0;
  #spent = 0;
  #reserved = 0;
  #exhausted = false;
  #freed = Promise.withResolvers<void>();

  private constructor(parts: JournalParts, known: readonly AgentStep[]) {
    this.#parts = parts;
    this.#known = new Map(known.map((step) => [step.number, step]));
    this.#last = Math.max(-1, ...this.#known.keys());
  }

  /**
   * Opens the journal with the recorded steps. Their outputs are read when the run reaches them.
   */
  static async open(parts: JournalParts): Promise<Journal> {
    return new Journal(parts, await parts.steps.list(parts.runId));
  }

  /** Credits of the steps taken so far in this replay. */
  get spent(): number {
    return this.#spent;
  }

  get signal(): AbortSignal {
    return this.#parts.signal;
  }

  /** True if the next step is recorded. Time limits must not decide about it. */
  get recalls(): boolean {
    return this.#next <= this.#last;
  }

  /** True if a step of that price may still start. */
  canAfford(credits: number): boolean {
    return !this.#exhausted && this.#spent + this.#reserved + credits <= this.#parts.maxCredits;
  }

  /**
   * Runs the next step, or replays it from the journal. The number is assigned synchronously, so
   * that concurrent steps have the same numbers in every replay. Throws what the work throws
   * (RequestError and TargetError are recorded), CreditLimit, JournalChangedSignal and RunLostSignal.
   */
  async runStep<Output>(
    call: StepCall,
    work: (signal: AbortSignal) => Promise<StepResult<Output>>,
  ): Promise<Output> {
    const number = this.#next;
    this.#next += 1;
    const known = this.#known.get(number);
    if (known !== undefined) {
      checkSame(known, call);
      if (known.endedAt !== null) return await this.#recall<Output>(known);
      this.#reserved += call.maxCredits;
    } else await this.#reserveCredits(call);
    try {
      if (known === undefined) await this.#begin(number, call);
      return await this.#runWork(number, call, work);
    } finally {
      this.#reserved -= call.maxCredits;
      this.#freed.resolve();
      this.#freed = Promise.withResolvers();
    }
  }

  /**
   * Concurrent steps may cost less than reserved, so only spent credits end the run. Nothing is
   * awaited between check and reservation; otherwise two steps could reserve the same credits.
   */
  async #reserveCredits({ tool, maxCredits }: StepCall): Promise<void> {
    while (!this.canAfford(maxCredits) && this.#reserved > 0 && !this.#exhausted)
      await this.#freed.promise;
    if (!this.canAfford(maxCredits)) {
      this.#exhausted = true;
      throw new CreditLimit(`${tool} may cost ${maxCredits} credits`);
    }
    this.#reserved += maxCredits;
  }

  /**
   * The cost of a step. A long file may cost more than planned, but never more than what is left.
   */
  #limitCost(credits: number, { maxCredits }: StepCall): number {
    const others = this.#reserved - maxCredits;
    return Math.max(0, Math.min(credits, this.#parts.maxCredits - this.#spent - others));
  }

  /**
   * Nothing is awaited before the credits are counted, so that concurrent steps see the same sum in
   * every replay.
   */
  async #recall<Output>({ number, credits, error }: AgentStep): Promise<Output> {
    this.#spent += credits;
    if (error !== null) throw restoreError(error);
    const { steps, runId } = this.#parts;
    const kept = await steps.find(runId, number);
    if (kept === undefined) throw new RunLostSignal(`run ${runId}`);
    return kept.output as Output;
  }

  async #begin(number: number, { tool, input }: StepCall): Promise<void> {
    const { steps, runId, worker, signal, now } = this.#parts;
    signal.throwIfAborted();
    if (!(await steps.begin(runId, worker, { number, tool, input }, now())))
      throw new RunLostSignal(`run ${runId}`);
  }

  async #runWork<Output>(
    number: number,
    call: StepCall,
    work: (signal: AbortSignal) => Promise<StepResult<Output>>,
  ): Promise<Output> {
    const { steps, runId, worker, signal, now } = this.#parts;
    const end = async (how: Parameters<AgentStepStore["end"]>[3]): Promise<void> => {
      if (!(await steps.end(runId, worker, number, how, now())))
        throw new RunLostSignal(`run ${runId}`);
      this.#spent += how.credits;
    };
    let result: StepResult<Output>;
    try {
      result = await work(signal);
    } catch (error) {
      signal.throwIfAborted();
      const isOurs = error instanceof InternalError || error instanceof StorageError;
      if (!(error instanceof QuarryError) || isOurs) throw error;
      await end({ error: error.toRecord(), credits: 0 });
      throw error;
    }
    await end({ ...result, credits: this.#limitCost(result.credits, call) });
    return result.output;
  }
}

function checkSame(step: AgentStep, { tool, input }: StepCall): void {
  const plain = JSON.parse(JSON.stringify(input)) as unknown;
  if (step.tool === tool && isDeepStrictEqual(step.input, plain)) return;
  throw new JournalChangedSignal(
    `The journal has ${step.tool} as step ${step.number}, and the run now decides for ${tool}.`,
  );
}

/** Rebuilds the recorded failure of a step as far as the run needs it. */
function restoreError({ code, message, details }: ErrorRecord): QuarryError {
  const status = new TargetError(code, message).status;
  const extras = details === undefined ? {} : { details };
  return status >= 400 && status < 500
    ? new RequestError(code, message, extras)
    : new TargetError(code, message, extras);
}
