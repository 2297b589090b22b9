import { randomUUID } from "node:crypto";
import type { FastifyInstance } from "fastify";

/**
 * Request ids: the caller's X-Request-Id if it is a plain token, otherwise a new UUID. Returned
 * with every response.
 */
export function chooseRequestId(header: string | string[] | undefined): string {
  return typeof header === "string" && /^[\w.:-]{1,100}$/.test(header) ? header : randomUUID();
}

export function returnRequestId(server: FastifyInstance): void {
  server.addHook("onRequest", async (request, reply) => {
    reply.header("x-request-id", request.id);
  });
}
