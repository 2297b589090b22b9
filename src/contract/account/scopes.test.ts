import { expect, it } from "vitest";
import { ENDPOINTS } from "../endpoints/endpoints.ts";
import { DEFAULT_SCOPES, getScope, SCOPES } from "./scopes.ts";

it("every endpoint has a scope except those that report the caller's own usage", () => {
  for (const endpoint of ENDPOINTS) expect([...SCOPES, "any"]).toContain(getScope(endpoint));
  const free = ENDPOINTS.filter((endpoint) => getScope(endpoint) === "any");
  expect(new Set(free.map(({ capability }) => capability))).toEqual(
    new Set(["team", "capabilities", "feedback"]),
  );
});

it("only GET endpoints need the scope read and none of the contract needs admin", () => {
  for (const endpoint of ENDPOINTS) {
    expect(getScope(endpoint)).not.toBe("admin");
    if (getScope(endpoint) === "read") expect(endpoint.method).toBe("GET");
  }
});

it("new keys have every scope except admin", () => {
  expect([...DEFAULT_SCOPES, "admin"]).toEqual(SCOPES);
});
