// A process without a store, as the command line starts for a single scrape: routes that need the
// store answer 501.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApp, type App } from "../../../src/app.ts";
import { createTestConfig } from "../../../src/config.ts";
import type { CapabilitiesResponse } from "../../../src/contract/account/capabilities.ts";
import { ENDPOINTS } from "../../../src/contract/endpoints/endpoints.ts";
import { createLogger } from "../../../src/logger.ts";
import { isRemote } from "../../service.ts";

const ID = "0199f0c0-0000-7000-8000-000000000000";
const fill = (path: string): string => path.replaceAll(/:\w+/g, ID).replaceAll("*", "anything");

let app: App;

async function ask(method: string, path: string) {
  const hasBody = method !== "GET" && method !== "DELETE";
  const answer = await app.server.inject({
    method: method as "GET",
    url: fill(path),
    ...(hasBody ? { payload: {} } : {}),
  });
  return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() };
}

describe.skipIf(isRemote)("process without a store", () => {
  beforeAll(async () => {
    app = await createApp(createTestConfig(), { keeps: false, log: createLogger("fatal") });
    await app.server.ready();
  });
  afterAll(async () => {
    await app.close();
  });

  it("answers 501 with the reason where a capability needs a store", async () => {
    const { capabilities } = (await ask("GET", "/v2/capabilities"))
      .body as unknown as CapabilitiesResponse;
    const refused = ENDPOINTS.filter(
      ({ capability }) => capabilities[capability]?.available === false,
    );
    expect(new Set(refused.map(({ capability }) => capability))).toEqual(
      new Set(
        Object.entries(capabilities)
          .filter(([, { available }]) => !available)
          .map(([name]) => name),
      ),
    );
    for (const name of ["interact", "browser", "crawl", "batch", "map", "team"] as const)
      expect(capabilities[name], name).toMatchObject({
        available: false,
        reason: expect.stringContaining("stores nothing"),
      });
    for (const { method, path, capability } of refused)
      expect(await ask(method, path), `${method} ${path}`).toEqual({
        status: 501,
        body: expect.objectContaining({
          success: false,
          code: "NOT_IMPLEMENTED",
          error: capabilities[capability]?.reason,
        }),
      });
  });

  it("reports that it has no history to compare a page with", async () => {
    const { formats } = (await ask("GET", "/v2/capabilities"))
      .body as unknown as CapabilitiesResponse;
    expect(formats?.["changeTracking"]).toMatchObject({
      available: false,
      reason: expect.stringContaining("stores nothing"),
    });
    const answer = await app.server.inject({
      method: "POST",
      url: "/v2/scrape",
      payload: { url: "https://a.test", formats: ["markdown", "changeTracking"] },
    });
    expect(answer.statusCode).toBe(501);
    expect(answer.body).toContain("stores nothing");
  });

  it("answers no route with 500", async () => {
    for (const { method, path } of ENDPOINTS)
      expect((await ask(method, path)).status, `${method} ${path}`).not.toBe(500);
  });
});
