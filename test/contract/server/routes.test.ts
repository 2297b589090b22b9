// Unknown routes, and the usual health route.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isRemote, shareService, type Service } from "../../service.ts";

let service: Service;
beforeAll(async () => {
  service = await shareService();
});
afterAll(() => service.close());

const ID = "0199f0c0-0000-7000-8000-000000000000";

describe.skipIf(isRemote)("unknown routes", () => {
  it.each([
    ["GET", "/v2/scrape", "POST"],
    ["PUT", "/v2/crawl", "POST"],
    ["POST", `/v2/crawl/${ID}`, "DELETE, GET, HEAD"],
    ["PATCH", "/v2/jobs", "GET, HEAD"],
    ["GET", "/v1/scrape", "POST"],
    ["DELETE", "/v1/crawl", "POST"],
    ["POST", "/health", "GET, HEAD"],
    ["POST", "/docs/crawling", "GET, HEAD"],
  ])("%s %s answers 405 with the methods of the path", async (method, path, allow) => {
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
    ["GET", "/v2/nosuch", "see /docs/api for the routes."],
    ["GET", "/nothing/like/it", "see /docs/api for the routes."],
  ])("%s %s answers 404 with the probable route", async (method, path, advice) => {
    const answer = await service.ask(path, { method });
    expect(answer.status, answer.text).toBe(404);
    expect(answer.body.error).toBe(`There is no ${method} ${path}; ${advice}`);
  });
});

describe.skipIf(isRemote)("GET /health", () => {
  it("GET /health and HEAD /health answer 200 without a key", async () => {
    const answer = await service.ask("/health", { key: null });
    expect([answer.status, answer.text]).toEqual([200, '{"status":"ok"}']);
    const head = await service.ask("/health", { key: null, method: "HEAD" });
    expect([head.status, head.text]).toEqual([200, ""]);
  });
});

describe.skipIf(isRemote)("rejected requests", () => {
  it("a 401 says how to send a key and where keys come from", async () => {
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

  it("a 429 says when to retry in the words that clients look for", async () => {
    const { key } = await service.createKey({ requestsPerMinute: 1 });
    const ask = () => service.ask("/v2/map", { method: "POST", body: {}, key });
    await ask();
    const { status, body, headers } = await ask();
    expect(status).toBe(429);
    const [, seconds] = /retry after (\d+)s/.exec(String(body.error)) ?? [];
    expect(seconds).toBe(headers.get("retry-after"));
  });
});
