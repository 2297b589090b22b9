import { AsyncLocalStorage } from "node:async_hooks";
import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import type { Fetch } from "../../client/transport.ts";
import { getTraceparent } from "../telemetry/tracing.ts";

/**
 * Injected requests cannot be closed once their body was read, so their signal is passed
 * separately.
 */
const callers = new AsyncLocalStorage<AbortSignal>();

/**
 * Aborts when the in-process caller of the current request cancels it; undefined for network
 * requests.
 */
export const getInsideSignal = (): AbortSignal | undefined => callers.getStore();

/** The server's own routes in the shape of `fetch`. */
export function createInsideFetch(server: Pick<FastifyInstance, "inject">): Fetch {
  return async (url, init) => {
    const { pathname, search } = new URL(url);
    const signal = init.signal ?? undefined;
    signal?.throwIfAborted();
    const traceparent = getTraceparent();
    const send = async () =>
      await server.inject({
        payloadAsStream: true,
        method: (init.method ?? "GET") as "GET",
        url: pathname + search,
        headers: {
          ...(init.headers as Record<string, string> | undefined),
          host: "localhost",
          ...(traceparent === undefined ? {} : { traceparent }),
        },
        ...(typeof init.body === "string" ? { payload: init.body } : {}),
        ...(init.body instanceof Uint8Array ? { payload: Buffer.from(init.body) } : {}),
        ...(signal === undefined ? {} : { signal }),
      });
    const answer = await (signal === undefined ? send() : callers.run(signal, send));
    signal?.throwIfAborted();
    const headers = Object.entries(answer.headers).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    );
    const body = Readable.toWeb(answer.stream()) as ReadableStream<Uint8Array<ArrayBuffer>>;
    return new Response(body, { status: answer.statusCode, headers });
  };
}
