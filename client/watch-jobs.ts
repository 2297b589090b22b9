// The stream of changes of all jobs: server-sent events, and a new connection whenever one ends.
import { decodeObject } from "./decode-object.ts";
import { ConnectionError } from "./errors.ts";
import { type CallOptions, type Connection, sendForText } from "./transport.ts";
import type { JobEvent } from "./wire.ts";

const RECONNECT_MS = 2_000;
const NEVER = new AbortController().signal;

/**
 * Yields events until the loop is left or `options.signal` aborts. When a connection ends or breaks
 * off, the next one begins with a snapshot again. Throws what the server refuses.
 */
export async function* watchJobs(
  connection: Connection,
  { signal, timeoutMs = 300_000 }: CallOptions,
): AsyncGenerator<JobEvent> {
  for (;;) {
    try {
      yield* readEvents(
        sendForText(connection, { method: "GET", path: "/v2/jobs/events", timeoutMs, signal }),
      );
    } catch (error) {
      if (signal?.aborted === true || !(error instanceof ConnectionError)) throw error;
    }
    await connection.clock.sleep(RECONNECT_MS, signal ?? NEVER);
  }
}

/** Only `data` lines are read: each event is on one line, and its `type` is in the object. */
async function* readEvents(parts: AsyncIterable<string>): AsyncGenerator<JobEvent> {
  let rest = "";
  for await (const part of parts) {
    const lines = (rest + part).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (!line.startsWith("data: ")) continue;
      const event = decodeObject<JobEvent>(line.slice("data: ".length));
      if (event !== undefined) yield event;
    }
  }
}
