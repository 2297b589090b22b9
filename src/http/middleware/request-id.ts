import { randomUUID } from "node:crypto";
import type { FastifyInstance } from "fastify";

/** Request ids: the caller's X-Request-Id when it is a plain token, else a fresh UUID. Sent back on every answer. */
export function requestId(header: string | string[] | undefined): string {
  return typeof header === "string" && /^[\w.:-]{1,100}$/.test(header) ? header : randomUUID();
}

export function returnRequestId(server: FastifyInstance): void {
  server.addHook("onRequest", async (request, reply) => {
    reply.header("x-request-id", request.id);
  });
}
