// A live browser session by its id: run code in it, read its state, end it.
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
  /** Maximum seconds of the code, 1 to 300. */
  readonly timeout?: number | undefined;
  readonly language?: InteractParameters["language"];
};

/** Sends one call below the sessions' URL and returns the decoded body. */
export type SessionCall = (
  call: Pick<Call, "method" | "path" | "body" | "returnsFailures"> & { retries?: number },
  options: CallOptions,
) => Promise<Record<string, unknown>>;

/** Sends one call below the server's URL, where `origin` is, and returns the decoded body. */
export type ResourceLink = {
  readonly call: (
    call: Parameters<SessionCall>[0] & {
      readonly query?: Readonly<Record<string, string | number | undefined>>;
    },
    options: CallOptions,
  ) => Promise<Record<string, unknown>>;
  readonly origin: string;
};

/**
 * Extra time beyond the code's own, so that the server's answer comes before the client's timeout.
 */
const RUN_GRACE_MS = 15_000;

/** The timeout of a call that runs code for `timeout` seconds. */
export const computeRunTimeoutMs = (timeout: number = LIMITS.interact.timeoutSeconds): number =>
  timeout * 1_000 + RUN_GRACE_MS;

export class BrowserSession {
  readonly id: string;
  /** URLs to watch and control it; empty if not available, undefined for a session found by id. */
  readonly addresses: SessionAddresses | undefined;
  readonly #call: SessionCall;

  constructor(id: string, call: SessionCall, addresses?: SessionAddresses) {
    this.id = id;
    this.addresses = addresses;
    this.#call = call;
  }

  /** Runs code with a live Playwright `page`; failing code is an answer with `success` false. */
  async run(code: string, options: RunOptions = {}): Promise<Execution> {
    const { timeout, language = "node" } = options;
    const body = { code, language, ...(timeout === undefined ? {} : { timeout }) };
    const timeoutMs = options.timeoutMs ?? computeRunTimeoutMs(timeout);
    const path = `/v2/browser/${encodeURIComponent(this.id)}/execute`;
    // Never retried: the code may have run although its answer was lost.
    const call = { method: "POST", path, body, returnsFailures: true, retries: 0 } as const;
    return (await this.#call(call, { ...options, timeoutMs })) as Execution;
  }

  /** Returns its state, also for a while after its end. */
  async state(options: CallOptions = {}): Promise<SessionState> {
    const path = `/v2/browser/${encodeURIComponent(this.id)}`;
    return (await this.#call({ method: "GET", path }, options)) as SessionState;
  }

  /** Returns the events of prompts in it, also while they run and for a while after its end. */
  async trace(options: CallOptions = {}): Promise<AgentEvents> {
    const path = `/v2/browser/${encodeURIComponent(this.id)}/trace`;
    return (await this.#call({ method: "GET", path }, options))["events"] as AgentEvents;
  }

  /** Saves cookies and storage, by default to its own profile; returns the name. */
  async saveProfile(name?: string, options: CallOptions = {}): Promise<string> {
    const path = `/v2/browser/${encodeURIComponent(this.id)}/profile`;
    const body = name === undefined ? {} : { name };
    return (await this.#call({ method: "POST", path, body }, options))["name"] as string;
  }

  /** Ends it and saves its profile. */
  async end(options: CallOptions = {}): Promise<SessionEnd> {
    const path = `/v2/browser/${encodeURIComponent(this.id)}`;
    return (await this.#call({ method: "DELETE", path }, options)) as SessionEnd;
  }
}
