import type { FastifyInstance, FastifyRequest } from "fastify";
import { isTracing, runWithSpan, startSpan, type Span } from "../../telemetry/tracing.ts";

const spans = new WeakMap<FastifyRequest, Span>();

/** Probes of the operator's own tools; their traces would hide the others. */
const UNTRACED = new Set(["/health", "/health/live", "/health/ready", "/metrics", "/e2e-test"]);

/**
 * A span per request, named by its route. It continues the caller's `traceparent`. Without tracing
 * no hook is added.
 */
export function traceRequests(server: FastifyInstance): void {
  if (!isTracing()) return;
  server.addHook("onRequest", async (request) => {
    const route = request.routeOptions.url ?? "none";
    if (UNTRACED.has(route)) return;
    const { traceparent } = request.headers;
    const attributes = {
      "http.request.method": request.method,
      "http.route": route,
      "quarry.request.id": request.id,
    };
    const span = startSpan(
      `${request.method} ${route}`,
      { kind: "server", attributes },
      typeof traceparent === "string" ? traceparent : undefined,
    );
    if (span !== undefined) spans.set(request, span);
  });
  // The body is read outside of the span's context, so the handler enters it afterwards.
  server.addHook("preHandler", (request, _reply, done) => {
    runWithSpan(spans.get(request), done);
  });
  server.addHook("onError", async (request, _reply, error) => spans.get(request)?.fail(error));
  server.addHook("onResponse", async (request, reply) => {
    const span = spans.get(request);
    span?.set({ "http.response.status_code": reply.statusCode });
    span?.end();
  });
}
