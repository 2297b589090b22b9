// Webhooks of runs that do not complete: failed, stopped by a limit, cancelled; and their
// idempotency keys.
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { webhookEventSchema, type WebhookEvent } from "../../../src/contract/jobs/webhook.ts";
import { agentCalls } from "../../agent-runs.ts";
import { shareService, type Service } from "../../service.ts";
import { docsSite, startPages, type PageSite } from "../../site/agent-sites.ts";

let service: Service;
let docs: PageSite;
let receiver: Server;
let url: string;
const events: WebhookEvent[] = [];
const { start, finish, trace } = agentCalls(() => service);

beforeAll(async () => {
  docs = await startPages(docsSite());
  receiver = createServer((request, response) => {
    let text = "";
    request.on("data", (part: Buffer) => (text += part.toString()));
    request.on("end", () => {
      events.push(webhookEventSchema.parse(JSON.parse(text)));
      response.end();
    });
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  service = await shareService();
});
afterAll(async () => {
  await service.close();
  receiver.closeAllConnections();
  receiver.close();
  await docs[Symbol.asyncDispose]();
});
beforeEach(() => {
  events.length = 0;
});

const lastType = () => events.at(-1)?.type;
const webhook = (...names: string[]) => ({
  url,
  metadata: { mine: 7 },
  ...(names.length === 0 ? {} : { events: names }),
});

describe("agent webhooks", () => {
  it("sends agent.failed with the reason when the run fails", async () => {
    const gone = ["http://127.0.0.1:9/"];
    const id = await start({ prompt: "p", urls: gone, effort: "low", webhook: webhook() });
    const { error } = await finish(id);
    await expect.poll(lastType).toBe("agent.failed");
    expect(events.map(({ type }) => type)).toEqual([
      "agent.started",
      "agent.action",
      "agent.failed",
    ]);
    expect(events[1]).toMatchObject({ data: [{ action: "scrape", creditsUsed: 0 }] });
    expect(events[2]).toMatchObject({
      id,
      success: false,
      error,
      data: [{ creditsUsed: 0 }],
      metadata: { mine: 7 },
    });
    const log = await service.ask(`/v2/agent/${id}/webhooks`);
    expect(log.body["deliveries"]).toMatchObject(
      events.map(({ type, webhookId }) => ({ type, webhookId, state: "delivered", attempts: 1 })),
    );
  });

  it("sends agent.failed, without charge, when the credit limit is hit", async () => {
    const ask = { prompt: "upload limit", urls: [docs.url], maxCredits: 2 };
    const id = await start({ ...ask, webhook: webhook("failed") });
    expect(await finish(id)).toMatchObject({ stopReason: "credit_limit_reached" });
    await expect.poll(lastType).toBe("agent.failed");
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({ id, success: false, data: [{ creditsUsed: 0 }] });
    expect(events[0]?.error).toContain("2 credits");
  });

  it("sends agent.cancelled with the used credits and nothing after it", async () => {
    await using slow = await startPages({
      "/": `<title>a</title><main><p>The upload limit is 250 MB, as every page says.</p><a href="/slow">upload limit</a></main>`,
      "/slow": () => undefined,
    });
    const id = await start({ prompt: "upload limit", urls: [slow.url], webhook: webhook() });
    await expect.poll(() => slow.asked).toContain("/slow");
    await service.ask(`/v2/agent/${id}`, { method: "DELETE" });
    await expect.poll(lastType).toBe("agent.cancelled");
    expect(events.map(({ type }) => type)).toEqual([
      "agent.started",
      "agent.action",
      "agent.cancelled",
    ]);
    expect(events[2]).toMatchObject({ id, success: false, data: [{ creditsUsed: 1 }] });
    await service.ask(`/v2/agent/${id}`, { method: "DELETE" });
    const other = await start({ prompt: "p", urls: [`${docs.url}/install`], webhook: webhook() });
    await finish(other);
    await expect.poll(lastType).toBe("agent.failed");
    expect(events.filter((event) => event.id === id)).toHaveLength(3);
  });
});

describe("agent idempotency keys", () => {
  const post = (url: string, threadId: string, idempotencyKey: string) =>
    service.ask("/v2/agent", {
      method: "POST",
      body: { prompt: "upload limit", urls: [url], threadId },
      headers: { "x-idempotency-key": idempotencyKey },
    });

  it("a busy thread does not use up an idempotency key, and the key starts one run", async () => {
    const first = await service.ask("/v2/agent", {
      method: "POST",
      body: { prompt: "upload limit", urls: [`${docs.url}/limits`] },
    });
    const threadId = String(first.body["threadId"]);
    await finish(String(first.body["id"]));
    await using slow = await startPages({ "/": () => undefined });
    const keys = Array.from({ length: 6 }, () => randomUUID());
    const answers = await Promise.all(keys.map((key) => post(slow.url, threadId, key)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const at = answers.findIndex(({ status }) => status === 200);
    const running = String(answers[at]?.body["id"]);
    for (const { status, body } of answers)
      if (status === 409) expect(body).toMatchObject({ code: "thread_busy" });
    const busy = await post(slow.url, threadId, randomUUID());
    expect(busy.body).toMatchObject({ code: "thread_busy", details: { runId: running } });
    await service.ask(`/v2/agent/${running}`, { method: "DELETE" });
    for (const [index, key] of keys.entries()) {
      const again = await post(`${docs.url}/limits`, threadId, key);
      if (index === at) expect(again.body.error).toContain("Idempotency key already used");
      else {
        expect(again.status, again.text).toBe(200);
        await finish(String(again.body["id"]));
      }
    }
  });
});

it("marks pages found by a search in the trace", async () => {
  await service.page({ url: `${docs.url}/limits`, maxAge: 0 });
  const id = await start({ prompt: "upload limit of the heron", effort: "low" });
  await finish(id);
  const reasons = (await trace(id)).flatMap((event) =>
    event.type === "tool_call.started" && event.toolName === "scrape"
      ? [(event.parameters as { reason: string }).reason]
      : [],
  );
  expect(reasons[0]).toBe("found by the search");
  expect(reasons.join("\n")).not.toContain("given by the request");
});
