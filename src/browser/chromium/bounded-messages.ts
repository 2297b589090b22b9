// Splits a browser's DevTools pipe into messages and bounds each before it becomes a string. A page
// may log or return text of any length, and a string over 512 MiB would crash the process.

export type MessageLimits = {
  /** Maximum bytes of a command's answer; a longer one becomes an error of that command. */
  readonly maxAnswerBytes: number;
  /** Maximum bytes of an event; longer ones are dropped. */
  readonly maxEventBytes: number;
  /**
   * Maximum bytes of an event that carries page text and that nothing waits for, such as a console
   * message.
   */
  readonly maxLogEventBytes: number;
  /** Maximum such events and bytes per second; bursts may be ten times as large. */
  readonly maxLogEventsPerSecond: number;
  readonly maxLogBytesPerSecond: number;
};

export const MESSAGE_LIMITS: MessageLimits = {
  maxAnswerBytes: 96 * 2 ** 20,
  maxEventBytes: 16 * 2 ** 20,
  maxLogEventBytes: 128 * 2 ** 10,
  maxLogEventsPerSecond: 1_000,
  maxLogBytesPerSecond: 2 * 2 ** 20,
};

/** A message that was not passed on. */
export type RefusedMessage = { readonly method: string | undefined; readonly bytes: number };

/** Informational events that Playwright does not wait for. */
const LOG_EVENTS: ReadonlySet<string> = new Set([
  "Runtime.consoleAPICalled",
  "Runtime.exceptionThrown",
  "Log.entryAdded",
  "Network.webSocketFrameReceived",
  "Network.webSocketFrameSent",
  "Network.eventSourceMessageReceived",
]);

const BURST_SECONDS = 10;
/** Bytes kept from a message's start (method or id) and end (session). */
const HEAD_BYTES = 128;
const TAIL_BYTES = 128;
const EMPTY = Buffer.alloc(0);

/** Feed it the pipe's bytes as they arrive. It buffers at most one message of the allowed size. */
export class BoundedMessages {
  readonly #limits: MessageLimits;
  readonly #deliver: (json: string) => void;
  readonly #onRefused: (refused: RefusedMessage) => void;
  readonly #now: () => number;
  #pieces: Buffer[] = [];
  #bytes = 0;
  #head: Buffer = EMPTY;
  #tail: Buffer = EMPTY;
  #limit = Infinity;
  #logEventsLeft: number;
  #logBytesLeft: number;
  #refilledAt: number;

  constructor(options: {
    readonly limits: MessageLimits;
    readonly deliver: (json: string) => void;
    readonly onRefused?: (refused: RefusedMessage) => void;
    readonly now?: () => number;
  }) {
    this.#limits = options.limits;
    this.#deliver = options.deliver;
    this.#onRefused = options.onRefused ?? (() => undefined);
    this.#now = options.now ?? (() => performance.now());
    this.#logEventsLeft = this.#limits.maxLogEventsPerSecond * BURST_SECONDS;
    this.#logBytesLeft = this.#limits.maxLogBytesPerSecond * BURST_SECONDS;
    this.#refilledAt = this.#now();
  }

  feed(chunk: Buffer): void {
    for (let at = 0; at < chunk.length;) {
      const end = chunk.indexOf(0, at);
      this.#take(chunk.subarray(at, end === -1 ? chunk.length : end));
      if (end === -1) return;
      this.#finish();
      at = end + 1;
    }
  }

  #take(piece: Buffer): void {
    if (piece.length === 0) return;
    this.#bytes += piece.length;
    if (this.#head.length < HEAD_BYTES) {
      this.#head = Buffer.concat([this.#head, piece.subarray(0, HEAD_BYTES - this.#head.length)]);
      this.#limit = this.#limitFor(this.#head);
    }
    if (this.#bytes <= this.#limit) {
      this.#pieces.push(piece);
      return;
    }
    // Only the end is still needed, which names the session.
    const before = this.#pieces.at(-1) ?? this.#tail;
    this.#pieces = [];
    const end = piece.subarray(-TAIL_BYTES);
    this.#tail = Buffer.concat([before.subarray(-TAIL_BYTES), end]).subarray(-TAIL_BYTES);
  }

  #finish(): void {
    const { length } = this.#pieces;
    const bytes = this.#bytes;
    const head = this.#head.toString("latin1");
    const method = readMethod(head);
    if (bytes > this.#limit) {
      this.#onRefused({ method, bytes });
      const answer = refuseTooLong(head, this.#tail, bytes, this.#limit);
      if (answer !== undefined) this.#deliver(answer);
    } else if (method !== undefined && LOG_EVENTS.has(method) && !this.#spendLogBudget(bytes)) {
      this.#onRefused({ method, bytes });
    } else if (bytes > 0) {
      const whole = length === 1 ? this.#pieces[0] : Buffer.concat(this.#pieces);
      this.#deliver((whole ?? EMPTY).toString("utf8"));
    }
    this.#pieces = [];
    this.#bytes = 0;
    this.#head = EMPTY;
    this.#tail = EMPTY;
    this.#limit = Infinity;
  }

  #limitFor(head: Buffer): number {
    const method = readMethod(head.toString("latin1"));
    if (method === undefined) return this.#limits.maxAnswerBytes;
    return LOG_EVENTS.has(method) ? this.#limits.maxLogEventBytes : this.#limits.maxEventBytes;
  }

  #spendLogBudget(bytes: number): boolean {
    const { maxLogEventsPerSecond, maxLogBytesPerSecond } = this.#limits;
    const now = this.#now();
    const seconds = (now - this.#refilledAt) / 1_000;
    this.#refilledAt = now;
    this.#logEventsLeft = Math.min(
      maxLogEventsPerSecond * BURST_SECONDS,
      this.#logEventsLeft + seconds * maxLogEventsPerSecond,
    );
    this.#logBytesLeft = Math.min(
      maxLogBytesPerSecond * BURST_SECONDS,
      this.#logBytesLeft + seconds * maxLogBytesPerSecond,
    );
    if (this.#logEventsLeft < 1 || this.#logBytesLeft < bytes) return false;
    this.#logEventsLeft -= 1;
    this.#logBytesLeft -= bytes;
    return true;
  }
}

/** Chromium writes the method of an event first. */
const readMethod = (head: string): string | undefined => /^\{"method":"([\w.]+)/.exec(head)?.[1];

/**
 * Builds the replacement for an answer that is too long: a script's return value becomes an
 * exception. Quotes in page text are escaped, so a page cannot forge this end.
 */
function refuseTooLong(
  head: string,
  tail: Buffer,
  bytes: number,
  limit: number,
): string | undefined {
  const id = /^\{"id":(\d+)/.exec(head)?.[1];
  if (id === undefined) return undefined;
  const sessionId = /"sessionId":"(\w+)"\}$/.exec(tail.toString("latin1"))?.[1];
  const message = `The page's answer has ${bytes} bytes; the limit is ${limit}.`;
  const isValue = /^\{"id":\d+,"result":\{"result":\{/.test(head);
  const outcome = isValue
    ? { result: { result: { type: "undefined" }, exceptionDetails: buildException(message) } }
    : { error: { code: -32_000, message } };
  return JSON.stringify({ id: Number(id), ...outcome, sessionId });
}

const buildException = (message: string) => ({
  exceptionId: 1,
  text: "Uncaught",
  lineNumber: 0,
  columnNumber: 0,
  exception: {
    type: "object",
    subtype: "error",
    className: "RangeError",
    description: `RangeError: ${message}`,
  },
});
