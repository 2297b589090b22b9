// A live browser session by its id: run code in it, look at it, end it.
import { LIMITS } from "../src/contract/request/limits.ts";
import type { Call, CallOptions } from "./transport.ts";
import type {
  AgentEvents,
  Execution,
  InteractParameters,
  SessionAddresses,
  SessionEnd,
  SessionState,
} from "./wire.ts";

export type RunOptions = CallOptions & {
  /** Seconds the code may take, 1 to 300. */
  readonly timeout?: number | undefined;
  readonly language?: InteractParameters["language"];
};

/** Sends one call below the address of sessions and gives the decoded body. */
export type SessionCall = (
  call: Pick<Call, "method" | "path" | "body" | "returnsFailures"> & { retries?: number },
  options: CallOptions,
) => Promise<Record<string, unknown>>;

/** What is granted to code above its own time, so that the server's answer wins over the client's timer. */
const RUN_GRACE_MS = 15_000;

/** The limit of a call that runs code for `timeout` seconds. */
export const runTimeoutMs = (timeout: number = LIMITS.interact.timeoutSeconds): number =>
  timeout * 1_000 + RUN_GRACE_MS;

export class BrowserSession {
  readonly id: string;
  /** Where it can be watched and driven; empty texts where it cannot, and undefined for a session found by its id. */
  readonly addresses: SessionAddresses | undefined;
  readonly #call: SessionCall;

  constructor(id: string, call: SessionCall, addresses?: SessionAddresses) {
    this.id = id;
    this.addresses = addresses;
    this.#call = call;
  }

  /** Runs code with a live Playwright `page`; code that fails is an answer with `success` false. */
  async run(code: string, options: RunOptions = {}): Promise<Execution> {
    const { timeout, language = "node" } = options;
    const body = { code, language, ...(timeout === undefined ? {} : { timeout }) };
    const timeoutMs = options.timeoutMs ?? runTimeoutMs(timeout);
    const path = `/v2/browser/${encodeURIComponent(this.id)}/execute`;
    // Not repeated: code may have run although its answer was lost.
    const call = { method: "POST", path, body, returnsFailures: true, retries: 0 } as const;
    return (await this.#call(call, { ...options, timeoutMs })) as Execution;
  }

  /** Its state, also for a while after its end. */
  async state(options: CallOptions = {}): Promise<SessionState> {
    const path = `/v2/browser/${encodeURIComponent(this.id)}`;
    return (await this.#call({ method: "GET", path }, options)) as SessionState;
  }

  /** What prompts did in it, event by event; also while they are at work, and for a while after its end. */
  async trace(options: CallOptions = {}): Promise<AgentEvents> {
    const path = `/v2/browser/${encodeURIComponent(this.id)}/trace`;
    return (await this.#call({ method: "GET", path }, options))["events"] as AgentEvents;
  }

  /** Ends it and saves its profile. */
  async end(options: CallOptions = {}): Promise<SessionEnd> {
    const path = `/v2/browser/${encodeURIComponent(this.id)}`;
    return (await this.#call({ method: "DELETE", path }, options)) as SessionEnd;
  }
}
