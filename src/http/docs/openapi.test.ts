import { describe, expect, it } from "vitest";
import { ADMIN_ENDPOINTS } from "../../contract/endpoints/admin.ts";
import { ENDPOINTS } from "../../contract/endpoints/endpoints.ts";
import { buildOpenApi } from "./openapi.ts";

type Operation = {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly responses: Readonly<Record<string, { readonly description?: string }>>;
};

const missing = { monitor: "Monitors are not here.", feedback: "Nobody reads it." };
const document = buildOpenApi({ version: "1.2.3", missing }) as {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly "x-not-available": readonly { readonly operation: string; readonly reason: string }[];
};
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

describe("the OpenAPI document", () => {
  it("OpenAPI lists unavailable operations separately", () => {
    const listed = operations.map(({ path }) => path);
    expect(listed).toContain("/v2/scrape");
    expect(listed.filter((path) => path.startsWith("/v2/monitor"))).toEqual([]);
    expect(document["x-not-available"]).toContainEqual({
      operation: "POST /v2/monitor",
      reason: "Monitors are not here.",
    });
    expect(listed.filter((path) => path.includes("replay"))).toEqual([]);
    expect(document["x-not-available"]).toContainEqual({
      operation: "GET /v2/browser/:id/replay",
      reason: "Sessions are not recorded by this server; watch one by its liveViewUrl.",
    });
    const ofContract = operations.filter(({ operation }) => !operation.tags.includes("Server"));
    expect(ofContract.length + document["x-not-available"].length).toBe(
      ENDPOINTS.length + ADMIN_ENDPOINTS.length,
    );
  });

  it("OpenAPI describes metrics and health as operations without a key", () => {
    const ofServer = operations.filter(({ operation }) => operation.tags.includes("Server"));
    expect(ofServer.map(({ path }) => path)).toEqual([
      "/metrics",
      "/health",
      "/v0/health/liveness",
      "/v0/health/readiness",
    ]);
    for (const { operation } of ofServer) expect(operation).toMatchObject({ security: [] });
    expect(document.paths["/metrics"]?.["get"]?.responses["200"]).toMatchObject({
      content: { "text/plain": { schema: { type: "string" } } },
    });
  });

  it("OpenAPI gives each operation a unique id, a summary, a described tag, a success and an error", () => {
    const tags = new Map(document.tags.map(({ name, description }) => [name, description]));
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { path, method, operation } of operations) {
      const name = `${method} ${path}`;
      expect(operation.operationId, name).toMatch(/^[A-Za-z0-9_]+$/);
      expect(operation.summary.length, name).toBeGreaterThan(5);
      for (const tag of operation.tags) expect(tags.get(tag)?.length, name).toBeGreaterThan(10);
      const statuses = Object.keys(operation.responses);
      expect(statuses, name).toContain("200");
      if (!operation.tags.includes("Server"))
        expect(
          statuses.some((status) => status.startsWith("4")),
          name,
        ).toBe(true);
      for (const response of Object.values(operation.responses))
        expect(response.description, name).toBeTruthy();
    }
    expect([...tags.keys()].toSorted()).toEqual(
      [...new Set(operations.flatMap(({ operation }) => operation.tags))].toSorted(),
    );
  });

  it("OpenAPI declares every path parameter exactly once", () => {
    for (const { path, operation } of operations) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
      const declared = (operation.parameters ?? []).filter((one) => one.in === "path");
      expect(new Set(declared.map(({ name }) => name)), path).toEqual(new Set(inPath));
      const names = (operation.parameters ?? []).map((one) => `${one.in} ${one.name}`);
      expect(new Set(names).size, path).toBe(names.length);
    }
  });

  it("OpenAPI contains every definition it refers to", () => {
    const text = JSON.stringify(document);
    const references = [...text.matchAll(/"\$ref":"#([^"]+)"/g)].map(([, pointer = ""]) => pointer);
    expect(references.length).toBeGreaterThan(10);
    for (const pointer of new Set(references)) {
      let value: unknown = document;
      for (const part of pointer.split("/").slice(1))
        value = (value as Record<string, unknown> | undefined)?.[part];
      expect(value, pointer).toBeDefined();
    }
  });
});
