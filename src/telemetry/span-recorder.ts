// Records the spans of one piece of work in memory, so that its caller can be shown them without a
// collector. With a collector, they are exported as well.
import {
  runWithSpan,
  startBackendSpan,
  type Attributes,
  type Span,
  type SpanStart,
} from "./tracing.ts";

export type RecordedSpan = {
  readonly name: string;
  /** Index of its parent in the list; missing for the outermost ones. */
  readonly parent?: number;
  /** Milliseconds after the start of the work. */
  readonly startMs: number;
  /** Missing while it has not ended. */
  readonly ms?: number;
  readonly failed?: true;
  readonly attributes?: Readonly<Record<string, string | number | boolean>>;
};

/** More spans are not recorded. */
const MAX_SPANS = 300;

/** Attributes that callers may see. Addresses are left out: they may be those of a proxy. */
const SHOWN: ReadonlySet<string> = new Set([
  "http.response.status_code",
  "quarry.actions",
  "quarry.bytes",
  "quarry.engine",
  "quarry.outcome",
  "quarry.proxied",
  "quarry.verdict",
]);

type Mutable = { -readonly [Name in keyof RecordedSpan]: RecordedSpan[Name] };

export class SpanRecorder {
  readonly #spans: Mutable[] = [];
  readonly #startedAt = Date.now();

  /** Runs `work`; spans that begin in it are recorded below the current one. */
  run<Result>(work: () => Result, outer: Span | undefined): Result {
    return runWithSpan(this.#wrap(undefined, outer), work);
  }

  /** Spans in the order of their start. */
  read(): readonly RecordedSpan[] {
    return this.#spans.map((span) => ({ ...span }));
  }

  #wrap(at: number | undefined, inner: Span | undefined): Span {
    const span = at === undefined ? undefined : this.#spans[at];
    return {
      traceId: inner?.traceId ?? "",
      sampled: inner?.sampled ?? false,
      traceparent: inner?.traceparent ?? "",
      startChild: (name, start) => this.#start(name, start, at, inner),
      set: (attributes) => {
        inner?.set(attributes);
        if (span !== undefined) addShown(span, attributes);
      },
      fail: (error) => {
        inner?.fail(error);
        if (span !== undefined) span.failed = true;
      },
      end: (endedAt) => {
        inner?.end(endedAt);
        if (span !== undefined && span.ms === undefined)
          span.ms = Math.max(0, (endedAt ?? Date.now()) - this.#startedAt - span.startMs);
      },
    };
  }

  #start(
    name: string,
    start: SpanStart,
    parent: number | undefined,
    inner: Span | undefined,
  ): Span {
    const exported = startBackendSpan(name, start, inner);
    if (this.#spans.length >= MAX_SPANS) return this.#wrap(undefined, exported);
    const span: Mutable = {
      // The name of a model is the operator's.
      name: name.startsWith("chat ") ? "chat" : name,
      ...(parent === undefined ? {} : { parent }),
      startMs: Math.max(0, (start.startedAt ?? Date.now()) - this.#startedAt),
    };
    addShown(span, start.attributes ?? {});
    return this.#wrap(this.#spans.push(span) - 1, exported);
  }
}

function addShown(span: Mutable, attributes: Attributes): void {
  const shown = Object.entries(attributes).flatMap(([name, value]) =>
    SHOWN.has(name) && value !== undefined ? [[name, value] as const] : [],
  );
  if (shown.length > 0) span.attributes = { ...span.attributes, ...Object.fromEntries(shown) };
}
