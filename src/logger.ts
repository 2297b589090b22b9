import { pino, type DestinationStream, type Logger } from "pino";

import { getCurrentSpan } from "./telemetry/tracing.ts";

export type { Logger } from "pino";

/** Headers, body fields and settings with these names never reach a log line. */
const REDACTED = [
  "authorization",
  "cookie",
  "set-cookie",
  "x-api-key",
  "proxy-authorization",
  "apiKey",
  "headers",
  "password",
  "secret",
  "token",
];

/** JSON lines on standard error; standard output belongs to the program's user. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      mixin: () => {
        const span = getCurrentSpan();
        // A new object each time: pino adds the fields of the line to it.
        return span === undefined || span.traceId === "" ? {} : { traceId: span.traceId };
      },
      // JSON.stringify shows no members of an Error.
      serializers: { error: pino.stdSerializers.err, cause: pino.stdSerializers.err },
      redact: {
        paths: REDACTED.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]),
        censor: "***",
      },
    },
    destination ?? pino.destination({ dest: 2, sync: false }),
  );
}
