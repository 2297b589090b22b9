// One HTTP call: URL, headers, timeout, decoding, errors. Endpoints are in client.ts.
import { ConnectionError, QuarryApiError, reviveError, TimeoutError } from "./errors.ts";
import { isInLines, type LastLine, LINES_MEDIA, readAnswerLines } from "./answer-lines.ts";
import type { Form } from "./multipart.ts";
import { type Clock, parseRetryAfter, type RetryPolicy, withRetries } from "./retry.ts";
import type { ReadingProgress } from "./wire.ts";

/**
 * The used part of the global `fetch`, so that a server in the same process can replace the
 * network.
 */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export type CallOptions = {
  /** Aborts the call, which throws its reason. */
  readonly signal?: AbortSignal | undefined;
  /** Maximum milliseconds of the call with its retries; then it throws TimeoutError. */
  readonly timeoutMs?: number | undefined;
};

export type ReadOptions = CallOptions & {
  /**
   * Reports progress while a long file is parsed, at most twice a second; an error it throws ends
   * the call.
   */
  readonly onProgress?: ((progress: ReadingProgress) => void) | undefined;
};

export type Connection = {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly fetch: Fetch;
  readonly policy: RetryPolicy;
  readonly clock: Clock;
};

export type Call = {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Starts with a slash; parts from outside are already encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: Readonly<Record<string, unknown>>;
  /** Sent instead of a JSON body. */
  readonly form?: Form;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** A body with `success` false and status 200 is an answer, as for failing code, not an error. */
  readonly returnsFailures?: boolean | undefined;
  readonly onProgress?: ReadOptions["onProgress"];
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
};

/** A call without the parts that the client adds: time, signal and number of retries. */
export type ClientCall = Omit<Call, "timeoutMs" | "signal"> & { readonly retries?: number };

/** The longest delay of a timer; a longer one would fire at once. */
const MAX_TIMER_MS = 2_147_483_647;

/**
 * The base of every URL: http or https, with a path prefix but without the last slash and any
 * query.
 */
export function parseApiUrl(apiUrl: string): string {
  const url = URL.canParse(apiUrl) ? new URL(apiUrl) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:") {
    throw new TypeError(
      `apiUrl must be an http or https address, as in http://127.0.0.1:3002; it is ${JSON.stringify(apiUrl)}.`,
    );
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

/**
 * The key as sent in a header. White space around it (a key file's line break) is trimmed; an empty
 * key is the same as no key. Throws TypeError, without repeating the key, for anything but
 * printable ASCII.
 */
export function parseApiKey(apiKey: string | undefined): string | undefined {
  const key = apiKey?.trim() ?? "";
  if (/[^\x21-\x7e]/.test(key)) {
    throw new TypeError(
      "apiKey contains characters that are not valid in a key, such as a space or an ellipsis.",
    );
  }
  return key === "" ? undefined : key;
}

function buildAddress(baseUrl: string, call: Call): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(call.query ?? {})) {
    if (value !== undefined) query.set(name, String(value));
  }
  return query.size === 0 ? `${baseUrl}${call.path}` : `${baseUrl}${call.path}?${query.toString()}`;
}

function buildInit(connection: Connection, call: Call, signal: AbortSignal): RequestInit {
  const accept =
    call.onProgress === undefined ? "application/json" : `${LINES_MEDIA}, application/json;q=0.9`;
  const headers: Record<string, string> = { accept, ...call.headers };
  if (connection.apiKey !== undefined) headers["authorization"] = `Bearer ${connection.apiKey}`;
  if (call.form !== undefined) {
    headers["content-type"] = call.form.contentType;
    return { method: call.method, headers, signal, body: call.form.bytes };
  }
  if (call.body === undefined) return { method: call.method, headers, signal };
  headers["content-type"] = "application/json";
  return { method: call.method, headers, signal, body: JSON.stringify(call.body) };
}

function decode(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

async function exchange(
  connection: Connection,
  address: string,
  init: RequestInit,
  { returnsFailures, onProgress }: Call,
): Promise<Record<string, unknown>> {
  const createNoAnswerError = (cause: unknown): unknown =>
    init.signal?.aborted === true
      ? init.signal.reason
      : new ConnectionError("CONNECTION_FAILED", `No answer from ${address}.`, { cause });
  const response = await connection.fetch(address, init).catch((error: unknown) => {
    throw createNoAnswerError(error);
  });
  const { status, body, retryAfter } =
    onProgress !== undefined && isInLines(response)
      ? await readAnswerLines(response, onProgress, init.signal)
      : await readBody(response).catch((error: unknown) => {
          throw createNoAnswerError(error);
        });
  const extras = readExtras(response, connection.clock, retryAfter);
  if (status < 200 || status > 299) throw reviveError(status, body, extras);
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new QuarryApiError(
      "INVALID_RESPONSE",
      `${address} answered ${status} with something that is not a JSON object; is apiUrl the address of a Quarry server?`,
      { ...extras, status },
    );
  }
  const fields = body as Record<string, unknown>;
  // An unresolvable host is the only failure sent with status 200 (wire contract §1.6).
  if (fields["success"] === false && returnsFailures !== true)
    throw reviveError(status, fields, extras);
  return fields;
}

async function readBody(response: Response): Promise<LastLine> {
  const body = decode(await response.text())?.value;
  return { status: response.status, body, retryAfter: response.headers.get("retry-after") };
}

function readExtras(response: Response, clock: Clock, retryAfter: string | null) {
  return {
    requestId: response.headers.get("x-request-id") ?? undefined,
    retryAfterMs: parseRetryAfter(retryAfter, clock.now()),
  };
}

function waitForAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
}

/**
 * Makes a call and returns the decoded body of a success. Throws QuarryApiError for everything
 * else, except that an abort of `call.signal` throws its reason.
 */
export async function send(connection: Connection, call: Call): Promise<Record<string, unknown>> {
  call.signal?.throwIfAborted();
  const address = buildAddress(connection.baseUrl, call);
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(call.signal?.reason);
  call.signal?.addEventListener("abort", onAbort, { once: true });
  const timer = setTimeout(
    () => {
      controller.abort(
        new TimeoutError(
          "CLIENT_TIMEOUT",
          `No answer from ${address} within ${call.timeoutMs} ms.`,
        ),
      );
    },
    Math.min(call.timeoutMs, MAX_TIMER_MS),
  );
  try {
    const init = buildInit(connection, call, controller.signal);
    const answer = withRetries(() => exchange(connection, address, init, call), {
      policy: connection.policy,
      clock: connection.clock,
      endsAt: connection.clock.now() + call.timeoutMs,
      signal: controller.signal,
    });
    // Raced, because a custom `fetch` may ignore the signal.
    return await Promise.race([answer, waitForAbort(controller.signal)]);
  } finally {
    clearTimeout(timer);
    call.signal?.removeEventListener("abort", onAbort);
  }
}

/**
 * Makes a call whose answer is a text stream and yields it in chunks as they arrive; leaving the
 * loop early ends the call. `call.timeoutMs` limits the wait for the first byte, `call.signal` the
 * whole. Not retried.
 */
export async function* sendForText(connection: Connection, call: Call): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const part of sendForBytes(connection, call)) {
    const text = decoder.decode(part, { stream: true });
    if (text !== "") yield text;
  }
}

/** Makes a call like `sendForText`, and yields the bytes of the response. */
export async function* sendForBytes(
  connection: Connection,
  call: Call,
): AsyncGenerator<Uint8Array> {
  call.signal?.throwIfAborted();
  const address = buildAddress(connection.baseUrl, call);
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(call.signal?.reason);
  call.signal?.addEventListener("abort", onAbort, { once: true });
  const late = new TimeoutError(
    "CLIENT_TIMEOUT",
    `No answer from ${address} within ${call.timeoutMs} ms.`,
  );
  const timer = setTimeout(() => controller.abort(late), Math.min(call.timeoutMs, MAX_TIMER_MS));
  const toConnectionFailure = (error: unknown): unknown =>
    controller.signal.aborted
      ? controller.signal.reason
      : new ConnectionError("CONNECTION_FAILED", `The answer of ${address} broke off.`, {
          cause: error,
        });
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  try {
    const response = await connection
      .fetch(address, buildInit(connection, call, controller.signal))
      .catch((error: unknown) => {
        throw toConnectionFailure(error);
      });
    clearTimeout(timer);
    if (!response.ok) {
      const body = decode(await response.text())?.value;
      const wait = response.headers.get("retry-after");
      throw reviveError(response.status, body, readExtras(response, connection.clock, wait));
    }
    reader = (response.body as ReadableStream<Uint8Array> | null)?.getReader();
    while (reader !== undefined) {
      const part = await reader.read().catch((error: unknown) => {
        throw toConnectionFailure(error);
      });
      if (part.done) break;
      yield part.value;
    }
  } finally {
    clearTimeout(timer);
    call.signal?.removeEventListener("abort", onAbort);
    await reader?.cancel().catch(() => undefined);
  }
}
