// The OpenAPI document against Redocly's recommended rules, as users' tools check it.
import { createConfig, lintFromString, type NormalizedProblem } from "@redocly/openapi-core";
import { describe, expect, it } from "vitest";
import { buildOpenApi } from "../../src/http/docs/openapi.ts";
import { findMissingCapabilities } from "../../src/scrape/capabilities.ts";

async function lint(document: object): Promise<readonly NormalizedProblem[]> {
  const config = await createConfig({
    extends: ["recommended"],
    // The server is the one that the document is read from.
    rules: { "no-server-example.com": "error" },
  });
  return await lintFromString({
    source: JSON.stringify(document),
    absoluteRef: "/openapi.json",
    config,
  });
}

/**
 * A fixed part where another path has a parameter. Clients of the API family call these paths, so
 * they stay; routers prefer the fixed part (OpenAPI 3.1, "Path Templating Matching").
 */
const AMBIGUOUS = [
  ["/v2/agent/threads/{threadId}", "/v2/agent/{jobId}/trace"],
  ["/v2/agent/{id}/webhooks", "/v2/agent/threads/{threadId}"],
  ["/v2/browser/profiles/{name}", "/v2/browser/{id}/execute"],
  ["/v2/browser/profiles/{name}", "/v2/browser/{id}/profile"],
  ["/v2/browser/profiles/{name}", "/v2/browser/{id}/trace"],
  ["/v2/interact/profiles/{name}", "/v2/interact/{id}/execute"],
  ["/v2/interact/profiles/{name}", "/v2/interact/{id}/profile"],
  ["/v2/interact/profiles/{name}", "/v2/interact/{id}/trace"],
];

describe("the OpenAPI document", () => {
  it("OpenAPI passes Redocly's recommended rules except for paths that the API family has", async () => {
    const missing = findMissingCapabilities({ isApi: true, keeps: true });
    const problems = await lint(buildOpenApi({ version: "1.0.0", missing }));
    expect(problems.map(({ message }) => message).toSorted()).toEqual(
      AMBIGUOUS.map(
        ([one, other]) =>
          `Paths should resolve unambiguously. Found two ambiguous paths: \`${one}\` and \`${other}\`.`,
      ),
    );
  });

  it("the OpenAPI lint finds a missing description and an unknown field", async () => {
    const document = buildOpenApi({ version: "1.0.0", missing: {} });
    // The rules look at the head of the document only: without paths they are checked at once.
    const found = await lint({ ...document, paths: {}, tags: [{ name: "Scrape" }], servres: [] });
    expect(found.map(({ ruleId }) => ruleId)).toEqual(
      expect.arrayContaining(["tag-description", "struct"]),
    );
  });
});
