// Manual spans. Without an exporter or recorder every function here returns at once. The current span follows
// the asynchronous flow; jobs, webhooks and other processes continue a trace by its `traceparent`
// (W3C Trace Context).
import { AsyncLocalStorage } from "node:async_hooks";

/** Values of undefined are left out. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;
export type SpanKind = "internal" | "server" | "client" | "producer" | "consumer";

export type Span = {
  readonly traceId: string;
  /** False if the sampler dropped the trace. */
  readonly sampled: boolean;
  /** The span as the parent of work elsewhere. */
  readonly traceparent: string;
  /** Starts spans below it in place of the backend. */
  startChild?(name: string, start: SpanStart): Span;
  set(attributes: Attributes): void;
  /** Marks it failed. Only the type of the error is recorded: messages may quote pages. */
  fail(error: unknown): void;
  /** `at`: milliseconds since the epoch; now when missing. */
  end(at?: number): void;
};

export type SpanStart = {
  readonly kind?: SpanKind | undefined;
  readonly attributes?: Attributes | undefined;
  /** Milliseconds since the epoch; now when missing. */
  readonly startedAt?: number | undefined;
};

/** Makes spans. `parent` is a span of this process, or a `traceparent` from elsewhere. */
export type SpanBackend = {
  start(name: string, start: SpanStart, parent: Span | string | undefined): Span;
};

const NO_SPAN: Span = {
  traceId: "",
  sampled: false,
  traceparent: "",
  set: () => undefined,
  fail: () => undefined,
  end: () => undefined,
};

const current = new AsyncLocalStorage<Span | undefined>();
let backend: SpanBackend | undefined;

/** Installs the backend of this process, or removes it. */
export function setSpanBackend(next: SpanBackend | undefined): void {
  backend = next;
}

export const isTracing = (): boolean => backend !== undefined;

/** Starts a span of the backend below one of its own; undefined without a backend. */
export const startBackendSpan = (
  name: string,
  start: SpanStart,
  parent: Span | undefined,
): Span | undefined => backend?.start(name, start, parent);

function begin(name: string, start: SpanStart, parent: Span | undefined): Span | undefined {
  if (parent === NO_SPAN) return undefined;
  return parent?.startChild?.(name, start) ?? backend?.start(name, start, parent);
}

/** The span of the current work; undefined without one. */
export function getCurrentSpan(): Span | undefined {
  const span = current.getStore();
  return span === NO_SPAN ? undefined : span;
}

/** Runs `work` without spans, whose attributes name hosts, if `isPrivate`. */
export const withoutSpans = <Result>(isPrivate: boolean, work: () => Result): Result =>
  isPrivate && backend !== undefined ? current.run(NO_SPAN, work) : work();

const isPrivate = (): boolean => current.getStore() === NO_SPAN;

/** The `traceparent` of the current span, for other processes; undefined without one. */
export const getTraceparent = (): string | undefined => getCurrentSpan()?.traceparent || undefined;

/** Runs `work` in a new span, whose parent is the current one. The span ends with the work. */
export function withSpan<Result>(
  name: string,
  attributes: Attributes,
  work: (span: Span) => Promise<Result>,
  kind?: SpanKind,
): Promise<Result> {
  const span = begin(name, { attributes, kind }, current.getStore());
  return span === undefined ? work(NO_SPAN) : runIn(span, work);
}

/**
 * Runs `work` in a span that continues the trace of `traceparent`. Without one, or with an invalid
 * one, it begins a trace.
 */
export function withRemoteParent<Result>(
  traceparent: string | null | undefined,
  name: string,
  start: SpanStart,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  if (backend === undefined || isPrivate()) return work(NO_SPAN);
  return runIn(backend.start(name, start, traceparent ?? undefined), work);
}

/** Starts a span that its caller ends; undefined without tracing. */
export const startSpan = (name: string, start: SpanStart, traceparent?: string): Span | undefined =>
  isPrivate()
    ? undefined
    : traceparent === undefined
      ? begin(name, start, current.getStore())
      : backend?.start(name, start, traceparent);

/** Runs `work` with `span` as the current one. */
export const runWithSpan = <Result>(span: Span | undefined, work: () => Result): Result =>
  span === undefined ? work() : current.run(span, work);

/** Records a span of work that is over, below `parent` or the current span. */
export function recordSpan(
  name: string,
  times: { readonly startedAt: number; readonly endedAt?: number | undefined },
  attributes: Attributes = {},
  parent: Span | undefined = current.getStore(),
): void {
  if (parent === undefined) return;
  begin(name, { attributes, startedAt: times.startedAt }, parent)?.end(times.endedAt);
}

async function runIn<Result>(span: Span, work: (span: Span) => Promise<Result>): Promise<Result> {
  // A trace that is not recorded has one span.
  if (!span.sampled && current.getStore() === span) return await work(span);
  try {
    return await current.run(span, work, span);
  } catch (error) {
    span.fail(error);
    throw error;
  } finally {
    span.end();
  }
}
