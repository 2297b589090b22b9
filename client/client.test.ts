import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { afterEach, describe, expect, it } from "vitest";
import { QuarryClient } from "./client.ts";
import {
  BadRequestError,
  ConflictError,
  ConnectionError,
  ForbiddenError,
  NotFoundError,
  NotImplementedError,
  PaymentRequiredError,
  QuarryApiError,
  RateLimitError,
  ServerError,
  TimeoutError,
  UnauthorizedError,
} from "./errors.ts";
import type { Clock } from "./retry.ts";
import { CLIENT_VERSION } from "./version.ts";
import clientPackage from "./package.json" with { type: "json" };

type Seen = { method: string; url: string; headers: IncomingHttpHeaders; body: unknown };
type Answer = { status?: number; headers?: Record<string, string>; body?: unknown; text?: string };

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/**
 * A server that gives the answers in turn and repeats the last; `"hang"` never answers, `"drop"`
 * closes the connection.
 */
async function buildServer(...answers: (Answer | "hang" | "drop")[]) {
  const seen: Seen[] = [];
  const arrivals = new EventTarget();
  const reply = (response: ServerResponse, answer: Answer): void => {
    response.writeHead(answer.status ?? 200, {
      "content-type": answer.text === undefined ? "application/json" : "text/html",
      ...answer.headers,
    });
    response.end(answer.text ?? JSON.stringify(answer.body ?? {}));
  };
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8");
    request.on("data", (part: string) => (text += part));
    request.on("end", () => {
      seen.push({
        method: request.method ?? "",
        url: request.url ?? "",
        headers: request.headers,
        body: text === "" ? undefined : JSON.parse(text),
      });
      const answer = answers[Math.min(seen.length, answers.length) - 1] ?? {};
      if (answer === "drop") request.socket.destroy();
      else if (answer !== "hang") reply(response, answer);
      arrivals.dispatchEvent(new Event("request"));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  const { port } = server.address() as AddressInfo;
  return { apiUrl: `http://127.0.0.1:${port}`, seen, nextRequest: once(arrivals, "request") };
}

/** A clock that skips waits, so that retries take no time. */
function buildClock(): Clock & { waits: number[] } {
  const waits: number[] = [];
  return { waits, now: () => Date.now(), sleep: (ms) => (waits.push(ms), Promise.resolve()) };
}

const page = { success: true, data: { markdown: "# Hello", metadata: { statusCode: 200 } } };

describe("scrape", () => {
  it("posts url and parameters with key and origin and returns the document", async () => {
    const server = await buildServer({ body: page });
    const client = new QuarryClient({ apiUrl: server.apiUrl, apiKey: "fc-1" });
    const document = await client.scrape("https://example.com/", {
      formats: ["markdown", "links"],
      onlyMainContent: false,
    });
    expect(document).toEqual(page.data);
    expect(server.seen).toHaveLength(1);
    expect(server.seen[0]).toMatchObject({
      method: "POST",
      url: "/v2/scrape",
      headers: {
        authorization: "Bearer fc-1",
        accept: "application/json",
        "content-type": "application/json",
      },
      body: {
        url: "https://example.com/",
        formats: ["markdown", "links"],
        onlyMainContent: false,
        origin: `quarry-client@${CLIENT_VERSION}`,
      },
    });
  });

  it("sends no Authorization header without a key", async () => {
    const server = await buildServer({ body: page });
    for (const apiKey of [undefined, "", " \n"]) {
      await new QuarryClient({ apiUrl: server.apiUrl, apiKey }).scrape("https://example.com/");
    }
    const keys = server.seen.map((request) => request.headers.authorization);
    expect(keys).toEqual([undefined, undefined, undefined]);
  });

  it("trims the line break of a key file and rejects a key that is invalid in a header", async () => {
    const server = await buildServer({ body: page });
    const client = new QuarryClient({ apiUrl: server.apiUrl, apiKey: "fc-1\n" });
    await client.scrape("https://example.com/");
    expect(server.seen[0]?.headers.authorization).toBe("Bearer fc-1");
    for (const apiKey of ["fc-1…", "fc-1\r\nx-admin: 1", "fc 1"]) {
      const build = () => new QuarryClient({ apiKey });
      expect(build).toThrow(TypeError);
      expect(build).not.toThrow(apiKey);
    }
  });

  it("throws on success:false with status 200, as for an unresolvable host", async () => {
    const server = await buildServer({
      body: { success: false, code: "SCRAPE_DNS_RESOLUTION_ERROR", error: "No such host." },
      headers: { "x-request-id": "r-9" },
    });
    const error = await new QuarryClient({ apiUrl: server.apiUrl })
      .scrape("https://nowhere.invalid/")
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(QuarryApiError);
    expect(error).toMatchObject({
      code: "SCRAPE_DNS_RESOLUTION_ERROR",
      status: 200,
      message: "No such host.",
      requestId: "r-9",
      retryable: false,
    });
    expect(server.seen).toHaveLength(1);
  });

  it("returns the document of a page that answered 404", async () => {
    const data = { markdown: "Gone", metadata: { statusCode: 404, error: "Not Found" } };
    const server = await buildServer({ body: { success: true, data } });
    const client = new QuarryClient({ apiUrl: server.apiUrl });
    expect(await client.scrape("https://example.com/gone")).toEqual(data);
  });
});

describe("errors", () => {
  it.each([
    [400, BadRequestError],
    [401, UnauthorizedError],
    [402, PaymentRequiredError],
    [403, ForbiddenError],
    [404, NotFoundError],
    [408, TimeoutError],
    [409, ConflictError],
    [429, RateLimitError],
    [500, ServerError],
    [501, NotImplementedError],
  ] as const)("throws status %i as its own class after one attempt", async (status, expected) => {
    const body = { success: false, error: "text of the server", details: [{ path: ["url"] }] };
    const server = await buildServer({ status, body });
    const client = new QuarryClient({ apiUrl: server.apiUrl, retries: 0 });
    const error = await client.creditUsage().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(expected);
    expect(error).toMatchObject({
      name: expected.name,
      status,
      message: "text of the server",
      details: body.details,
    });
    expect(server.seen).toHaveLength(1);
  });

  it("names a response that is not from an API", async () => {
    const server = await buildServer({ text: "<h1>It works!</h1>" });
    const client = new QuarryClient({ apiUrl: server.apiUrl });
    await expect(client.queueStatus()).rejects.toMatchObject({
      code: "INVALID_RESPONSE",
      status: 200,
    });
  });

  it("keeps the status of a gateway's 500 page", async () => {
    const server = await buildServer({ status: 500, text: "<h1>Oops</h1>" });
    await expect(new QuarryClient({ apiUrl: server.apiUrl }).activity()).rejects.toMatchObject({
      name: "ServerError",
      code: "UNKNOWN_ERROR",
    });
  });

  it("throws ConnectionError with a cause for a dropped or refused connection", async () => {
    const server = await buildServer("drop");
    for (const apiUrl of [server.apiUrl, "http://127.0.0.1:1"]) {
      const error = await new QuarryClient({ apiUrl })
        .capabilities()
        .catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ConnectionError);
      expect((error as Error).cause).toBeInstanceOf(TypeError);
    }
    expect(server.seen).toHaveLength(1);
  });

  it("shows the key neither in errors nor when the client is printed", async () => {
    const server = await buildServer({ status: 401, body: { success: false, error: "no" } });
    const client = new QuarryClient({ apiUrl: server.apiUrl, apiKey: "fc-secret" });
    const error = await client.creditUsage().catch((thrown: unknown) => thrown);
    expect(inspect([error, client], { depth: 9, showHidden: true })).not.toContain("fc-secret");
  });
});

describe("retries over the wire", () => {
  it("retries two 502 answers and returns the third", async () => {
    const bad = { status: 502, text: "<h1>Bad Gateway</h1>" };
    const server = await buildServer(bad, bad, { body: page });
    const clock = buildClock();
    const client = new QuarryClient({ apiUrl: server.apiUrl, clock });
    expect(await client.scrape("https://example.com/")).toEqual(page.data);
    expect(server.seen).toHaveLength(3);
    expect(server.seen[2]?.body).toEqual(server.seen[0]?.body);
    expect(clock.waits).toEqual([500, 1_000]);
  });

  it("retries a 429 after its Retry-After", async () => {
    const busy = {
      status: 429,
      headers: { "retry-after": "3" },
      body: { success: false, code: "RATE_LIMITED", error: "Slow down." },
    };
    const server = await buildServer(busy, { body: page });
    const clock = buildClock();
    await new QuarryClient({ apiUrl: server.apiUrl, clock }).scrapeResult("7");
    expect(clock.waits).toEqual([3_000]);
  });

  it("throws a Retry-After beyond the call's time with its wait", async () => {
    const server = await buildServer({ status: 429, headers: { "retry-after": "3600" } });
    const client = new QuarryClient({ apiUrl: server.apiUrl, timeoutMs: 5_000 });
    await expect(client.tokenUsage()).rejects.toMatchObject({
      name: "RateLimitError",
      retryAfterMs: 3_600_000,
    });
    expect(server.seen).toHaveLength(1);
  });

  it("requests health once and does not retry a not-ready response", async () => {
    const server = await buildServer({ status: 503, body: { status: "unavailable" } });
    const client = new QuarryClient({ apiUrl: server.apiUrl });
    await expect(client.health()).rejects.toMatchObject({ status: 503 });
    expect(server.seen).toHaveLength(1);
  });
});

describe("time and abort", () => {
  it("waits half a minute longer than a scrape's timeout, and than the widened default", async () => {
    const busy = { status: 503, headers: { "retry-after": "140" } };
    const waitsWith = async (timeout: number | undefined, timeoutMs?: number) => {
      const server = await buildServer(busy, { body: page });
      const clock = buildClock();
      const client = new QuarryClient({ apiUrl: server.apiUrl, clock });
      const call = client.scrape("https://example.com/", { timeout }, { timeoutMs });
      return call.then(
        () => clock.waits,
        () => "gave up",
      );
    };
    expect(await waitsWith(30_000)).toEqual([140_000]);
    expect(await waitsWith(100_000)).toBe("gave up");
    expect(await waitsWith(111_000)).toEqual([140_000]);
    expect(await waitsWith(undefined)).toEqual([140_000]);
    expect(await waitsWith(300_000, 5_000)).toBe("gave up");
  });

  it("throws TimeoutError when a server never answers", async () => {
    const server = await buildServer("hang");
    const client = new QuarryClient({ apiUrl: server.apiUrl, timeoutMs: 60 });
    const error = await client.creditUsage().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ code: "CLIENT_TIMEOUT", status: undefined, retryable: true });
  });

  it("does not wait for a fetch that ignores its signal", async () => {
    const client = new QuarryClient({ fetch: () => new Promise(() => {}), timeoutMs: 20 });
    await expect(client.health()).rejects.toMatchObject({ code: "CLIENT_TIMEOUT" });
  });

  it("throws the caller's abort reason", async () => {
    const server = await buildServer("hang");
    const controller = new AbortController();
    const call = new QuarryClient({ apiUrl: server.apiUrl }).scrape(
      "https://example.com/",
      {},
      { signal: controller.signal },
    );
    await server.nextRequest;
    const reason = new Error("the user left");
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
  });

  it("an abort ends the wait between two attempts", async () => {
    const server = await buildServer({ status: 503, headers: { "retry-after": "250" } });
    const controller = new AbortController();
    const clock: Clock = {
      now: () => Date.now(),
      sleep: (_ms, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason as Error));
          controller.abort(new Error("enough"));
        }),
    };
    const client = new QuarryClient({ apiUrl: server.apiUrl, clock });
    await expect(client.health({ signal: AbortSignal.abort(new Error("early")) })).rejects.toThrow(
      "early",
    );
    expect(server.seen).toHaveLength(0);
    await expect(client.creditUsage({ signal: controller.signal })).rejects.toThrow("enough");
    expect(server.seen).toHaveLength(1);
  });

  it("leaves no listener on a signal that outlives the call", async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const [add, remove] = [
      signal.addEventListener.bind(signal),
      signal.removeEventListener.bind(signal),
    ];
    signal.addEventListener = ((...rest: Parameters<typeof add>) => (
      listeners++,
      add(...rest)
    )) as typeof add;
    signal.removeEventListener = ((...rest: Parameters<typeof remove>) => (
      listeners--,
      remove(...rest)
    )) as typeof remove;
    await new QuarryClient({ fetch: async () => Response.json({ status: "ok" }) }).health({
      signal,
    });
    expect(listeners).toBe(0);
  });
});

describe("URLs", () => {
  it("keeps a path prefix, drops the last slash, encodes ids and queries", async () => {
    const urls: string[] = [];
    const client = new QuarryClient({
      apiUrl: "https://example.com/quarry/",
      fetch: async (url) => (
        urls.push(url),
        Response.json({ success: true, data: {}, periods: [] })
      ),
    });
    await client.scrapeResult("../a b");
    await client.creditUsageHistory({ byApiKey: true });
    await client.tokenUsageHistory();
    await client.activity({ endpoint: "scrape", limit: 2, cursor: "a&b" });
    await client.queueStatus();
    await client.concurrency();
    await client.capabilities();
    await client.health();
    expect(urls.map((url) => url.replace("https://example.com/quarry", ""))).toEqual([
      "/v2/scrape/..%2Fa%20b",
      "/v2/team/credit-usage/historical?byApiKey=true",
      "/v2/team/token-usage/historical",
      "/v2/team/activity?endpoint=scrape&limit=2&cursor=a%26b",
      "/v2/team/queue-status",
      "/v2/concurrency-check",
      "/v2/capabilities",
      "/v0/health/readiness",
    ]);
  });

  it("rejects an apiUrl that is not http or https", () => {
    for (const apiUrl of ["", "localhost:3002", "ftp://example.com", "/v2"]) {
      expect(() => new QuarryClient({ apiUrl }), apiUrl).toThrow(TypeError);
    }
  });

  it("sends the version of its package", () => {
    expect(CLIENT_VERSION).toBe(clientPackage.version);
  });
});
