// Settings of tracing, under the names that OpenTelemetry defines.
import {
  defineRow,
  HTTP_ADDRESS,
  readAnyText,
  readCheckedText,
  readSecret,
  readWhole,
} from "./checks.ts";

const isRatio = (text: string): boolean => /^(?:0(?:\.\d+)?|1(?:\.0+)?)$/.test(text);
const isHeaderList = (text: string): boolean =>
  text.split(",").every((pair) => /^\s*[\w!#$%&'*+.^`|~-]+\s*=/.test(pair));

export const TELEMETRY_SETTINGS = {
  otlpEndpoint: defineRow(
    "telemetry",
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    readCheckedText((text) =>
      /^https?:$/.test(URL.parse(text)?.protocol ?? "") ? undefined : HTTP_ADDRESS,
    ),
    "",
    "Base URL of an OTLP/HTTP collector, such as http://127.0.0.1:4318; traces are sent to /v1/traces below it. Without it nothing is traced.",
  ),
  otlpHeaders: defineRow(
    "telemetry",
    "OTEL_EXPORTER_OTLP_HEADERS",
    readSecret(
      readCheckedText((text) =>
        isHeaderList(text) ? undefined : "must be like name=value,other=value",
      ),
    ),
    "",
    "Headers for the collector, as name=value pairs separated by commas; values are percent-decoded.",
  ),
  otelServiceName: defineRow(
    "telemetry",
    "OTEL_SERVICE_NAME",
    readAnyText,
    "quarry",
    "Name of this service in traces.",
  ),
  otelSampleRatio: defineRow(
    "telemetry",
    "OTEL_TRACES_SAMPLER_ARG",
    readCheckedText((text) => (isRatio(text) ? undefined : "must be a number from 0 to 1")),
    "1",
    "Share of the traces that begin here and are exported, 0 to 1. The decision in a caller's traceparent is followed.",
  ),
  tracesPerSecond: defineRow(
    "telemetry",
    "QUARRY_TRACES_PER_SECOND",
    readWhole(0, 1_000_000),
    "5",
    "Maximum requests, job runs, pages and webhook deliveries traced per second in this process, so that tracing costs little under load; 0 means no limit. Requests with a sampled traceparent are always traced and do not count; the work of their jobs does.",
  ),
} as const;
