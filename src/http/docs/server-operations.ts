// Operations of the server outside of the contract: they need no key and take no input.
type JsonObject = { [key: string]: unknown };

export const SERVER_TAG = "Server";

const STATUS = {
  "application/json": {
    schema: {
      type: "object",
      properties: { status: { type: "string", const: "ok" } },
      required: ["status"],
    },
  },
};

const METRICS = {
  "text/plain": {
    schema: { type: "string", description: "Prometheus text format, version 0.0.4." },
  },
};

/** Builds the paths of metrics and health. `error` is the content of an error response. */
export function buildServerPaths(error: JsonObject): { [path: string]: JsonObject } {
  const describe = (
    operationId: string,
    summary: string,
    content: JsonObject,
    failures: JsonObject = {},
  ): JsonObject => ({
    get: {
      tags: [SERVER_TAG],
      operationId,
      summary,
      security: [],
      responses: {
        "200": { description: "Success.", content },
        "403": {
          description: "A server without keys answers under its own host names only.",
          content: error,
        },
        ...failures,
      },
    },
  });
  return {
    "/metrics": describe("getMetrics", "Read counters, gauges and timings as text.", METRICS),
    "/health": describe("getHealth", "Answers as long as the process runs.", STATUS),
    "/v0/health/liveness": describe(
      "getV0HealthLiveness",
      "Answers as long as the process runs.",
      STATUS,
    ),
    "/v0/health/readiness": describe(
      "getV0HealthReadiness",
      "Check everything that a request needs.",
      STATUS,
      { "503": { description: "A part is not ready; the text names it.", content: error } },
    ),
  };
}
