import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ENDPOINTS, findEndpoint, HOSTED_PATHS, LEGACY_ENDPOINTS } from "./endpoints.ts";
import { toErrorBody, UNKNOWN_KEY_TEXT } from "../request/faults.ts";

const named = ENDPOINTS.map((entry) => [`${entry.method} ${entry.path}`, entry] as const);

/** Routes that the published JavaScript client calls. */
const CALLED = [
  "POST /v2/scrape",
  "POST /v2/scrape/:scrapeId/interact",
  "DELETE /v2/scrape/:scrapeId/interact",
  "POST /v2/parse",
  "POST /v2/search",
  "POST /v2/map",
  "POST /v2/feedback",
  "POST /v2/search/:jobId/feedback",
  "POST /v2/crawl",
  "GET /v2/crawl/:id",
  "DELETE /v2/crawl/:id",
  "GET /v2/crawl/:id/errors",
  "GET /v2/crawl/active",
  "POST /v2/crawl/params-preview",
  "POST /v2/batch/scrape",
  "GET /v2/batch/scrape/:id",
  "DELETE /v2/batch/scrape/:id",
  "GET /v2/batch/scrape/:id/errors",
  "POST /v2/extract",
  "GET /v2/extract/:id",
  "POST /v2/agent",
  "GET /v2/agent",
  "GET /v2/agent/:jobId",
  "DELETE /v2/agent/:jobId",
  "GET /v2/agent/:jobId/trace",
  "GET /v2/agent/:jobId/snapshots/:snapshotId",
  "GET /v2/agent/threads/:threadId",
  "POST /v2/browser",
  "GET /v2/browser",
  "DELETE /v2/browser/:id",
  "POST /v2/browser/:id/execute",
  "GET /v2/concurrency-check",
  "GET /v2/team/credit-usage",
  "GET /v2/team/token-usage",
  "GET /v2/team/queue-status",
  "GET /v2/team/credit-usage/historical",
  "GET /v2/team/token-usage/historical",
  "POST /v2/monitor",
  "GET /v2/monitor",
  "GET /v2/monitor/:id",
  "PATCH /v2/monitor/:id",
  "DELETE /v2/monitor/:id",
  "POST /v2/monitor/:id/run",
  "GET /v2/monitor/:id/checks",
  "GET /v2/monitor/:id/checks/:checkId",
];

describe("endpoint list", () => {
  it("lists each route once", () => {
    const names = named.map(([name]) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(CALLED)("lists the route %s, which published clients call", (name) => {
    expect(named.map(([own]) => own)).toContain(name);
  });

  it.each(named)("%s describes its parameters", (_name, entry) => {
    const inPath = [...entry.path.matchAll(/:(\w+)/g)].map((match) => match[1]);
    const params = entry.params ?? z.object({});
    const described = z.toJSONSchema(params, { io: "input" });
    expect(Object.keys(described.properties ?? {})).toEqual(inPath);
  });

  it("matches fixed paths before parameters", () => {
    for (const [index, [, entry]] of named.entries()) {
      const pattern = new RegExp(`^${entry.path.replaceAll(/:\w+/g, "[^/]+")}$`);
      const hidden = named
        .slice(index + 1)
        .filter(([, later]) => later.method === entry.method && pattern.test(later.path));
      expect(hidden.map(([name]) => name)).toEqual([]);
    }
  });

  it("lists frozen routes and hosted services separately", () => {
    expect(LEGACY_ENDPOINTS.every((entry) => entry.path.startsWith("/v1/"))).toBe(true);
    const own = new Set(ENDPOINTS.map((entry) => entry.path));
    expect(HOSTED_PATHS.filter((path) => own.has(path))).toEqual([]);
  });

  it("finds a known route and throws for an unknown one", () => {
    expect(findEndpoint("POST", "/v2/scrape").capability).toBe("scrape");
    expect(() => findEndpoint("GET", "/v2/none")).toThrow(RangeError);
  });
});

describe("request and response schemas", () => {
  const schemas = named.flatMap(([name, entry]) =>
    (["body", "query", "params"] as const).flatMap((part) => {
      const schema = entry[part];
      return schema === undefined ? [] : [[`${name} ${part}`, schema] as const];
    }),
  );

  it.each(schemas)("%s can be written as JSON Schema", (_name, schema) => {
    expect(() => z.toJSONSchema(schema, { io: "input" })).not.toThrow();
  });

  it.each(named)("%s response can be written as JSON Schema", (_name, entry) => {
    expect(() => z.toJSONSchema(entry.response)).not.toThrow();
  });

  const bodies = named.flatMap(([name, { body }]) =>
    body === undefined ? [] : [[name, body] as const],
  );

  it.each(bodies)("%s accepts origin and integration", (_name, body) => {
    const result = body.safeParse({ origin: "js-sdk@4.42.0", integration: "n8n" });
    const faults = result.success ? [] : toErrorBody(result.error).details;
    const blamed = faults.filter((issue) => {
      const keys = [...issue.path.map(String), ...(issue.keys ?? [])];
      return keys.includes("origin") || keys.includes("integration");
    });
    expect(blamed).toEqual([]);
  });

  const offered = named.filter(
    ([, { body, capability }]) =>
      body !== undefined && capability !== "monitor" && capability !== "feedback",
  );

  it.each(offered)("%s has a valid example", (_name, entry) => {
    expect(entry.example).toBeDefined();
    expect(entry.body?.safeParse(entry.example).error?.issues).toBeUndefined();
  });

  it.each(bodies)("%s rejects an unknown key with the fixed text", (_name, body) => {
    const result = body.safeParse({ unheardOf: 1 });
    if (result.success) throw new Error("an unknown key was taken");
    const fault = toErrorBody(result.error);
    expect(fault.error).toContain(`${UNKNOWN_KEY_TEXT}: "`);
    const unknown = fault.details.filter((issue) => issue.code === "unrecognized_keys");
    expect(unknown.map((issue) => issue.keys)).toEqual([["unheardOf"]]);
  });
});
