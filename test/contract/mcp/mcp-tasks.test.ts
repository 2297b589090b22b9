// Long calls of the MCP server: tasks, progress, polling and cancelling.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import {
  createTaskSessionFromClient,
  resultFromTaskOutcome,
} from "@modelcontextprotocol/ext-tasks/client";
import type { JsonValue } from "@modelcontextprotocol/ext-tasks/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeAll, openSite } from "../../http-fetching.ts";
import { callTool, joinText } from "../../mcp.ts";
import { isRemote, startService, type Service } from "../../service.ts";

const VERSION = "2026-07-28";
const TASKS = "io.modelcontextprotocol/tasks";
const PAGES = 12;

let base: string;
let service: Service;
const clients: Client[] = [];
/** Milliseconds that the site takes for a page. */
let pageMs = 20;
beforeAll(async () => {
  if (isRemote) return;
  ({ base } = await openSite((request, response) => {
    const { url = "/" } = request;
    if (url === "/robots.txt" || url === "/sitemap.xml") {
      response.writeHead(404).end();
      return;
    }
    // Each test has a folder of its own, so that no page is in the cache.
    const folder = url.split("/")[1] ?? "";
    const links = Array.from(
      { length: PAGES },
      (_, at) => `<a href="/${folder}/${at}">page ${at}</a>`,
    );
    setTimeout(() => {
      response.writeHead(200, { "content-type": "text/html" });
      response.end(
        `<title>Page ${url}</title><main><h1>Page ${url}</h1><p>The harbour of ${url} has boats of its own, and a pier for each of them.</p>${links.join(" ")}</main>`,
      );
    }, pageMs);
  }));
  service = await startService(undefined, { egressAllow: ["127.0.0.1"] });
});
afterAll(async () => {
  if (isRemote) return;
  for (const client of clients) await client.close();
  await service.close();
  await closeAll();
});

async function connect(mode: "legacy" | { readonly pin: string }): Promise<Client> {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${service.url}/mcp?tools=all`), {
      requestInit: { headers: { authorization: `Bearer ${service.key}` } },
    }),
  );
  clients.push(client);
  return client;
}

type Reply = { readonly result?: JsonValue; readonly error?: { code: number; message: string } };

/** Sends one request of the 2026-07-28 protocol, which a plain POST can do. */
async function post(request: Record<string, unknown>): Promise<Reply> {
  const { method, params = {} } = request as {
    method: string;
    params?: Record<string, unknown>;
  };
  const name = params["taskId"] ?? params["name"];
  const response = await fetch(`${service.url}/mcp?tools=all`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${service.key}`,
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "mcp-protocol-version": VERSION,
      "mcp-method": method,
      ...(typeof name === "string" ? { "mcp-name": name } : {}),
    },
    body: JSON.stringify(request),
  });
  const text = await response.text();
  const line = text.split("\n").findLast((part) => part.startsWith("data: ")) ?? text;
  return JSON.parse(line.replace(/^data: /, "")) as Reply;
}

const CAPABILITIES = { extensions: { [TASKS]: {} } };

async function openTaskSession() {
  const client = await connect({ pin: VERSION });
  return createTaskSessionFromClient(client, {
    endpointId: "test",
    rawDispatch: async (request) => {
      const whole = { jsonrpc: "2.0", id: 1, ...(request as Record<string, unknown>) };
      const { result, error } = await post(whole);
      return error === undefined
        ? { kind: "result", result: result ?? null }
        : { kind: "error", error };
    },
    v2RequestFraming: {
      protocolVersion: VERSION,
      clientInfo: { name: "test", version: "1" },
      clientCapabilities: CAPABILITIES,
    },
  });
}

const call = (name: string, args: object, capabilities: object = CAPABILITIES) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name, arguments: args, _meta: meta(capabilities) },
});
const meta = (capabilities: object) => ({
  "io.modelcontextprotocol/protocolVersion": VERSION,
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": capabilities,
});
const onTask = (method: string, taskId: string, capabilities: object = CAPABILITIES) => ({
  jsonrpc: "2.0",
  id: 2,
  method,
  params: { taskId, _meta: meta(capabilities) },
});

describe.skipIf(isRemote)("MCP tasks", () => {
  it("crawl runs as a task for the tasks extension's own client, to the same answer", async () => {
    pageMs = 20;
    await using session = await openTaskSession();
    const execution = await session.callTool("crawl", { url: `${base}/whole/`, limit: 5 });
    const { outcome } = await execution.settle();
    const result = resultFromTaskOutcome(outcome) as unknown as {
      structuredContent: { status: string; entries: { handle: string }[] };
    };
    expect(result.structuredContent).toMatchObject({ status: "completed", completed: 5 });
    expect(result.structuredContent.entries).toHaveLength(5);
    expect(result.structuredContent.entries[0]?.handle).toMatch(/^quarry:\/\/capture\//);
  }, 60_000);

  it("tasks/get returns the progress of a task and tasks/cancel ends its crawl", async () => {
    pageMs = 1_000;
    const started = (await post(call("crawl", { url: `${base}/cancelled/`, limit: PAGES })))
      .result as unknown as { taskId: string; status: string; resultType: string };
    expect(started).toMatchObject({ resultType: "task", status: "working" });
    const read = async () =>
      (await post(onTask("tasks/get", started.taskId))).result as Record<string, unknown>;
    expect(await read()).toMatchObject({
      status: "working",
      statusMessage: expect.stringMatching(/^\d+ of \d+ pages$/) as string,
      ttlMs: expect.any(Number) as number,
      pollIntervalMs: expect.any(Number) as number,
    });
    await post(onTask("tasks/cancel", started.taskId));
    await expect.poll(read, { timeout: 20_000 }).toMatchObject({ status: "cancelled" });
    // The crawl's own id is in the task's.
    const job = started.taskId.split(":")[1] ?? "";
    expect((await service.client.crawlJob(job).status()).status).toBe("cancelled");
  }, 60_000);

  it("tasks/get refuses unknown tasks and those of other accounts", async () => {
    const unknown = await post(onTask("tasks/get", "crawl:nothing:8000"));
    expect(unknown.error).toMatchObject({ code: -32602 });
    const gone = await post(onTask("tasks/get", "crawl:0199f0c1-0000-7000-8000-000000000000:8000"));
    expect(gone.error).toMatchObject({
      code: -32602,
      message: expect.stringContaining("NOT_FOUND") as string,
    });
  });

  it.each(["tasks/get", "tasks/update", "tasks/cancel"])(
    "%s answers -32021 to a client that does not declare the tasks extension",
    async (method) => {
      const { error } = await post(onTask(method, "crawl:nothing:8000", {}));
      expect(error).toMatchObject({
        code: -32021,
        data: { requiredCapabilities: { extensions: { [TASKS]: {} } } },
      });
    },
  );

  it("a client without the tasks extension gets the job to poll", async () => {
    pageMs = 20;
    const { result } = await post(call("crawl", { url: `${base}/polled/`, limit: 2 }, {}));
    expect(result).toMatchObject({ resultType: "complete" });
    expect(result).not.toHaveProperty("taskId");
  }, 30_000);

  it.each(["legacy", VERSION])(
    "a crawl reports progress to a client that asks for it (%s)",
    async (version) => {
      pageMs = 300;
      const client = await connect(version === "legacy" ? "legacy" : { pin: version });
      const seen: { progress: number; total?: number | undefined }[] = [];
      const result = await client.callTool(
        { name: "crawl", arguments: { url: `${base}/${version}/`, limit: 6 } },
        { onprogress: ({ progress, total }) => void seen.push({ progress, total }) },
      );
      expect(result.structuredContent, joinText(result as never)).toMatchObject({
        status: "completed",
      });
      expect(seen.length).toBeGreaterThan(0);
      const numbers = seen.map(({ progress }) => progress);
      expect(numbers).toEqual([...numbers].sort((one, other) => one - other));
    },
    60_000,
  );
});

describe.skipIf(isRemote)("MCP extractors", () => {
  it("extractor learns from pages, lists, runs and deletes", async () => {
    pageMs = 5;
    const client = await connect({ pin: VERSION });
    const urls = [`${base}/p/1`, `${base}/p/2`];
    const schema = { type: "object", properties: { title: { type: "string" } } };
    const made = await callTool(client, "extractor", { learn: true, urls, schema, name: "pages" });
    expect(made.isError, joinText(made)).toBeFalsy();
    const { extractors } = made.structuredContent as { extractors: { id: string }[] };
    const id = extractors[0]?.id;
    const listed = await callTool(client, "extractor", {});
    expect(listed.structuredContent).toMatchObject({ extractors: [{ id, name: "pages" }] });
    const ran = await callTool(client, "extractor", { id, urls: [`${base}/p/7`] });
    expect(JSON.parse(ran.structuredContent?.["data"] as string)).toMatchObject([
      { url: `${base}/p/7`, json: { title: "Page /p/7" } },
    ]);
    await callTool(client, "extractor", { id, remove: true });
    expect((await callTool(client, "extractor", {})).structuredContent).toMatchObject({
      extractors: [],
    });
    const wrong = await callTool(client, "extractor", { urls });
    expect([wrong.isError, joinText(wrong)]).toEqual([true, expect.stringContaining("id")]);
  }, 60_000);

  it("extractor lists more extractors than the API lists at once, each exactly once", async () => {
    const program = { version: 1, fields: { title: { type: "string", path: "h1" } } };
    const made = new Set<unknown>();
    for (let at = 0; at < 230; at++) {
      const { body } = await service.ask("/v2/extractors", { method: "POST", body: { program } });
      made.add(body.data?.["id"]);
    }
    const client = await connect({ pin: VERSION });
    const listed: string[] = [];
    let skip: number | undefined = 0;
    while (skip !== undefined) {
      const { structuredContent } = await callTool(client, "extractor", {
        skip,
        maxTokens: 20_000,
      });
      const found = structuredContent as { extractors: { id: string }[]; nextSkip?: number };
      listed.push(...found.extractors.map(({ id }) => id));
      skip = found.nextSkip;
    }
    expect(listed).toHaveLength(made.size);
    expect(new Set(listed)).toEqual(made);
  }, 60_000);
});
