// Exports spans over OTLP/HTTP. The SDK is loaded only when an endpoint is configured.
import type { Attributes as OtelAttributes, Context } from "@opentelemetry/api";
import { setSpanBackend, type Attributes, type Span, type SpanBackend } from "./tracing.ts";

export type TelemetrySettings = {
  /** Base URL of the collector; `/v1/traces` is appended. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  readonly serviceVersion: string;
  /** Share of the traces that begin here, 0 to 1. A caller's decision is followed. */
  readonly sampleRatio: number;
  /**
   * Maximum requests, runs, pages and webhook deliveries traced per second; 0 means no limit.
   * Requests with a sampled traceparent are traced beyond it.
   */
  readonly tracesPerSecond: number;
};

export type Telemetry = {
  /** Sends the finished spans. */
  flush(): Promise<void>;
  /** Sends the finished spans and ends tracing. */
  close(): Promise<void>;
};

const MAX_QUEUED_SPANS = 8_192;
const MAX_BATCH_SPANS = 512;
const BATCH_DELAY_MS = 2_000;
const EXPORT_TIMEOUT_MS = 5_000;
const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:$|-)/;

/** Loads the SDK and begins to export. Rejects when its optional packages are not installed. */
export async function openTelemetry(settings: TelemetrySettings): Promise<Telemetry> {
  const [api, sdk, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all([
    import("@opentelemetry/api"),
    import("@opentelemetry/sdk-trace"),
    import("@opentelemetry/exporter-trace-otlp-http"),
    import("@opentelemetry/resources"),
  ]);
  const exporter = new OTLPTraceExporter({
    url: `${settings.endpoint.replace(/\/+$/, "")}/v1/traces`,
    headers: { ...settings.headers },
    timeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const processor = new sdk.BatchSpanProcessor({
    exporter,
    maxQueueSize: MAX_QUEUED_SPANS,
    maxExportBatchSize: MAX_BATCH_SPANS,
    scheduledDelayMillis: BATCH_DELAY_MS,
    exportTimeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({
      "service.name": settings.serviceName,
      "service.version": settings.serviceVersion,
      "process.pid": process.pid,
    }),
    sampler: new sdk.ParentBasedSampler({
      root: new sdk.TraceIdRatioBasedSampler(settings.sampleRatio),
    }),
    spanProcessors: [processor],
  });
  const tracer = provider.getTracer("quarry", settings.serviceVersion);
  const { ROOT_CONTEXT, SpanStatusCode, TraceFlags, isSpanContextValid, trace } = api;
  const kinds = {
    internal: api.SpanKind.INTERNAL,
    server: api.SpanKind.SERVER,
    client: api.SpanKind.CLIENT,
    producer: api.SpanKind.PRODUCER,
    consumer: api.SpanKind.CONSUMER,
  };
  const hasBudget = createBudget(settings.tracesPerSecond);
  /** Parent contexts, created lazily. */
  const contexts = new WeakMap<Span, () => Context>();

  /** The parent of a span; a span if nothing below the parent is recorded. */
  const resolveParent = (parent: Span | string | undefined, isRequest: boolean): Context | Span => {
    if (typeof parent === "object") {
      if (!parent.sampled) return parent;
      return contexts.get(parent)?.() ?? ROOT_CONTEXT;
    }
    const [, traceId = "", spanId = "", flags = "00"] = TRACEPARENT.exec(parent ?? "") ?? [];
    const remote = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
    const isKnown = isSpanContextValid(remote);
    if (!isKnown)
      return hasBudget() ? ROOT_CONTEXT : createUnrecorded(createHex(32), createHex(16));
    const isSampled = (remote.traceFlags & TraceFlags.SAMPLED) !== 0;
    // The work of a sampled job would exceed the limit, so it counts; the request itself does not.
    return isSampled && (isRequest || hasBudget())
      ? trace.setSpanContext(ROOT_CONTEXT, remote)
      : createUnrecorded(traceId, spanId);
  };

  const start: SpanBackend["start"] = (
    name,
    { kind = "internal", attributes, startedAt },
    parent,
  ) => {
    const within = resolveParent(parent, kind === "server");
    if ("sampled" in within) return within;
    const span = tracer.startSpan(
      name,
      {
        kind: kinds[kind],
        ...(attributes === undefined ? {} : { attributes: clean(attributes) }),
        ...(startedAt === undefined ? {} : { startTime: startedAt }),
      },
      within,
    );
    const { traceId, spanId, traceFlags } = span.spanContext();
    if (!span.isRecording()) return createUnrecorded(traceId, spanId);
    const flags = traceFlags.toString(16).padStart(2, "0");
    const made: Span = {
      traceId,
      sampled: (traceFlags & TraceFlags.SAMPLED) !== 0,
      traceparent: `00-${traceId}-${spanId}-${flags}`,
      set: (more) => void span.setAttributes(clean(more)),
      fail: (error) => {
        span.setStatus({ code: SpanStatusCode.ERROR });
        span.setAttribute("error.type", describeType(error));
      },
      end: (at) => span.end(at),
    };
    let context: Context | undefined;
    contexts.set(made, () => (context ??= trace.setSpan(ROOT_CONTEXT, span)));
    return made;
  };
  const own: SpanBackend = { start };
  setSpanBackend(own);
  return {
    flush: () => provider.forceFlush(),
    async close() {
      setSpanBackend(undefined);
      // A collector that does not answer must not fail the shutdown.
      await provider.shutdown().catch(() => undefined);
    },
  };
}

/** Random hexadecimal digits, as the SDK makes its ids: unique but not secret. */
function createHex(digits: number): string {
  let text = "";
  while (text.length < digits)
    text += Math.trunc(Math.random() * 2 ** 32)
      .toString(16)
      .padStart(8, "0");
  return text;
}

/** A span that is its own child: most pages of a busy server are not recorded, and must cost nothing. */
const createUnrecorded = (traceId: string, spanId: string): Span => ({
  traceId,
  sampled: false,
  traceparent: `00-${traceId}-${spanId}-00`,
  set: () => undefined,
  fail: () => undefined,
  end: () => undefined,
});

/** Allows `perSecond` calls a second, and as many at once. */
export function createBudget(
  perSecond: number,
  now: () => number = () => performance.now(),
): () => boolean {
  if (perSecond === 0) return () => true;
  let left = perSecond;
  let at = now();
  return () => {
    const time = now();
    left = Math.min(perSecond, left + ((time - at) / 1_000) * perSecond);
    at = time;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
}

/** Reads OTEL_EXPORTER_OTLP_HEADERS: name=value pairs, percent-encoded. */
export function parseHeaderList(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split(",").flatMap((pair) => {
      const at = pair.indexOf("=");
      if (at < 1) return [];
      const value = pair.slice(at + 1).trim();
      return [[pair.slice(0, at).trim(), decodePercent(value)]];
    }),
  );
}

function decodePercent(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

function clean(attributes: Attributes): OtelAttributes {
  const kept: OtelAttributes = {};
  for (const name in attributes) if (attributes[name] !== undefined) kept[name] = attributes[name];
  return kept;
}

function describeType(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
