import { pino, type DestinationStream, type Logger } from "pino";

export type { Logger } from "pino";

/** A header, body field or setting with one of these names never reaches a log line. */
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

/** JSON lines on standard error; standard output belongs to the person who started the program. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      // An Error has no members that JSON would show.
      serializers: { error: pino.stdSerializers.err, cause: pino.stdSerializers.err },
      redact: {
        paths: REDACTED.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]),
        censor: "***",
      },
    },
    destination ?? pino.destination({ dest: 2, sync: false }),
  );
}
