// The agent: from a prompt to data over many pages. Runs are jobs of the server and continue
// without a watcher.
import type { Clock } from "./retry.ts";
import type { SessionCall } from "./session.ts";
import type { CallOptions } from "./transport.ts";
import type { AgentEvents, AgentList, AgentRequest, AgentState } from "./wire.ts";

/** An agent request without its prompt. */
export type AgentParameters = Omit<AgentRequest, "prompt">;

export type AgentsLink = {
  readonly call: (
    call: Parameters<SessionCall>[0] & {
      readonly query?: Readonly<Record<string, string | number | undefined>>;
      readonly headers?: Readonly<Record<string, string>> | undefined;
    },
    options: CallOptions,
  ) => Promise<Record<string, unknown>>;
  readonly clock: Clock;
  readonly origin: string;
};

const PATH = "/v2/agent";
const POLL_MS = 1_000;
const NEVER = new AbortController().signal;

export class Agents {
  readonly #link: AgentsLink;

  constructor(link: AgentsLink) {
    this.#link = link;
  }

  /** Starts a run and returns at once. */
  async start(
    prompt: string,
    parameters: AgentParameters = {},
    options: CallOptions = {},
  ): Promise<AgentRun> {
    const body = { origin: this.#link.origin, ...parameters, prompt };
    const answer = await this.#link.call({ method: "POST", path: PATH, body }, options);
    return this.job(answer["id"] as string);
  }

  /** Starts a run and waits for its end; check `status` and `error` of the result. */
  async run(
    prompt: string,
    parameters: AgentParameters = {},
    options: CallOptions = {},
  ): Promise<AgentState> {
    return await (await this.start(prompt, parameters, options)).wait(options);
  }

  /** Returns an existing run; makes no call. */
  job(id: string): AgentRun {
    return new AgentRun(id, this.#link);
  }

  /**
   * Returns runs newest first, 20 at a time; `before` is a time in milliseconds since the epoch.
   */
  async list(before?: number, options: CallOptions = {}): Promise<AgentList> {
    const call = { method: "GET", path: PATH, query: { before } } as const;
    return (await this.#link.call(call, options)) as AgentList;
  }
}

export class AgentRun {
  readonly id: string;
  readonly #link: AgentsLink;

  constructor(id: string, link: AgentsLink) {
    this.id = id;
    this.#link = link;
  }

  async state(options: CallOptions = {}): Promise<AgentState> {
    return (await this.#call("GET", "", options)) as AgentState;
  }

  /**
   * Waits for the end and returns the state. `timeoutMs` limits each call, `signal` the whole wait.
   */
  async wait(options: CallOptions = {}): Promise<AgentState> {
    for (;;) {
      const state = await this.state(options);
      if (state.status !== "processing") return state;
      await this.#link.clock.sleep(POLL_MS, options.signal ?? NEVER);
    }
  }

  /** Cancels the run; its data stays readable in `partial`. */
  async cancel(options: CallOptions = {}): Promise<void> {
    await this.#call("DELETE", "", options);
  }

  /** Returns the events so far. */
  async trace(options: CallOptions = {}): Promise<AgentEvents> {
    return (await this.#call("GET", "/trace", options))["events"] as AgentEvents;
  }

  #call(
    method: "GET" | "DELETE",
    below: string,
    options: CallOptions,
  ): Promise<Record<string, unknown>> {
    const path = `${PATH}/${encodeURIComponent(this.id)}${below}`;
    return this.#link.call({ method, path }, options);
  }
}
