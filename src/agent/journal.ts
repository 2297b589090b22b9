// The steps of one run. Each is written down before it is done, and what came of it before the next is decided. When a
// process goes on with the run, it decides the same again: what the journal has is not done a second time.
import { isDeepStrictEqual } from "node:util";
import {
  InternalError,
  QuarryError,
  RequestError,
  StorageError,
  TargetError,
  type ErrorRecord,
} from "../errors.ts";
import type { AgentStep, AgentStepStore } from "../store/agent/agent-steps.ts";

export type StepCall = {
  readonly tool: string;
  /** What the trace shows as the parameters; JSON. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Credits the step may cost at most. */
  readonly maxCredits: number;
};

export type StepResult<Output> = {
  /** JSON: what the decisions after it need. */
  readonly output: Output;
  /** What the trace shows of it; JSON. */
  readonly shown: unknown;
  readonly credits: number;
  readonly tokens?: number;
};

/** The next step could cost more than is left of maxCredits. */
export class CreditLimit extends Error {}

/** The run has ended, or another process works on it: this one has nothing more to do. */
export class RunLost extends Error {}

/** The run decides otherwise than its journal has it: its server has another model by now, or other rules. */
export class JournalChanged extends Error {}

export type JournalParts = {
  readonly steps: AgentStepStore;
  readonly runId: string;
  readonly worker: string;
  readonly maxCredits: number;
  /** Aborts when the run ends from outside or the process stops. */
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

  /** With what was done of the run before; what came of a step is looked up when the run gets there. */
  static async open(parts: JournalParts): Promise<Journal> {
    return new Journal(parts, await parts.steps.list(parts.runId));
  }

  /** Credits of the steps taken so far in this reading of the journal. */
  get spent(): number {
    return this.#spent;
  }

  get signal(): AbortSignal {
    return this.#parts.signal;
  }

  /** Is the next step one that was begun before? What the clock says now did not decide about it. */
  get recalls(): boolean {
    return this.#next <= this.#last;
  }

  /** Could a step of that price still begin? */
  affords(credits: number): boolean {
    return !this.#exhausted && this.#spent + this.#reserved + credits <= this.#parts.maxCredits;
  }

  /**
   * Takes the next step, or finds it in the journal. Its number is given when this is called, so that steps begun
   * together have the same numbers at every reading. Throws what the work throws (RequestError and TargetError are kept
   * as its result), CreditLimit, JournalChanged and RunLost.
   */
  async step<Output>(
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
    } else await this.#reserve(call);
    try {
      if (known === undefined) await this.#begin(number, call);
      return await this.#work(number, call, work);
    } finally {
      this.#reserved -= call.maxCredits;
      this.#freed.resolve();
      this.#freed = Promise.withResolvers();
    }
  }

  /**
   * Steps begun together may turn out cheaper than they could be: only what is spent for good is an end. Nothing is awaited
   * between the question and the answer, else two of them would have the same credits.
   */
  async #reserve({ tool, maxCredits }: StepCall): Promise<void> {
    while (!this.affords(maxCredits) && this.#reserved > 0 && !this.#exhausted)
      await this.#freed.promise;
    if (!this.affords(maxCredits)) {
      this.#exhausted = true;
      throw new CreditLimit(`${tool} may cost ${maxCredits} credits`);
    }
    this.#reserved += maxCredits;
  }

  /** What a step costs: a file of many pages may cost more than it was begun for, and never more than is left. */
  #costOf(credits: number, { maxCredits }: StepCall): number {
    const others = this.#reserved - maxCredits;
    return Math.max(0, Math.min(credits, this.#parts.maxCredits - this.#spent - others));
  }

  /** Nothing is awaited before its credits are counted: steps begun together find the same sum at every reading. */
  async #recall<Output>({ number, credits, error }: AgentStep): Promise<Output> {
    this.#spent += credits;
    if (error !== null) throw revive(error);
    const { steps, runId } = this.#parts;
    const kept = await steps.find(runId, number);
    if (kept === undefined) throw new RunLost(`run ${runId}`);
    return kept.output as Output;
  }

  async #begin(number: number, { tool, input }: StepCall): Promise<void> {
    const { steps, runId, worker, signal, now } = this.#parts;
    signal.throwIfAborted();
    if (!(await steps.begin(runId, worker, { number, tool, input }, now())))
      throw new RunLost(`run ${runId}`);
  }

  async #work<Output>(
    number: number,
    call: StepCall,
    work: (signal: AbortSignal) => Promise<StepResult<Output>>,
  ): Promise<Output> {
    const { steps, runId, worker, signal, now } = this.#parts;
    const end = async (how: Parameters<AgentStepStore["end"]>[3]): Promise<void> => {
      if (!(await steps.end(runId, worker, number, how, now()))) throw new RunLost(`run ${runId}`);
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
    await end({ ...result, credits: this.#costOf(result.credits, call) });
    return result.output;
  }
}

function checkSame(step: AgentStep, { tool, input }: StepCall): void {
  const plain = JSON.parse(JSON.stringify(input)) as unknown;
  if (step.tool === tool && isDeepStrictEqual(step.input, plain)) return;
  throw new JournalChanged(
    `The journal has ${step.tool} as step ${step.number}, and the run now decides for ${tool}.`,
  );
}

/** A failure of a step as it was, as far as the run looks at it. */
function revive({ code, message, details }: ErrorRecord): QuarryError {
  const status = new TargetError(code, message).status;
  const extras = details === undefined ? {} : { details };
  return status >= 400 && status < 500
    ? new RequestError(code, message, extras)
    : new TargetError(code, message, extras);
}
