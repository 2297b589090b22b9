// Posts to a provider within bounds: dedicated egress, no redirects, retries where they can help.
import { setTimeout as wait } from "node:timers/promises";
import type { Deadline } from "../deadline.ts";
import { LimitError, QuarryError, TargetError } from "../errors.ts";
import type { Route } from "../egress/dispatchers.ts";

/** Limit of one decoded answer. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
const MAX_ATTEMPTS = 4;
/** Doubled at every attempt, if the provider names no time. */
const FIRST_PAUSE_MS = 500;
/**
 * Limit of pauses that the provider does not name. Those that it names only have to end before the
 * deadline.
 */
const MAX_PAUSE_MS = 60_000;

export type Post = {
  /** Below the base URL, without a leading slash. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
};

export type Reply = { readonly status: number; readonly json: unknown; readonly text: string };

export type Transport = {
  /**
   * Returns the provider's answer with a status below 500, except 408, 425 and 429, which are
   * retried and then thrown as MODEL_BUSY or MODEL_FAILED. Throws the deadline's abort reason.
   */
  post(post: Post, deadline: Deadline): Promise<Reply>;
};

export type TransportParts = {
  readonly baseUrl: URL;
  readonly route: (url: URL) => Route | Promise<Route>;
  /** Name of the model in messages. */
  readonly name: string;
  /** Sent in a header, and redacted from everything the provider returns. */
  readonly key: string | undefined;
  /** Milliseconds per call. */
  readonly timeoutMs: number;
  readonly firstPauseMs?: number;
};

/** Creates the transport of one provider. Errors never repeat a sent header or body. */
export function createTransport(parts: TransportParts): Transport {
  const { firstPauseMs = FIRST_PAUSE_MS } = parts;
  return {
    async post(post, deadline) {
      using within = deadline.createChild(parts.timeoutMs);
      for (let attempt = 1; ; attempt += 1) {
        const outcome = await tryOnce(parts, post, within, deadline);
        if (!("fault" in outcome)) return outcome;
        const pauseMs = outcome.retryAfterMs ?? firstPauseMs * 2 ** (attempt - 1);
        const isLong = outcome.retryAfterMs === undefined && pauseMs > MAX_PAUSE_MS;
        const isLast = attempt === MAX_ATTEMPTS || isLong;
        if (isLast || pauseMs >= within.getTimeLeftMs()) throw toFailure(parts.name, outcome);
        await wait(pauseMs, undefined, { signal: within.signal }).catch(() => undefined);
        deadline.check();
      }
    },
  };
}

type Fault = {
  readonly fault: string;
  readonly busy: boolean;
  readonly retryAfterMs: number | undefined;
  readonly cause?: unknown;
};

function toFailure(name: string, { fault, busy, retryAfterMs, cause }: Fault): QuarryError {
  const message = `The language model ${name} ${fault}.`;
  if (!busy) return new TargetError("MODEL_FAILED", message, { cause });
  return new LimitError("MODEL_BUSY", message, {
    cause,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

async function tryOnce(
  parts: TransportParts,
  post: Post,
  within: Deadline,
  whole: Deadline,
): Promise<Reply | Fault> {
  try {
    return await sendOnce(parts, post, within);
  } catch (cause) {
    whole.check();
    // The call's own limit is longer than the remaining time of the scrape.
    if (within.signal.aborted && within.totalMs < parts.timeoutMs) throw whole.createExpiry();
    if (within.signal.aborted)
      throw new TargetError(
        "MODEL_FAILED",
        `The language model ${parts.name} did not answer within ${parts.timeoutMs} ms.`,
        { cause },
      );
    if (cause instanceof QuarryError && cause.code === "MODEL_FAILED") throw cause;
    const reason =
      cause instanceof QuarryError
        ? `could not be reached: ${cause.message.replace(/\.$/, "")}`
        : (NETWORK_TEXT[readCode(cause)] ?? "closed the connection during its answer");
    return { fault: reason, busy: false, retryAfterMs: undefined, cause };
  }
}

async function sendOnce(
  parts: TransportParts,
  post: Post,
  within: Deadline,
): Promise<Reply | Fault> {
  const url = new URL(post.path, parts.baseUrl);
  const route = await within.race(Promise.resolve(parts.route(url)));
  const { statusCode, headers, body } = await route.dispatcher.request({
    origin: route.origin,
    path: route.path,
    method: "POST",
    headers: {
      accept: "application/json",
      ...post.headers,
      "content-type": "application/json",
      ...route.headers,
    },
    body: JSON.stringify(post.body),
    signal: within.signal,
  });
  const written = await readText(body, parts.name);
  // Some providers repeat a wrong key, and some report errors with status 200.
  const isRedacted =
    parts.key !== undefined && (statusCode >= 300 || readErrorText(parseJson(written)) !== "");
  const text = isRedacted ? written.replaceAll(parts.key, "***") : written;
  if (statusCode >= 300 && statusCode < 400)
    throw new TargetError(
      "MODEL_FAILED",
      `The language model ${parts.name} answered with a redirect (${statusCode}), which is not followed: set the base URL to the final address.`,
    );
  const json = parseJson(text);
  if (statusCode === 429 || statusCode === 503 || statusCode === 529)
    return buildBusyFault(statusCode, headers, json);
  if (statusCode >= 500 || statusCode === 408 || statusCode === 425)
    return {
      fault: `answered with status ${statusCode}${readErrorText(json)}`,
      busy: false,
      retryAfterMs: retryAfter(headers),
    };
  if (statusCode < 300 && json === undefined)
    return {
      fault: "did not answer with JSON",
      busy: false,
      retryAfterMs: undefined,
    };
  return { status: statusCode, json, text };
}

function buildBusyFault(status: number, headers: Headers, json: unknown): Fault {
  return {
    fault: `is rate limiting calls (status ${status}${readErrorText(json)})`,
    busy: true,
    retryAfterMs: retryAfter(headers),
  };
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Returns the milliseconds that the provider asks to wait, from seconds or a date (RFC 9110 section
 * 10.2.3).
 */
function retryAfter(headers: Headers): number | undefined {
  const milliseconds = Number(headers["retry-after-ms"] ?? Number.NaN);
  if (milliseconds >= 0) return milliseconds;
  const text = headers["retry-after"];
  if (typeof text !== "string") return undefined;
  if (/^\s*\d+(?:\.\d+)?\s*$/.test(text)) return Number(text) * 1_000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}

async function readText(body: AsyncIterable<Buffer>, name: string): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES)
      throw new TargetError(
        "MODEL_FAILED",
        `The language model ${name} answered with more than ${MAX_ANSWER_BYTES} bytes.`,
      );
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Returns the provider's error message, shortened, as ": …", or "". */
export function readErrorText(json: unknown): string {
  if (typeof json !== "object" || json === null) return "";
  const { error, message, detail } = json as Record<string, unknown>;
  const inner =
    typeof error === "object" && error !== null ? (error as Record<string, unknown>) : {};
  const text = [inner["message"], error, message, detail].find((part) => typeof part === "string");
  return typeof text === "string" ? `: ${text.replaceAll(/\s+/g, " ").slice(0, 300)}` : "";
}

const readCode = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "";

const NETWORK_TEXT: Readonly<Record<string, string>> = {
  ECONNREFUSED: "could not be reached: nothing listens at its address",
  ENOTFOUND: "could not be reached: its host name does not resolve",
};
