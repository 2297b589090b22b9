// The ways from a client to the address of a job.
import type { JobLink } from "./job.ts";
import { type Call, type CallOptions, type Connection, sendForText } from "./transport.ts";
import type { OpenSocket, Socket } from "./watch.ts";

export type JobLinkParts = {
  readonly call: (
    call: Pick<Call, "method" | "path" | "query">,
    options: CallOptions,
  ) => Promise<Record<string, unknown>>;
  /** Of a stream of text, where the call names none. */
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
    openSocket: () => open(base, connection, parts.openSocket),
  };
}

function open(
  path: string,
  { baseUrl, apiKey }: Connection,
  openSocket: OpenSocket | undefined,
): Socket | undefined {
  // The key goes as the subprotocol, since a browser's WebSocket has no headers (wire contract, section 1.2).
  const protocols = apiKey === undefined ? [] : [apiKey];
  try {
    return openSocket?.(`ws${baseUrl.slice("http".length)}${path}`, protocols);
  } catch {
    // A key with characters that no subprotocol may have, or a page that may not connect: paging works all the same.
    return undefined;
  }
}

/** The header that lets a start be repeated without starting twice. */
export const keyHeader = (key: string | undefined): Call["headers"] =>
  key === undefined ? undefined : { "x-idempotency-key": key };
