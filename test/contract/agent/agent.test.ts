// The agent over HTTP: starting, reading, listing and cancelling runs, their scope and their
// credits. Without a language model it uses rules and says so.
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { agentListResponseSchema } from "../../../src/contract/jobs/agent.ts";
import { agentThreadResponseSchema } from "../../../src/contract/jobs/agent-trace.ts";
import type { WebhookEvent } from "../../../src/contract/jobs/webhook.ts";
import { agentCalls } from "../../agent-runs.ts";
import { shareService, type Service } from "../../service.ts";
import { docsSite, orderingSite, startPages, type PageSite } from "../../site/agent-sites.ts";

let service: Service;
let docs: PageSite;
let canary: PageSite;
let orders: PageSite;
const { start, read, finish, run, trace } = agentCalls(() => service);
const ID = "0199f0c0-0000-7000-8000-000000000000";
/** A look-up that the table of the documentation answers. */
const LIMIT = {
  prompt: "Upload limit of the Team plan",
  schema: { type: "object", properties: { uploadLimit: { type: "string" } } },
};

beforeAll(async () => {
  docs = await startPages(docsSite());
  canary = await startPages({});
  orders = await startPages(orderingSite(canary.url));
  service = await shareService();
});
afterAll(async () => {
  await service.close();
  for (const site of [docs, canary, orders]) await site[Symbol.asyncDispose]();
});

const post = (body: object, key?: string) =>
  service.ask("/v2/agent", { method: "POST", body, ...(key === undefined ? {} : { key }) });

describe("agent run without a schema", () => {
  it("needs a model, and keeps the passages and tables about the question in partial", async () => {
    const state = await run({ prompt: "What is the upload limit?", urls: [docs.url] });
    expect(state).toMatchObject({ status: "failed", mode: "extract", threadTurn: 1 });
    expect(state).toMatchObject({ stopReason: "needs_model", code: "AGENT_NEEDS_MODEL" });
    expect(state).not.toHaveProperty("data");
    const { uploadLimit } = state.partial as {
      uploadLimit: { passages: { text: string; url: string }[]; tables: { rows: object[] }[] };
    };
    expect(uploadLimit.passages[0]).toMatchObject({
      text: expect.stringContaining("250 MB for each file"),
      url: `${docs.url}/limits`,
    });
    expect(uploadLimit.tables[0]?.rows).toContainEqual({ Plan: "Team", "Upload limit": "2 GB" });
    const sources = state["sources"] as Record<string, { start: number; url: string }[]>;
    expect(sources["/uploadLimit/passages/0"]?.[0]).toMatchObject({ url: `${docs.url}/limits` });
    expect(state["warning"]).toContain("No language model was used");
    expect(state.error).toContain("Add a schema");
    expect(state.creditsUsed).toBe(0);
  });

  it("starts at URLs in the prompt and says so when there are none", async () => {
    const there = await run({ prompt: `Find the upload limit at ${docs.url}/limits.` });
    expect(JSON.stringify(there.partial)).toContain("250 MB");
  });

  it("starts at pages from the search index when no URL is given", async () => {
    await service.page({ url: `${docs.url}/limits`, maxAge: 0 });
    const state = await run({ prompt: "upload limit of the heron", effort: "low" });
    expect(JSON.stringify(state.partial)).toContain("250 MB");
  });

  it("lists calls and results in order in the trace", async () => {
    const id = await start({ ...LIMIT, urls: [docs.url], effort: "low" });
    await finish(id);
    const events = await trace(id);
    expect(events.map(({ producerSequence }) => producerSequence)).toEqual(
      events.map((_, index) => index),
    );
    expect(events.slice(0, 2).map(({ type }) => type)).toEqual(["run.started", "agent.started"]);
    expect(events.at(-1)).toMatchObject({ type: "run.finished", outcome: "succeeded" });
    const calls = events.filter(({ type }) => type === "tool_call.started");
    expect(calls[0]).toMatchObject({ toolName: "scrape", parameters: { url: `${docs.url}/` } });
    expect(events.filter(({ type }) => type === "tool_call.finished")).toHaveLength(calls.length);
    const { body } = await service.ask(`/v2/agent/${id}/snapshots/step-0`);
    expect(JSON.parse(String(body["snapshot"]))).toMatchObject({ url: `${docs.url}/` });
    expect((await service.ask(`/v2/agent/${id}/snapshots/step-999`)).status).toBe(404);
  });
});

describe("scope of an agent run", () => {
  it("with strictConstrainToURLs visits only the given pages, not their redirects or robots.txt", async () => {
    await using fresh = await startPages(docsSite());
    const state = await run({
      ...LIMIT,
      urls: [`${fresh.url}/limits`, `${orders.url}/away`, orders.url],
      strictConstrainToURLs: true,
    });
    expect(state.status).toBe("completed");
    expect(fresh.asked).toEqual(["/limits"]);
    expect(orders.asked).toEqual(expect.arrayContaining(["/", "/away"]));
    expect(orders.asked).toHaveLength(2);
    expect(fresh.robots + orders.robots + canary.robots).toBe(0);
    expect(canary.asked).toEqual([]);
    expect(state["warning"]).toContain("was not followed");
  });

  it("checks robots.txt for discovered pages but not for given URLs", async () => {
    const page = (text: string, to: string) =>
      `<title>${text}</title><main><p>${text} of the upload limit, as it is said here.</p><a href="${to}">upload limit</a></main>`;
    await using site = await startPages({
      "/robots.txt": (_request, response) => {
        response.writeHead(200, { "content-type": "text/plain" });
        response.end("User-agent: *\nDisallow: /closed");
      },
      "/closed/start": page("The start", "/closed/next"),
      "/closed/next": page("The secret", "/"),
    });
    const state = await run({ prompt: "upload limit", urls: [`${site.url}/closed/start`] });
    expect(site.asked).toEqual(["/closed/start"]);
    expect(state["warning"]).toContain("robots.txt");
  });

  it("stays on the sites of the given pages without the constraint, even if pages ask otherwise", async () => {
    const state = await run({
      prompt: "price of the teapot, notice for agents",
      urls: [orders.url],
    });
    expect(orders.asked).toContain("/teapot");
    expect(canary.asked).toEqual([]);
    expect(canary.robots).toBe(0);
    expect(JSON.stringify(state.partial)).toContain("34.90");
  });
});

describe("credits of an agent run", () => {
  it("stops before a step that could exceed the limit, charges nothing and returns partial data", async () => {
    const { key } = await service.createKey({ creditBudget: 100 });
    const body = { prompt: "upload limit", urls: [docs.url], maxCredits: 2 };
    const id = await start(body, key);
    const state = async () => (await service.ask(`/v2/agent/${id}`, { key })).body;
    await expect.poll(async () => (await state())["status"]).toBe("failed");
    expect(await state()).toMatchObject({
      success: true,
      stopReason: "credit_limit_reached",
      code: "INSUFFICIENT_CREDITS",
      creditsUsed: 0,
      partialSchemaValid: true,
      error: expect.stringContaining("2 credits"),
    });
    expect((await state())["partial"]).toBeDefined();
    expect(await state()).not.toHaveProperty("data");
    await expect.poll(() => remaining(key)).toBe(100);
  });

  it("accepts a limit that is never reached", async () => {
    const state = await run({ ...LIMIT, urls: [`${docs.url}/limits`], maxCredits: 1e30 });
    expect(state.status, state.error).toBe("completed");
  });

  it("charges a finished run its pages and holds at most the key's credits", async () => {
    const { key } = await service.createKey({ creditBudget: 30 });
    const id = await start({ ...LIMIT, urls: [docs.url], effort: "low" }, key);
    const state = async () => (await service.ask(`/v2/agent/${id}`, { key })).body;
    await expect.poll(async () => (await state())["status"]).toBe("completed");
    const used = Number((await state())["creditsUsed"]);
    expect(used).toBeGreaterThan(0);
    expect((await state())["warning"]).toContain("maxCredits is 30");
    await expect.poll(() => remaining(key)).toBe(30 - used);
    const poor = await service.createKey({ creditBudget: 0 });
    expect((await post({ prompt: "p", urls: [docs.url] }, poor.key)).status).toBe(402);
  });

  const remaining = async (key: string): Promise<number> => {
    const { body } = await service.ask("/v2/team/credit-usage", { key });
    return (body.data as unknown as { remainingCredits: number }).remainingCredits;
  };
});

describe("agent runs of an account", () => {
  it("lists runs newest first, 20 per page, with an absolute next URL and none of other accounts", async () => {
    const ids: string[] = [];
    for (let count = 0; count < 21; count += 1)
      ids.push(await start({ prompt: `nothing ${count}`, urls: [`${docs.url}/none`] }));
    for (const id of ids) await finish(id);
    const first = agentListResponseSchema.parse((await service.ask("/v2/agent")).body);
    expect(first.agents.map(({ id }) => id)).toEqual(ids.toReversed().slice(0, 20));
    expect(first.agents[0]).toMatchObject({
      targetHint: `${docs.url}/none`,
      origin: "api",
      options: { prompt: "nothing 20" },
    });
    const { pathname, search, origin } = new URL(first.next ?? "");
    expect(origin).toBe(service.url);
    const second = agentListResponseSchema.parse((await service.ask(pathname + search)).body);
    expect(second.agents[0]?.id).toBe(ids[0]);
    expect((await service.ask("/v2/agent?before=soon")).status).toBe(400);
  });

  it("a cancelled run reads failed, keeps its data and stays unchanged", async () => {
    const slow = await startPages({
      "/": `<title>a</title><main><p>The upload limit is 250 MB, as every page says.</p><a href="/slow">upload limit</a></main>`,
      "/slow": () => undefined,
    });
    const id = await start({ prompt: "upload limit", urls: [slow.url] });
    await expect.poll(() => slow.asked).toContain("/slow");
    expect((await service.ask(`/v2/agent/${id}`, { method: "DELETE" })).body).toEqual({
      success: true,
      status: "failed",
    });
    const state = await read(id);
    expect(state).toMatchObject({ status: "failed", stopReason: "cancelled", creditsUsed: 1 });
    expect(JSON.stringify(state.partial)).toContain("250 MB");
    expect((await service.ask(`/v2/agent/${id}`, { method: "DELETE" })).status).toBe(200);
    const events = await trace(id);
    expect(events.slice(-3).map(({ type }) => type)).toEqual([
      "run.cancel_requested",
      "agent.finished",
      "run.finished",
    ]);
    await slow[Symbol.asyncDispose]();
  });

  it("continues a conversation by threadId, one run at a time", async () => {
    const first = await post({ ...LIMIT, urls: [`${docs.url}/limits`] });
    const { id, threadId, threadTurn } = first.body as unknown as Record<string, string>;
    expect(threadTurn).toBe(1);
    await finish(id ?? "");
    const second = await post({ ...LIMIT, urls: [docs.url], threadId });
    expect(second.body).toMatchObject({ threadId, threadTurn: 2 });
    await finish(String(second.body["id"]));
    const { body } = await service.ask(`/v2/agent/threads/${threadId}?includeData=true`);
    const { thread } = agentThreadResponseSchema.parse(body);
    expect(thread.status).toBe("idle");
    expect(thread.runs.map(({ turn, status }) => [turn, status])).toEqual([
      [1, "succeeded"],
      [2, "succeeded"],
    ]);
    expect(thread.runs[0]?.data).toBeDefined();
    const missing = await post({ prompt: "p", urls: [docs.url], threadId: ID });
    expect(missing.status).toBe(404);
    expect(missing.body.code).toBe("thread_not_found");
  });
});

describe("rejected agent requests", () => {
  it.each([
    ["no prompt", { urls: ["https://a.example"] }, "prompt"],
    ["a prompt too long", { prompt: "x".repeat(10_001) }, "prompt"],
    ["a URL that is none", { prompt: "p", urls: ["not a url"] }, "URL"],
    [
      "a schema that does not compile",
      { prompt: "p", schema: { type: "strin" } },
      "Invalid JSON schema",
    ],
    ["an unknown model", { prompt: "p", model: "spark-9" }, "model"],
    ["an unknown field", { prompt: "p", limit: 3 }, "limit"],
    [
      "an unknown event",
      { prompt: "p", webhook: { url: "https://a.example", events: ["page"] } },
      "event",
    ],
  ])("answers 400 for %s", async (_name, body, word) => {
    const answer = await post(body);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain(word);
  });

  it("answers 404 for an unknown run or one of another account", async () => {
    for (const [method, path] of [
      ["GET", `/v2/agent/${ID}`],
      ["DELETE", `/v2/agent/${ID}`],
      ["GET", `/v2/agent/${ID}/trace`],
      ["GET", `/v2/agent/${ID}/snapshots/step-0`],
    ] as const) {
      const answer = await service.ask(path, { method });
      expect(answer.status, path).toBe(404);
      expect(answer.body.error).toBe("Agent job not found");
    }
    expect((await service.ask("/v2/agent/one")).status).toBe(400);
  });

  it("fails a run without a start page and says what to set", async () => {
    const state = await run({ prompt: "zqxv unheard of" });
    expect(state.status).toBe("failed");
    expect(state.error).toContain("urls");
  });
});

describe("agent run webhooks", () => {
  it("sends the start, each action and the end of a run in order", async () => {
    const events: WebhookEvent[] = [];
    const receiver = createServer((request, response) => {
      let text = "";
      request.on("data", (part: Buffer) => (text += part.toString()));
      request.on("end", () => {
        events.push(JSON.parse(text) as WebhookEvent);
        response.end();
      });
    }).listen(0, "127.0.0.1");
    await once(receiver, "listening");
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    const webhook = { url, metadata: { mine: 7 } };
    const id = await start({
      ...LIMIT,
      urls: [`${docs.url}/limits`],
      strictConstrainToURLs: true,
      webhook,
    });
    const state = await finish(id);
    await expect.poll(() => events.at(-1)?.type).toBe("agent.completed");
    expect(events.map(({ type }) => type)).toEqual([
      "agent.started",
      "agent.action",
      "agent.completed",
    ]);
    expect(events[0]).toMatchObject({ id, success: true, data: [], metadata: { mine: 7 } });
    expect(events[1]?.data).toEqual([
      {
        creditsUsed: 1,
        action: "scrape",
        input: { url: `${docs.url}/limits`, reason: "given by the request" },
      },
    ]);
    expect(events[2]?.data).toEqual([{ creditsUsed: 1, data: state.data }]);
    receiver.close();
  });
});
