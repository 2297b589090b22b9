// One request and its response: sends, collects and decodes the body within its limits. http.ts
// handles redirects.
import { type Dispatcher, errors } from "undici";
import { warnIncomplete, type ResponseHeader } from "../capture.ts";
import type { Deadline } from "../deadline.ts";
import type { Route } from "../egress/dispatchers.ts";
import { BodyCollector, TooLargeSignal } from "./http-body.ts";
import {
  decodeSmall,
  LayerDecoder,
  parseContentEncoding,
  type DecodedBody,
  type Encoding,
} from "./http-decode.ts";
import type { Headers } from "./http-headers.ts";
import { getCurrentSpan, recordSpan, type Span } from "../telemetry/tracing.ts";

export type Answer = {
  readonly statusCode: number;
  readonly headers: readonly ResponseHeader[];
  readonly body: Uint8Array;
  readonly warnings: readonly string[];
};

/** Bodies up to this size are decoded in one call at the end. */
const SMALL_BYTES = 65_536;
/** Timeout, milliseconds, for reading the unneeded body of a redirect. */
const SKIP_MS = 500;
/** Maximum interim responses (status below 200); RFC 9110 section 15.2 sets no limit. */
const MAX_INTERIM = 100;

export type ExchangeOptions = {
  readonly route: Route;
  readonly headers: Headers;
  readonly maxBytes: number;
  /** Stops reading an uncompressed body after this many bytes. */
  readonly firstBytes?: number | undefined;
  readonly deadline: Deadline;
  readonly allowH2: boolean;
  /** Called with the headers; returns true when the body is not needed (a redirect). */
  readonly skipBody: (statusCode: number, headers: readonly ResponseHeader[]) => boolean;
};

/**
 * Sends a GET and returns the decoded response. A truncated body is kept with a warning. Rejects
 * with undici's errors, the deadline's reason, TooLargeSignal or UndecodableSignal; http-errors.ts
 * translates them.
 */
export function sendRequest(options: ExchangeOptions): Promise<Answer> {
  const { route, headers, allowH2 } = options;
  const handler = new AnswerHandler(options);
  const request = {
    origin: route.origin,
    path: route.path,
    method: "GET",
    headers: { ...headers, ...route.headers },
    allowH2,
  } as const;
  try {
    route.dispatcher.dispatch(request, handler);
  } catch (error) {
    handler.onResponseError(undefined, error instanceof Error ? error : new Error(String(error)));
  }
  return handler.answer;
}

/**
 * Exchanges whose response had started when they failed: only unanswered requests may be sent
 * again.
 */
const ANSWERED = new WeakSet<object>();

export const hasStartedResponse = (error: unknown): boolean =>
  typeof error === "object" && error !== null && ANSWERED.has(error);

class AnswerHandler implements Dispatcher.DispatchHandler {
  readonly answer: Promise<Answer>;
  readonly #result = Promise.withResolvers<Answer>();
  readonly #options: ExchangeOptions;
  readonly #onAbort: () => void;
  /** The span of the fetch: callbacks of a reused connection run outside of it. */
  readonly #span: Span | undefined = getCurrentSpan();
  readonly #startedAt = this.#span === undefined ? 0 : Date.now();
  #firstByteAt = 0;
  readonly #warnings: string[] = [];
  #controller: Dispatcher.DispatchController | undefined;
  #interim = 0;
  /** Bytes of the body as received, and as announced by Content-Length; 0 without one. */
  #receivedBytes = 0;
  #announcedBytes = 0;
  #statusCode = 0;
  #headers: readonly ResponseHeader[] = [];
  #encodings: readonly Encoding[] = [];
  #collector: BodyCollector | undefined;
  #decoder: LayerDecoder | undefined;
  #skipped = false;
  #patience: NodeJS.Timeout | undefined;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    this.answer = this.#result.promise;
    const { signal } = options.deadline;
    this.#onAbort = () => this.#fail(signal.reason);
    signal.addEventListener("abort", this.#onAbort, { once: true });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    const { signal } = this.#options.deadline;
    if (signal.aborted) controller.abort(toError(signal.reason));
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (statusCode < 200) {
      this.#interim++;
      if (this.#interim > MAX_INTERIM) throw new errors.HeadersOverflowError();
      return;
    }
    this.#controller = controller;
    this.#statusCode = statusCode;
    if (this.#span !== undefined) {
      this.#firstByteAt = Date.now();
      recordSpan(
        "http.first_byte",
        { startedAt: this.#startedAt },
        { "http.response.status_code": statusCode },
        this.#span,
      );
    }
    this.#headers = toHeaderList(controller.rawHeaders, headers);
    if (this.#options.skipBody(statusCode, this.#headers)) {
      this.#skipped = true;
      this.#skipBody(controller);
      return;
    }
    const encodings = parseContentEncoding(readHeader(this.#headers, "content-encoding"));
    if (encodings === undefined)
      this.#warnings.push(
        "The site names a content encoding that is not known; the body was taken as it is.",
      );
    this.#encodings = encodings ?? [];
    const expected = Number(readHeader(this.#headers, "content-length")) || 0;
    this.#announcedBytes = expected;
    const mayBeLonger = this.#encodings.length > 0 || this.#options.firstBytes !== undefined;
    if (!mayBeLonger && expected > this.#options.maxBytes) throw new TooLargeSignal();
    this.#collector = new BodyCollector(this.#options.maxBytes, expected);
  }

  /** A short rest is read to keep the connection alive; a long or slow one is not worth it. */
  #skipBody(controller: Dispatcher.DispatchController): void {
    const length = Number(readHeader(this.#headers, "content-length") || "0");
    if (length > SMALL_BYTES) this.#leave(controller);
    else this.#patience = setTimeout(() => this.#leave(controller), SKIP_MS);
  }

  #leave(controller: Dispatcher.DispatchController): void {
    this.#resolve(Buffer.alloc(0));
    controller.abort(new Error("the body is not needed"));
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#skipped) {
      this.#collector ??= new BodyCollector(SMALL_BYTES, 0);
      if (this.#collector.length + chunk.length <= SMALL_BYTES) this.#collector.add(chunk);
      else this.#leave(controller);
      return;
    }
    this.#receivedBytes += chunk.length;
    if (this.#decoder !== undefined) {
      if (!this.#decoder.write(chunk)) controller.pause();
      return;
    }
    if (this.#isEnough(controller, chunk)) return;
    this.#collector?.add(chunk);
    if (this.#encodings.length > 0 && (this.#collector?.length ?? 0) > SMALL_BYTES)
      this.#startDecoder(controller);
  }

  /** True if this chunk completes the wanted part of the body; the connection is closed then. */
  #isEnough(controller: Dispatcher.DispatchController, chunk: Buffer): boolean {
    const { firstBytes } = this.#options;
    const collector = this.#collector;
    if (firstBytes === undefined || collector === undefined || this.#encodings.length > 0)
      return false;
    const missing = firstBytes - collector.length;
    if (chunk.length < missing) return false;
    collector.add(chunk.subarray(0, missing));
    this.#resolve(collector.getBytes());
    // Chunks that arrive before the close are dropped.
    this.#collector = undefined;
    this.#skipped = true;
    controller.abort(new Error("the rest of the body is not needed"));
    return true;
  }

  #startDecoder(controller: Dispatcher.DispatchController | undefined): void {
    const encoding = this.#encodings.at(-1);
    if (encoding === undefined || this.#collector === undefined) return;
    this.#decoder = this.#createDecoder(encoding, controller);
    const goOn = this.#decoder.write(this.#collector.getBytes());
    this.#collector = undefined;
    if (!goOn) controller?.pause();
  }

  #createDecoder(encoding: Encoding, controller?: Dispatcher.DispatchController): LayerDecoder {
    return new LayerDecoder(encoding, this.#options.maxBytes, {
      onFail: (error) => this.#fail(error),
      onDrain: () => controller?.resume(),
    });
  }

  onResponseEnd(): void {
    if (this.#span !== undefined)
      recordSpan(
        "http.download",
        { startedAt: this.#firstByteAt },
        { "quarry.bytes": this.#receivedBytes },
        this.#span,
      );
    if (!this.#skipped && this.#receivedBytes < this.#announcedBytes) this.#warnShort();
    this.#finish();
  }

  /** Handles a broken connection. The received part of a started response is kept. */
  onResponseError(_controller: unknown, error: Error): void {
    const received = this.#decoder !== undefined || (this.#collector?.length ?? 0) > 0;
    const ours = error instanceof TooLargeSignal || this.#options.deadline.signal.aborted;
    if (this.#statusCode !== 0 && !ours) {
      if (this.#skipped) return this.#resolve(Buffer.alloc(0));
      if (received) {
        this.#warnShort();
        return this.#finish();
      }
      ANSWERED.add(error);
    }
    this.#fail(error);
  }

  #warnShort(): void {
    const received = `${this.#receivedBytes} bytes`;
    this.#warnings.push(
      warnIncomplete(
        this.#announcedBytes > 0
          ? `The site broke off its answer: it sent ${received} of the ${this.#announcedBytes} that Content-Length announces`
          : `The site broke off its answer after ${received}`,
      ),
    );
  }

  #finish(): void {
    if (this.#skipped) return this.#resolve(Buffer.alloc(0));
    if (this.#decoder === undefined) {
      const body = this.#collector?.getBytes() ?? Buffer.alloc(0);
      if (this.#encodings.length === 0) return this.#resolve(body);
      const decoded = decodeSmall(body, this.#encodings, this.#options.maxBytes);
      if (decoded !== undefined) return this.#resolve(decoded);
      this.#startDecoder(undefined);
    }
    this.#decodeRest().then(
      (bytes) => this.#resolve(bytes),
      (error: unknown) => this.#fail(error),
    );
  }

  /** The outermost layer was decoded as data came; the rare inner ones follow one by one. */
  async #decodeRest(): Promise<Buffer> {
    let decoded: DecodedBody | undefined = await this.#decoder?.end();
    this.#note(decoded);
    for (const encoding of this.#encodings.slice(0, -1).toReversed()) {
      this.#decoder = this.#createDecoder(encoding);
      this.#decoder.write(decoded?.bytes ?? Buffer.alloc(0));
      decoded = await this.#decoder.end();
      this.#note(decoded);
    }
    return decoded?.bytes ?? Buffer.alloc(0);
  }

  #note(decoded: DecodedBody | undefined): void {
    if (decoded?.how === "cut" && this.#warnings.length === 0)
      this.#warnings.push(warnIncomplete("The compressed answer is damaged or ends early"));
  }

  #resolve(body: Buffer): void {
    this.#release();
    this.#result.resolve({
      statusCode: this.#statusCode,
      headers: this.#headers,
      body,
      warnings: this.#warnings,
    });
  }

  #fail(reason: unknown): void {
    this.#release();
    this.#result.reject(reason);
    this.#decoder?.destroy();
    this.#controller?.abort(toError(reason));
  }

  #release(): void {
    clearTimeout(this.#patience);
    this.#options.deadline.signal.removeEventListener("abort", this.#onAbort);
  }
}

const toError = (reason: unknown): Error =>
  reason instanceof Error ? reason : new Error(String(reason));

/** Returns the first value of a header, or "". Names are in lower case. */
export function readHeader(headers: readonly ResponseHeader[], name: string): string {
  for (const header of headers) if (header[0] === name) return header[1];
  return "";
}

/** Every header in the order sent. HTTP/2 has no raw form, so the parsed one is unfolded. */
function toHeaderList(
  raw: Dispatcher.DispatchController["rawHeaders"],
  parsed: Record<string, string | string[] | undefined>,
): ResponseHeader[] {
  const list: ResponseHeader[] = [];
  if (Array.isArray(raw)) {
    for (let index = 0; index + 1 < raw.length; index += 2)
      list.push([toText(raw[index] ?? "").toLowerCase(), toText(raw[index + 1] ?? "")]);
    return list;
  }
  for (const [name, value] of Object.entries(parsed)) {
    if (name.startsWith(":") || value === undefined) continue;
    for (const each of typeof value === "string" ? [value] : value) list.push([name, each]);
  }
  return list;
}

/**
 * Header bytes are Latin-1 by standard (RFC 9110 section 5.5) and UTF-8 in practice: valid UTF-8 is
 * read as such.
 */
function toText(bytes: Buffer | string): string {
  const latin = typeof bytes === "string" ? bytes : bytes.toString("latin1");
  if (!/[\u0080-\u00FF]/.test(latin)) return latin;
  const text = Buffer.from(latin, "latin1").toString("utf8");
  return text.includes("\uFFFD") ? latin : text;
}
