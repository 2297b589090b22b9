// The live page of an earlier scrape: run code or prompts in it, read their events, end it.
import type { CallOptions } from "./transport.ts";
import { computeRunTimeoutMs, type SessionCall } from "./session.ts";
import type { AgentEvents, Execution, InteractParameters, SessionEnd } from "./wire.ts";

export class LivePage {
  readonly #path: string;
  readonly #call: SessionCall;

  constructor(scrapeId: string, call: SessionCall) {
    this.#path = `/v2/scrape/${encodeURIComponent(scrapeId)}/interact`;
    this.#call = call;
  }

  async work(
    task: string | { readonly prompt: string },
    parameters: InteractParameters,
    options: CallOptions,
  ): Promise<Execution> {
    const asked = typeof task === "string" ? { code: task } : { prompt: task.prompt };
    const body = { ...parameters, ...asked };
    const timeoutMs = options.timeoutMs ?? computeRunTimeoutMs(parameters.timeout);
    // Never retried: the code may have run although its answer was lost.
    const call = {
      method: "POST",
      path: this.#path,
      body,
      returnsFailures: true,
      retries: 0,
    } as const;
    return (await this.#call(call, { ...options, timeoutMs })) as Execution;
  }

  async trace(options: CallOptions): Promise<AgentEvents> {
    const call = { method: "GET", path: `${this.#path}/trace` } as const;
    return (await this.#call(call, options))["events"] as AgentEvents;
  }

  async end(options: CallOptions): Promise<SessionEnd> {
    return (await this.#call({ method: "DELETE", path: this.#path }, options)) as SessionEnd;
  }
}
