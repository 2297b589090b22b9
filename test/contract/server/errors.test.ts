// Invalid requests, authentication, and what is never logged.
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { UNKNOWN_KEY_TEXT } from "../../../src/contract/request/faults.ts";
import { isRemote, startService, type Service } from "../../service.ts";
import { startSite, type Site } from "../../site/site.ts";

let site: Site;
let service: Service;
let page: string;
beforeAll(async () => {
  site = await startSite();
  service = await startService(site);
  page = `${site.url}/tiny`;
});
afterAll(async () => {
  await service.close();
  await site.close();
});

const ID = "0199f0c0-0000-7000-8000-000000000000";

describe("invalid bodies", () => {
  it.each<[name: string, body: object, field: string]>([
    ["no url", {}, "url"],
    ["a number for url", { url: 7 }, "url"],
    ["an unknown format", { url: "https://example.com", formats: ["poem"] }, "formats"],
    ["formats as a text", { url: "https://example.com", formats: "markdown" }, "formats"],
    [
      "a text for a flag",
      { url: "https://example.com", onlyMainContent: "yes" },
      "onlyMainContent",
    ],
    ["a timeout too short", { url: "https://example.com", timeout: 999 }, "timeout"],
    ["a timeout too long", { url: "https://example.com", timeout: 300_001 }, "timeout"],
    ["a fraction for timeout", { url: "https://example.com", timeout: 1_000.5 }, "timeout"],
    ["an unknown proxy", { url: "https://example.com", proxy: "magic" }, "proxy"],
    ["a negative maxAge", { url: "https://example.com", maxAge: -1 }, "maxAge"],
    ["a number as selector", { url: "https://example.com", excludeTags: [7] }, "excludeTags"],
    ["parsers that are no list", { url: "https://example.com", parsers: "pdf" }, "parsers"],
    ["an unknown parser", { url: "https://example.com", parsers: ["docx"] }, "parsers"],
    ["a number as header", { url: "https://example.com", headers: { a: 1 } }, "headers"],
    ["null for location", { url: "https://example.com", location: null }, "location"],
  ])("answers 400 for %s and names the field in details", async (_name, body, field) => {
    const answer = await service.scrape(body);
    expect(answer.status, answer.text).toBe(400);
    expect(answer.body).toMatchObject({
      success: false,
      code: "BAD_REQUEST",
      error: `Bad Request: ${answer.body.details?.[0]?.message}`,
    });
    expect(answer.body.details?.[0]?.path[0]).toBe(field);
    expect(answer.body.details?.[0]?.message).toContain(field);
  });

  it("reports unknown keys with the fixed text and each key in details, also nested ones", async () => {
    const answer = await service.scrape({ url: page, colour: "blue", ignoreSitemap: true });
    expect(answer.status).toBe(400);
    expect(answer.body.error).toContain(`${UNKNOWN_KEY_TEXT}: "`);
    expect(answer.body.error).toBe(
      'Unrecognized key in body -- please review the v2 API documentation for request body changes: "colour", "ignoreSitemap"',
    );
    expect(answer.body.details?.[0]).toMatchObject({
      code: "unrecognized_keys",
      keys: ["colour", "ignoreSitemap"],
      path: [],
    });
    const nested = await service.scrape({
      url: page,
      formats: [{ type: "json", prompt: "p", systemPrompt: "s" }],
    });
    expect(nested.status).toBe(400);
    expect(nested.body.error).toContain(`${UNKNOWN_KEY_TEXT}: "`);
    expect(nested.body.details?.[0]).toMatchObject({
      code: "unrecognized_keys",
      keys: ["systemPrompt"],
      path: ["formats", 0],
    });
  });

  it("lists every format for an unknown one, including those that need options", async () => {
    for (const formats of [["poem"], [{ type: "poem" }]]) {
      const { body } = await service.scrape({ url: page, formats });
      for (const name of ["markdown", "attributes", "question", "highlights", "deterministicJson"])
        expect(body.details?.[0]?.message, JSON.stringify(formats)).toContain(`"${name}"`);
    }
  });

  it("tells a model what to fix when its client requests hints", async () => {
    const headers = { "x-firecrawl-agent-hints": "true" };
    const call = { url: page, actions: [{ type: "click" }], maxDepth: 1 };
    const { body } = await service.scrape(call, { headers });
    expect(body["agent_hints"]).toEqual([
      "actions[0].selector is required",
      'unrecognized key "maxDepth"',
    ]);
    const unknown = "/v2/crawl/a3bb189e-8bf9-4888-8912-ace4e6543000";
    const missing = await service.ask(unknown, { headers });
    expect([missing.status, missing.body["agent_hints"]]).toEqual([404, ["Job not found"]]);
    expect((await service.scrape(call)).body).not.toHaveProperty("agent_hints");
  });

  it("answers 300,000 unknown keys briefly", async () => {
    const keys = Object.fromEntries(Array.from({ length: 300_000 }, (_, n) => [`key${n}`, 1]));
    const answer = await service.scrape({ url: page, ...keys });
    expect(answer.status).toBe(400);
    expect(answer.text.length).toBeLessThan(4_000);
    expect(answer.body.details?.[0]?.message).toContain("and 299980 more");
  });

  it("reports cross-field rules with their own text in error and details", async () => {
    const wait = await service.scrape({ url: page, waitFor: 3_000, timeout: 5_000 });
    expect(wait.status).toBe(400);
    expect(wait.body.error).toBe("waitFor must not exceed half of timeout");
    expect(wait.body.details?.[0]).toMatchObject({
      message: "waitFor must not exceed half of timeout",
      path: ["waitFor"],
    });
    for (const [body, text] of [
      [{ formats: ["changeTracking"] }, "markdown"],
      [{ formats: ["screenshot", { type: "screenshot" }] }, "screenshot"],
      [{ formats: ["json"] }, "prompt"],
      [{ location: { country: "xx" } }, "country code"],
      [{ actions: Array.from({ length: 51 }, () => ({ type: "scrape" })) }, "50"],
    ] as const) {
      const answer = await service.scrape({ url: page, ...body });
      expect(answer.status, JSON.stringify(body).slice(0, 80)).toBe(400);
      expect(`${answer.body.error} ${JSON.stringify(answer.body.details)}`).toContain(text);
    }
  });

  it("rejects malformed JSON, JSON that is no object, and a missing body", async () => {
    const broken = await service.ask("/v2/scrape", { method: "POST", body: '{"url": "https://a' });
    expect(broken.status).toBe(400);
    expect(broken.body).toMatchObject({
      success: false,
      code: "BAD_REQUEST_INVALID_JSON",
      error: expect.stringMatching(/^Bad request, malformed JSON: /),
    });
    for (const body of ["[]", "7", '"text"', "null", ""]) {
      const answer = await service.ask("/v2/scrape", { method: "POST", body });
      expect(answer.status, body).toBe(400);
      expect(answer.body.code, body).toBe("BAD_REQUEST");
    }
    const nothing = await service.ask("/v2/scrape", { method: "POST", body: "null" });
    expect(nothing.body.details?.[0]?.message).toContain("not null");
    const none = await service.ask("/v2/scrape", { method: "POST" });
    expect(none.status).toBe(400);
    const poisoned = await service.ask("/v2/scrape", {
      method: "POST",
      body: `{"url":"${page}","__proto__":{"timeout":1}}`,
    });
    expect(poisoned.status, poisoned.text).toBe(400);
  });

  it("answers 413 for 11 MB and keeps the connection usable", async () => {
    const url = `https://example.com/${"a".repeat(11_000_000)}`;
    const answer = await service.scrape({ url });
    expect(answer.status).toBe(413);
    expect(answer.body).toMatchObject({ success: false, code: "PAYLOAD_TOO_LARGE" });
    expect(answer.headers.get("x-request-id")).not.toBeNull();
    const chunked = await fetch(`${service.url}/v2/scrape`, {
      method: "POST",
      headers: { authorization: `Bearer ${service.key}`, "content-type": "application/json" },
      body: new Blob([JSON.stringify({ url })]).stream(),
      duplex: "half",
    } as RequestInit);
    expect(chunked.status).toBe(413);
    expect((await service.scrape({ url: page })).status).toBe(200);
  });

  it("answers 415 for another content type and accepts urlencoded", async () => {
    const xml = await service.ask("/v2/scrape", {
      method: "POST",
      body: "<url/>",
      headers: { "content-type": "application/xml" },
    });
    expect(xml.status).toBe(415);
    const form = await service.ask("/v2/scrape", {
      method: "POST",
      body: new URLSearchParams({ url: page }).toString(),
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    expect(form.status, form.text).toBe(200);
  });

  it("ignores a body on GET and DELETE", async () => {
    const { port } = new URL(service.url);
    const raw = (method: string, path: string): Promise<string> =>
      new Promise((resolve, reject) => {
        const body = '{"integration":"n8n"';
        const socket = connect(Number(port), "127.0.0.1", () =>
          socket.end(
            `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${service.key}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
          ),
        );
        let text = "";
        socket.on("data", (chunk) => (text += chunk.toString()));
        socket.on("end", () => resolve(text));
        socket.on("error", reject);
      });
    expect(await raw("GET", "/v2/team/credit-usage")).toMatch(
      /^HTTP\/1\.1 200 [^]*remainingCredits/,
    );
    expect(await raw("DELETE", `/v2/crawl/${ID}`)).toMatch(/^HTTP\/1\.1 404 /);
  });
});

/** The whole response to bytes that need not be HTTP. */
function sendRaw(bytes: string): Promise<{ status: number; body: unknown; head: string }> {
  const { port } = new URL(service.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), "127.0.0.1", () => socket.write(bytes));
    let text = "";
    socket.on("data", (chunk) => (text += chunk.toString()));
    socket.on("end", () => {
      const [head = "", body = ""] = text.split("\r\n\r\n");
      socket.end();
      resolve({ status: Number(head.split(" ")[1]), body: JSON.parse(body), head });
    });
    socket.on("error", reject);
  });
}

describe.skipIf(isRemote)("requests that are not valid HTTP", () => {
  const close = "Host: localhost\r\nConnection: close\r\n";

  it.each<[name: string, bytes: string, status: number]>([
    ["no HTTP", "hello there\r\n\r\n", 400],
    ["a header over the limit", `GET / HTTP/1.1\r\nx: ${"a".repeat(70_000)}\r\n\r\n`, 431],
    ["an id that cannot be decoded", `GET /v2/scrape/%E0%A4%A HTTP/1.1\r\n${close}\r\n`, 400],
    ["an id without end", `GET /v2/scrape/${"a".repeat(600)} HTTP/1.1\r\n${close}\r\n`, 400],
  ])("answers %s with the standard error body", async (_name, bytes, status) => {
    const answer = await sendRaw(bytes);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ success: false, error: expect.any(String) as string });
    expect(Object.keys(answer.body as object)).not.toContain("statusCode");
  });

  it("rejects path traversal in the documentation as a client error", async () => {
    const answer = await sendRaw(
      `GET /docs/api/static/%2e%2e/%2e%2e/package.json HTTP/1.1\r\n${close}\r\n`,
    );
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(answer.body).toMatchObject({ success: false });
    expect(answer.head).toMatch(/x-request-id: /i);
    expect(service.log()).not.toContain("request failed");
  });
});

describe.skipIf(isRemote)("authentication", () => {
  it("authenticates before reading the body", async () => {
    const broken = { method: "POST", body: '{"url": ' };
    for (const path of ["/v2/scrape", "/v2/crawl", "/v1/scrape"]) {
      expect((await service.ask(path, { ...broken, key: null })).status, path).toBe(401);
      const large = { method: "POST", body: "a".repeat(11_000_000), key: "wrong" };
      expect((await service.ask(path, large)).status, path).toBe(401);
    }
    expect((await service.ask("/v2/scrape", broken)).status).toBe(400);
    expect((await service.ask("/v2/search", broken)).status).toBe(400);
    expect((await service.ask("/v1/deep-research", broken)).status).toBe(501);
  });

  it("answers 401 with the documented texts and no code for a missing or unknown key", async () => {
    for (const [headers, text] of [
      [{}, "Unauthorized"],
      [{ authorization: "Bearer" }, "Unauthorized: Token missing"],
      [{ authorization: "Bearer   " }, "Unauthorized: Token missing"],
      [{ authorization: "Basic abc" }, "Unauthorized: Token missing"],
      [{ authorization: "Bearer fc-wrong" }, "Unauthorized: Invalid token"],
    ] as [Record<string, string>, string][]) {
      for (const [method, path] of [
        ["POST", "/v2/scrape"],
        ["GET", "/v2/team/credit-usage"],
        ["POST", "/v2/crawl"],
        ["POST", "/v1/scrape"],
      ] as const) {
        const answer = await service.ask(path, {
          method,
          key: null,
          headers,
          ...(method === "POST" ? { body: { url: 7 } } : {}),
        });
        expect(answer.status, `${path} ${JSON.stringify(headers)}`).toBe(401);
        expect(JSON.parse(answer.text)).toEqual({
          success: false,
          error: expect.stringContaining(`${text}. Send the header "Authorization: Bearer KEY"`),
        });
      }
    }
  });

  it("reads the authorization scheme case-insensitively", async () => {
    const headers = { authorization: `bearer ${service.key}` };
    expect((await service.ask("/v2/team/queue-status", { key: null, headers })).status).toBe(200);
  });

  it("only keys with the scope admin and the admin token open /admin routes", async () => {
    expect((await service.ask("/admin/keys")).status).toBe(403);
    expect((await service.ask("/admin/keys", { key: null })).status).toBe(401);
    const { adminToken } = service.app;
    expect((await service.ask("/v2/team/credit-usage", { key: adminToken })).status).toBe(401);
  });
});

describe("every response", () => {
  it("sends a request id with every response, the caller's if it is a plain token", async () => {
    for (const [path, status] of [
      ["/v2/team/credit-usage", 200],
      ["/v2/nothing", 404],
      ["/v0/health/liveness", 200],
      [`/v2/crawl/${ID}`, 404],
      [`/v2/agent/${ID}`, 404],
      ["/metrics", 200],
      ["/openapi.json", 200],
      ["/", 200],
    ] as const) {
      const answer = await service.ask(path);
      expect(answer.status, path).toBe(status);
      expect(answer.headers.get("x-request-id"), path).toMatch(/^[0-9a-f-]{36}$/);
    }
    const mine = await service.ask("/v2/nothing", { headers: { "x-request-id": "desk-7.a:b" } });
    expect(mine.headers.get("x-request-id")).toBe("desk-7.a:b");
    const hostile = await service.ask("/v2/nothing", {
      headers: { "x-request-id": "a b<script>" },
    });
    expect(hostile.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.skipIf(isRemote)(
    "logs each response with its id and without keys, passwords and cookies",
    async () => {
      const url = `${site.url.replace("://", "://desk:canary-password@")}/basic-auth?x=1`;
      const headers = { cookie: "pass=canary-cookie", authorization: "Bearer canary-bearer" };
      await service.scrape({ url, headers }, { headers: { "x-request-id": "look-for-me" } });
      await service.scrape({
        url: `${site.url.replace("://", "://desk:canary-password@")}/hang-up`,
      });
      await service.scrape({
        url,
        formats: ["canary-format"],
        headers: { "x-a": "canary-header\n" },
      });
      await service.ask("/v2/scrape", { method: "POST", key: "canary-wrong-key", body: { url } });
      expect(service.log()).toContain('"reqId":"look-for-me"');
      expect(service.log()).not.toContain("canary");
      expect(service.log()).not.toContain(service.key);
      expect(service.log()).not.toContain(service.app.adminToken);
    },
  );
});
