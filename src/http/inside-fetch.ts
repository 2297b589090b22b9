import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import type { Fetch } from "../../client/transport.ts";

/** The server's own entry in the shape of `fetch`. */
export function insideFetch(server: Pick<FastifyInstance, "inject">): Fetch {
  return async (url, init) => {
    const { pathname, search } = new URL(url);
    const answer = await server.inject({
      payloadAsStream: true,
      method: (init.method ?? "GET") as "GET",
      url: pathname + search,
      headers: { ...(init.headers as Record<string, string> | undefined), host: "localhost" },
      ...(typeof init.body === "string" ? { payload: init.body } : {}),
      ...(init.body instanceof Uint8Array ? { payload: Buffer.from(init.body) } : {}),
      ...(init.signal === undefined || init.signal === null ? {} : { signal: init.signal }),
    });
    const headers = Object.entries(answer.headers).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    );
    const body = Readable.toWeb(answer.stream()) as ReadableStream<Uint8Array<ArrayBuffer>>;
    return new Response(body, { status: answer.statusCode, headers });
  };
}
