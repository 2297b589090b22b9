// Exported spans, seen by a collector: names, parents, attributes, and one trace over request, job,
// threads and webhook.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { pdfFile } from "../../documents/pdf-file.ts";
import { closeAll, openSite } from "../../http-fetching.ts";
import { startModelServer } from "../../model-server.ts";
import { isRemote, startService, type Service } from "../../service.ts";

afterEach(closeAll);

type Value = {
  readonly stringValue?: string;
  readonly intValue?: number;
  readonly boolValue?: boolean;
};
type Span = {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Value }[];
  readonly status: { readonly code?: number };
};
type Export = {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Span["attributes"] };
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
  }[];
};

/** An OTLP/HTTP collector on loopback. */
async function openCollector() {
  const bodies: string[] = [];
  const headers: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (request.url === "/v1/traces") bodies.push(Buffer.concat(chunks).toString("utf8"));
      headers.push(request.headers["x-team"] as string | undefined);
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const spans = (): Span[] =>
    bodies.flatMap((body) =>
      (JSON.parse(body) as Export).resourceSpans.flatMap(({ scopeSpans }) =>
        scopeSpans.flatMap((scope) => scope.spans),
      ),
    );
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, spans, text: () => bodies.join("\n"), headers };
}

const attribute = (span: Span | undefined, key: string): unknown => {
  const value = span?.attributes.find((one) => one.key === key)?.value;
  return value?.stringValue ?? value?.intValue ?? value?.boolValue;
};

const TRACE_ID = "0af7651916cd43dd8448eb211c80319c";
const PARENT_ID = "b7ad6b7169203331";
const TRACEPARENT = `00-${TRACE_ID}-${PARENT_ID}-01`;

/** Too long to be stored within its row. */
const LONG = `<p>${Array.from({ length: 20_000 }, (_, index) => `w${(index * 7_919 * 104_729) % 999_983}`).join(" ")}</p>`;

const html = (title: string, links = ""): string =>
  `<title>${title}</title><main><h1>${title}</h1><p>${"Words of the secret-page-text. ".repeat(20)}</p>${links}</main>`;

async function post(
  service: Service,
  path: string,
  body: object,
): Promise<Record<string, unknown>> {
  const response = await fetch(`${service.url}${path}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${service.key}`,
      "content-type": "application/json",
      traceparent: TRACEPARENT,
    },
    body: JSON.stringify(body),
  });
  return (await response.json()) as Record<string, unknown>;
}

async function startTraced(url: string, more: object = {}): Promise<Service> {
  const service = await startService(undefined, {
    egressAllow: ["127.0.0.1", "localhost"],
    otlpEndpoint: url,
    // A fast machine reaches the default limit within one crawl.
    tracesPerSecond: 0,
    ...more,
  });
  onTestFinished(() => service.close());
  return service;
}

describe.skipIf(isRemote)("tracing", () => {
  it("exports one trace over the request, the job, its pages and its webhook", async () => {
    const collector = await openCollector();
    const received: (string | string[] | undefined)[] = [];
    const { base } = await openSite((request, response) => {
      const path = request.url ?? "/";
      if (path === "/hook") {
        received.push(request.headers["traceparent"]);
        response.writeHead(200).end();
      } else if (path === "/robots.txt")
        response.writeHead(200, { "content-type": "text/plain" }).end("User-agent: *\nAllow: /");
      else
        response
          .writeHead(200, { "content-type": "text/html" })
          .end(html(path, `<a href="/a">a</a> <a href="/b">b</a>${LONG}`));
    });
    const service = await startTraced(collector.url);
    const { id } = await post(service, "/v2/crawl", {
      url: `${base}/`,
      limit: 3,
      webhook: { url: `${base}/hook`, events: ["completed"] },
    });
    expect(id).toBeTypeOf("string");
    await expect.poll(() => received.length, { timeout: 20_000 }).toBe(1);
    await service.stop();

    const spans = collector.spans();
    const own = spans.filter(({ traceId }) => traceId === TRACE_ID);
    const request = own.find(({ name }) => name === "POST /v2/crawl");
    expect(request?.parentSpanId).toBe(PARENT_ID);
    expect(attribute(request, "http.response.status_code")).toBe(200);
    const byId = new Map(own.map((span) => [span.spanId, span]));
    const pages = own.filter(({ name }) => name === "crawl.page");
    expect(pages.length).toBe(3);
    for (const page of pages) {
      expect(page.parentSpanId).toBe(request?.spanId);
      expect(attribute(page, "quarry.job.id")).toBe(id);
      expect(attribute(page, "quarry.outcome")).toBe("document");
      expect(attribute(page, "http.response.status_code")).toBe(200);
    }
    const parentsOf = (name: string): (string | undefined)[] => [
      ...new Set(
        own
          .filter((span) => span.name === name)
          .map(({ parentSpanId }) => byId.get(parentSpanId ?? "")?.name),
      ),
    ];
    expect({
      "queue.claim": parentsOf("queue.claim"),
      robots: parentsOf("robots"),
      "host.wait": parentsOf("host.wait"),
      "engine.attempt": parentsOf("engine.attempt"),
      "engine.fetch": parentsOf("engine.fetch"),
      convert: parentsOf("convert"),
      "convert.parse": parentsOf("convert.parse"),
      "http.first_byte": parentsOf("http.first_byte").includes("engine.fetch"),
      "job.run": parentsOf("job.run"),
      "queue.wait": new Set(parentsOf("queue.wait")),
      "webhook.deliver": parentsOf("webhook.deliver"),
    }).toEqual({
      "queue.claim": ["crawl.page"],
      robots: ["crawl.page"],
      "host.wait": ["crawl.page"],
      "engine.attempt": ["crawl.page"],
      "engine.fetch": ["engine.attempt"],
      convert: ["engine.attempt"],
      "convert.parse": ["convert"],
      "http.first_byte": true,
      "job.run": ["POST /v2/crawl"],
      "queue.wait": new Set(["crawl.page", "job.run"]),
      "webhook.deliver": ["POST /v2/crawl"],
    });
    const names = new Set(spans.map(({ name }) => name));
    for (const name of ["connect", "blob.put", "db.group_commit"]) expect(names).toContain(name);
    const attempt = own.find(({ name }) => name === "engine.attempt");
    expect(attribute(attempt, "quarry.engine")).toBe("http");
    expect(attribute(attempt, "quarry.verdict")).toBe("content");
    const delivery = own.find(({ name }) => name === "webhook.deliver");
    expect(received).toEqual([`00-${TRACE_ID}-${delivery?.spanId}-01`]);
    for (const span of own)
      expect(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano)).toBe(true);
  }, 60_000);

  it("exports the spans of name lookup, browser, document, model and storage for one crawl", async () => {
    const collector = await openCollector();
    await using model = await startModelServer({
      turns: () => ({ json: { data: { advice: "Keep the secret-answer dry." } } }),
    });
    const { base } = await openSite((request, response) => {
      const path = request.url ?? "/";
      if (path === "/robots.txt") response.writeHead(404).end();
      else if (path === "/prices.pdf")
        response
          .writeHead(200, { "content-type": "application/pdf" })
          .end(pdfFile([{ lines: [{ x: 72, y: 72, text: "Prices of the secret-page-text" }] }]));
      else
        response
          .writeHead(200, { "content-type": "text/html" })
          .end(html("start", `<a href="/prices.pdf">prices</a>${LONG}`));
    });
    const service = await startTraced(collector.url, {
      egressAllow: ["127.0.0.1"],
      model: "openai-compatible/scripted",
      modelBaseUrl: model.baseUrl,
    });
    const advice = { type: "object", properties: { advice: { type: "string" } } };
    const { id } = await post(service, "/v2/crawl", {
      url: `${base}/`,
      limit: 2,
      scrapeOptions: {
        formats: [
          "markdown",
          "screenshot",
          { type: "json", prompt: "What should the reader do? secret-prompt", schema: advice },
        ],
        waitFor: 1,
      },
    });
    await expect
      .poll(async () => (await service.ask(`/v2/crawl/${String(id)}`)).body)
      .toMatchObject({ status: "completed", completed: 2 });
    // The name is looked up and does not exist.
    await post(service, "/v2/scrape", { url: "http://no-such-host.invalid/", timeout: 20_000 });
    await service.stop();

    const own = collector.spans().filter(({ traceId }) => traceId === TRACE_ID);
    const byId = new Map(own.map((span) => [span.spanId, span]));
    /** Names of the parents of all spans with this name. */
    const parentsOf = (name: string): string[] =>
      own
        .filter((span) => span.name === name)
        .map(({ parentSpanId }) => byId.get(parentSpanId ?? "")?.name ?? "none");
    const phases = ["open", "navigate", "settle", "screenshot", "read"];
    for (const phase of phases)
      expect(new Set(parentsOf(`browser.${phase}`)), phase).toEqual(new Set(["engine.fetch"]));
    expect(parentsOf("document.parse")).toEqual(["engine.attempt"]);
    expect(new Set(parentsOf("dns.lookup"))).toEqual(new Set(["connect"]));
    expect(parentsOf("chat openai-compatible/scripted").length).toBe(model.answered.length);
    expect(new Set(parentsOf("chat openai-compatible/scripted"))).toEqual(new Set(["understand"]));
    for (const name of ["blob.put", "db.group_commit", "connect", "understand"])
      expect(parentsOf(name).length, name).toBeGreaterThan(0);
    const call = own.find(({ name }) => name.startsWith("chat "));
    expect(attribute(call, "gen_ai.request.model")).toContain("scripted");
    expect(Number(attribute(call, "gen_ai.usage.input_tokens"))).toBeGreaterThan(0);
    const engines = own.filter(({ name }) => name === "engine.attempt");
    expect(new Set(engines.map((span) => attribute(span, "quarry.engine")))).toEqual(
      new Set(["browser", "http"]),
    );
    for (const secret of ["secret-page-text", "secret-prompt", "secret-answer"])
      expect(collector.text()).not.toContain(secret);
  }, 120_000);

  it("records no key, no page text and no password of a URL, and sends the configured headers", async () => {
    const collector = await openCollector();
    const { base } = await openSite((_request, response) => {
      response.writeHead(200, { "content-type": "text/html" }).end(html("secret-title"));
    });
    const { Secret } = await import("../../../src/settings/secret.ts");
    const service = await startTraced(collector.url, {
      otlpHeaders: new Secret("x-team=blue%20one"),
    });
    const url = base.replace("http://", "http://someone:hunter2@");
    const answer = await post(service, "/v2/scrape", { url: `${url}/?token=tok123` });
    expect(answer).toMatchObject({ success: true });
    await service.stop();
    const text = collector.text();
    expect(text).toContain("POST /v2/scrape");
    for (const secret of [service.key, "hunter2", "tok123", "secret-title", "secret-page-text"])
      expect(text).not.toContain(secret);
    expect(new Set(collector.headers)).toEqual(new Set(["blue one"]));
    const line = service
      .log()
      .split("\n")
      .find((one) => one.includes('"scraped"'));
    expect(JSON.parse(line ?? "{}")).toMatchObject({
      traceId: TRACE_ID,
      host: new URL(base).host,
      engine: "http",
      verdict: "content",
      credits: 1,
    });
    expect(line).toContain('"key":');
    expect(line).not.toContain("hunter2");
  }, 30_000);

  it("continues the trace of an MCP call in the request behind it", async () => {
    const collector = await openCollector();
    const { base } = await openSite((_request, response) => {
      response.writeHead(200, { "content-type": "text/html" }).end(html("page"));
    });
    const service = await startTraced(collector.url);
    const client = new Client({ name: "test", version: "1" });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), {
        requestInit: {
          headers: { authorization: `Bearer ${service.key}`, traceparent: TRACEPARENT },
        },
      }),
    );
    await client.callTool({ name: "read", arguments: { target: `${base}/` } });
    await client.close();
    await service.stop();
    const own = collector.spans().filter(({ traceId }) => traceId === TRACE_ID);
    const calls = new Set(
      own.filter(({ name }) => name === "POST /mcp").map(({ spanId }) => spanId),
    );
    const inner = own.filter(({ name }) => name.startsWith("POST /v2/"));
    expect(inner.length).toBeGreaterThan(0);
    for (const { parentSpanId } of inner) expect(calls.has(parentSpanId ?? "")).toBe(true);
  }, 60_000);

  it("records no host of pages with zero data retention", async () => {
    const collector = await openCollector();
    const { base } = await openSite((_request, response) => {
      response.writeHead(200, { "content-type": "text/html" }).end(html("page"));
    });
    const service = await startTraced(collector.url);
    const page = { zeroDataRetention: true };
    expect(await post(service, "/v2/scrape", { url: `${base}/`, ...page })).toMatchObject({
      success: true,
    });
    const { id } = await post(service, "/v2/crawl", { url: `${base}/`, scrapeOptions: page });
    await expect
      .poll(async () => (await service.ask(`/v2/crawl/${String(id)}`)).body["status"])
      .toBe("completed");
    await service.stop();
    expect(collector.text()).toContain("POST /v2/scrape");
    expect(collector.text()).not.toContain(new URL(base).host);
    expect(collector.spans().map(({ name }) => name)).not.toContain("crawl.page");
  }, 30_000);

  it("exports nothing of a request whose caller does not sample it", async () => {
    const collector = await openCollector();
    const { base } = await openSite((_request, response) => {
      response.writeHead(200, { "content-type": "text/html" }).end(html("page"));
    });
    const service = await startTraced(collector.url);
    const { status } = await fetch(`${service.url}/v2/scrape`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${service.key}`,
        "content-type": "application/json",
        traceparent: TRACEPARENT.replace(/01$/, "00"),
      },
      body: JSON.stringify({ url: `${base}/` }),
    });
    expect(status).toBe(200);
    await service.stop();
    expect(collector.text()).not.toContain(TRACE_ID);
  }, 30_000);

  it("exports nothing with a sample ratio of 0", async () => {
    const collector = await openCollector();
    const { base } = await openSite((_request, response) => {
      response.writeHead(200, { "content-type": "text/html" }).end(html("page"));
    });
    const service = await startTraced(collector.url, { otelSampleRatio: "0" });
    expect((await service.scrape({ url: `${base}/` })).status).toBe(200);
    await service.stop();
    expect(collector.spans()).toEqual([]);
  }, 30_000);
});
