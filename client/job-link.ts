// Connects the client to the URL of a job.
import type { JobLink } from "./job.ts";
import {
  type Call,
  type CallOptions,
  type Connection,
  sendForBytes,
  sendForText,
} from "./transport.ts";
import type { OpenSocket, Socket } from "./watch.ts";

export type JobLinkParts = {
  readonly call: (
    call: Pick<Call, "method" | "path" | "query">,
    options: CallOptions,
  ) => Promise<Record<string, unknown>>;
  /** Timeout of a text stream when the call sets none. */
  readonly timeoutMs: number;
  readonly openSocket: OpenSocket | undefined;
};

/** `base` is the path of the job. */
export function createJobLink(base: string, connection: Connection, parts: JobLinkParts): JobLink {
  return {
    call: (method, below, query, options) =>
      parts.call({ method, path: `${base}${below}`, query }, options),
    text: (below, query, { signal, timeoutMs = parts.timeoutMs }) =>
      sendForText(connection, { method: "GET", path: `${base}${below}`, query, signal, timeoutMs }),
    bytes: (below, query, { signal, timeoutMs = parts.timeoutMs }) =>
      sendForBytes(connection, {
        method: "GET",
        path: `${base}${below}`,
        query,
        signal,
        timeoutMs,
      }),
    openSocket: () => open(base, connection, parts.openSocket),
  };
}

function open(
  path: string,
  { baseUrl, apiKey }: Connection,
  openSocket: OpenSocket | undefined,
): Socket | undefined {
  // The key is sent as the subprotocol, because a browser's WebSocket has no headers (wire
  // contract, section 1.2).
  const protocols = apiKey === undefined ? [] : [apiKey];
  try {
    return openSocket?.(`ws${baseUrl.slice("http".length)}${path}`, protocols);
  } catch {
    // The key is not a valid subprotocol, or the page may not connect: paging works in both cases.
    return undefined;
  }
}

/** The header that makes a start idempotent. */
export const buildKeyHeader = (key: string | undefined): Call["headers"] =>
  key === undefined ? undefined : { "x-idempotency-key": key };
