// Sends one event: a POST through the egress gate.
import type { Egress } from "../egress/dispatchers.ts";
import { QuarryError } from "../errors.ts";
import { getTraceparent } from "../telemetry/tracing.ts";
import { parseRetryAfterMs } from "../runtime/retry-after.ts";
import { buildSignatureHeaders } from "./signature.ts";

const TIMEOUT_MS = 10_000;
/** Maximum bytes of the answer that are read and discarded, to reuse the connection. */
const MAX_ANSWER_BYTES = 65_536;
const ANSWER_TIMEOUT_MS = 1_000;
const MAX_RETRY_AFTER_MS = 86_400_000;

/** Connection headers or ours (RFC 9110 section 7.6.1); the caller's values are dropped. */
const RESERVED_HEADERS = new Set([
  "host",
  "connection",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "http2-settings",
  "expect",
  "content-length",
  "content-type",
  "content-encoding",
]);

export type Attempt = {
  readonly url: string;
  /** The caller's headers. */
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON body in UTF-8, the same bytes at every attempt. */
  readonly body: Uint8Array;
  readonly eventId: string;
  /** 1 for the first. */
  readonly attempt: number;
  /** Signs the body. */
  readonly secret: string;
};

/** `statusCode` is undefined without an answer, `error` when the receiver accepted the event. */
export type Outcome = {
  readonly statusCode: number | undefined;
  readonly error: string | undefined;
  /** The Retry-After header of a failed attempt, milliseconds, at most a day. */
  readonly retryAfterMs?: number;
};

/** Rejects only for an aborted `signal`: failures are outcomes. */
export type SendEvent = (attempt: Attempt, signal?: AbortSignal) => Promise<Outcome>;

export type SenderParts = {
  readonly egress: Pick<Egress, "route">;
  readonly userAgent: string;
  readonly timeoutMs?: number;
};

/** A request to a receiver of notifications. */
export type Message = {
  readonly method: "POST" | "PUT";
  readonly url: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
};

export type SendMessage = (message: Message, signal?: AbortSignal) => Promise<Outcome>;

/** Delivered means an answer from 200 to 299; redirects are not followed. */
export function createSender(parts: SenderParts): SendEvent {
  const send = createMessageSender(parts);
  return async (attempt, signal) => {
    const { url, body } = attempt;
    return await send({ method: "POST", url, headers: buildHeaders(parts, attempt), body }, signal);
  };
}

/** Sends any message, as `createSender` sends events. */
export function createMessageSender(parts: SenderParts): SendMessage {
  const { egress, timeoutMs = TIMEOUT_MS } = parts;
  return async (message, signal) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const stopped = signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
    try {
      // The gate may query a name server, which can hang like a receiver.
      const route = await waitUntilAborted(
        stopped,
        egress.route(new URL(message.url), { verifyTls: true }),
      );
      const { statusCode, headers, body } = await route.dispatcher.request({
        origin: route.origin,
        path: route.path,
        method: message.method,
        headers: { "user-agent": parts.userAgent, ...message.headers, ...route.headers },
        body: message.body,
        signal: stopped,
      });
      const patience = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
      await body.dump({ limit: MAX_ANSWER_BYTES, signal: patience }).catch(() => undefined);
      const error = describeFault(statusCode);
      const waitMs = error === undefined ? undefined : readRetryAfter(headers["retry-after"]);
      return { statusCode, error, ...(waitMs !== undefined && { retryAfterMs: waitMs }) };
    } catch (error) {
      signal?.throwIfAborted();
      return { statusCode: undefined, error: describe(error, timeout, timeoutMs) };
    }
  };
}

/** Awaits `work`, or rejects when `signal` aborts first. */
async function waitUntilAborted<T>(signal: AbortSignal, work: T | Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const end = (): void => reject(signal.reason as Error);
  signal.addEventListener("abort", end, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", end);
  }
}

function buildHeaders({ userAgent }: SenderParts, attempt: Attempt): Record<string, string> {
  const headers: Record<string, string> = { "user-agent": userAgent };
  for (const [name, value] of Object.entries(attempt.headers)) {
    const lower = name.toLowerCase();
    if (!RESERVED_HEADERS.has(lower) && !lower.startsWith("proxy-"))
      headers[lower] = toFieldValue(value);
  }
  const traceparent = getTraceparent();
  return {
    ...headers,
    ...(traceparent !== undefined && { traceparent }),
    "content-type": "application/json",
    "x-quarry-event-id": attempt.eventId,
    "x-quarry-attempt": String(attempt.attempt),
    ...buildSignatureHeaders(attempt.body, attempt.secret),
  };
}

/** Characters above U+00FF are sent as their UTF-8 bytes. */
const toFieldValue = (value: string): string =>
  /[^\0-\u00FF]/.test(value) ? Buffer.from(value, "utf8").toString("latin1") : value;

/** Discord sends fractions of seconds. */
function readRetryAfter(header: string | readonly string[] | undefined): number | undefined {
  const text = typeof header === "string" ? header : header?.[0];
  const fraction = /^\d{1,9}\.\d{1,9}$/.test(text?.trim() ?? "");
  const waitMs = fraction ? Math.ceil(Number(text) * 1_000) : parseRetryAfterMs(text, Date.now());
  return waitMs === undefined ? undefined : Math.min(waitMs, MAX_RETRY_AFTER_MS);
}

function describeFault(statusCode: number): string | undefined {
  if (statusCode >= 200 && statusCode < 300) return undefined;
  const redirected = statusCode >= 300 && statusCode < 400;
  return `The receiver answered ${statusCode}${redirected ? "; redirects are not followed" : ""}.`;
}

/**
 * Describes the failure for the job's owner: the gate's text and network codes, never an internal
 * address.
 */
function describe(error: unknown, timeout: AbortSignal, timeoutMs: number): string {
  if (timeout.aborted) return `The receiver did not answer within ${timeoutMs / 1_000} seconds.`;
  if (error instanceof QuarryError) return error.message;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return NETWORK_TEXT[code] ?? `The receiver could not be reached${code && ` (${code})`}.`;
}

const NETWORK_TEXT: Readonly<Record<string, string>> = {
  ECONNREFUSED: "The receiver refused the connection.",
  ECONNRESET: "The receiver closed the connection before it answered.",
  UND_ERR_SOCKET: "The receiver closed the connection before it answered.",
};
