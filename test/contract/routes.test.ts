// Addresses that are no routes, and the health of the service as most look for it.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isRemote, startService, type Service } from "../service.ts";

let service: Service;
beforeAll(async () => {
  service = await startService(undefined);
});
afterAll(() => service.close());

const ID = "0199f0c0-0000-7000-8000-000000000000";

describe.skipIf(isRemote)("a request to an address that is no route", () => {
  it.each([
    ["GET", "/v2/scrape", "POST"],
    ["PUT", "/v2/crawl", "POST"],
    ["POST", `/v2/crawl/${ID}`, "DELETE, GET, HEAD"],
    ["PATCH", "/v2/jobs", "GET, HEAD"],
    ["GET", "/v1/scrape", "POST"],
    ["DELETE", "/v1/crawl", "POST"],
    ["POST", "/health", "GET, HEAD"],
    ["POST", "/docs/crawling", "GET, HEAD"],
  ])("%s %s is answered with 405 and the methods of the path", async (method, path, allow) => {
    const answer = await service.ask(path, { method });
    expect(answer.status, answer.text).toBe(405);
    expect(answer.headers.get("allow")).toBe(allow);
    expect(answer.body).toEqual({
      success: false,
      code: "METHOD_NOT_ALLOWED",
      error: `${path} takes ${allow}, not ${method}.`,
    });
  });

  it.each([
    ["POST", "/v2/scrap", "did you mean POST /v2/scrape?"],
    ["POST", "/v2/batch/scape", "did you mean POST /v2/batch/scrape?"],
    ["GET", `/v2/crawl/${ID}/error`, `did you mean GET /v2/crawl/${ID}/errors?`],
    ["POST", "/v0/scrape", "POST /v2/scrape replaced it."],
    ["GET", "/v1/crawl/status/1", "GET /v2/crawl/:id replaced it."],
    ["GET", "/nothing/like/it", "see /docs/api for the routes."],
  ])("%s %s is answered with 404 and what was probably meant", async (method, path, advice) => {
    const answer = await service.ask(path, { method });
    expect(answer.status, answer.text).toBe(404);
    expect(answer.body.error).toBe(`There is no ${method} ${path}; ${advice}`);
  });
});

describe.skipIf(isRemote)("GET /health", () => {
  it("answers 200 without a key, and HEAD too", async () => {
    const answer = await service.ask("/health", { key: null });
    expect([answer.status, answer.text]).toEqual([200, '{"status":"ok"}']);
    const head = await service.ask("/health", { key: null, method: "HEAD" });
    expect([head.status, head.text]).toEqual([200, ""]);
  });
});

describe.skipIf(isRemote)("a request that is not let in", () => {
  it("is told how to send a key and where keys come from", async () => {
    for (const [key, text] of [
      [null, "Unauthorized. "],
      ["qy-wrong", "Unauthorized: Invalid token. "],
    ] as const) {
      const { status, body } = await service.ask("/v2/team/credit-usage", { key });
      expect(status).toBe(401);
      expect(body.error?.startsWith(text)).toBe(true);
      for (const said of ["Authorization: Bearer KEY", "quarry keys create", "data folder"])
        expect(body.error).toContain(said);
    }
  });

  it("is told when to come back in the words that clients look for", async () => {
    const { key } = await service.createKey({ requestsPerMinute: 1 });
    const ask = () => service.ask("/v2/map", { method: "POST", body: {}, key });
    await ask();
    const { status, body, headers } = await ask();
    expect(status).toBe(429);
    const [, seconds] = /retry after (\d+)s/.exec(String(body.error)) ?? [];
    expect(seconds).toBe(headers.get("retry-after"));
  });
});
