import type { FastifyInstance } from "fastify";
import type { Metrics } from "../../metrics.ts";

/**
 * Counts and times every response by route pattern, never by raw URL, which would create a series
 * per caller.
 */
export function measureRequests(server: FastifyInstance, metrics: Metrics): void {
  server.addHook("onResponse", async (request, reply) => {
    const route = request.routeOptions.url ?? "none";
    metrics.requests.inc({ route, status: String(reply.statusCode) });
    metrics.requestSeconds.observe({ route }, reply.elapsedTime / 1000);
    request.log.info(
      {
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      "answered",
    );
  });
}
