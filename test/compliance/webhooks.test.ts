// Events on both databases, from the transaction that causes them to a receiver on loopback.
import { createServer, type IncomingHttpHeaders } from "node:http";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createTestConfig } from "../../src/config.ts";
import {
  buildWebhookSchema,
  type Webhook,
  type WebhookEvent,
} from "../../src/contract/jobs/webhook.ts";
import { createEgress } from "../../src/egress/dispatchers.ts";
import { createLogger } from "../../src/logger.ts";
import { createMetrics } from "../../src/metrics.ts";
import { Secret } from "../../src/settings/secret.ts";
import type { NewJob } from "../../src/store/jobs/job-record.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { signBody } from "../../src/webhooks/signature.ts";
import { createWebhooks } from "../../src/webhooks/webhooks.ts";
import { describeDatabases } from "../databases.ts";
import { closeAll, listen, readPort } from "../http-fetching.ts";
import { buildFinished, buildFound, buildJob, FAILED } from "../jobs.ts";

const log = createLogger("silent");
const SECRET = "receiver and sender know it";

type Received = {
  readonly event: WebhookEvent;
  readonly body: Buffer;
  readonly headers: IncomingHttpHeaders;
};

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
  await closeAll();
});

/** A receiver on loopback; `take` settles when it received `count` events. */
async function openReceiver(statusOf: (event: WebhookEvent) => number = () => 200) {
  const received: Received[] = [];
  let waiting: { readonly count: number; readonly done: () => void } | undefined;
  const server = await listen(
    createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on("data", (part: Buffer) => parts.push(part));
      request.on("end", () => {
        const body = Buffer.concat(parts);
        const event = JSON.parse(body.toString()) as WebhookEvent;
        received.push({ event, body, headers: request.headers });
        response.writeHead(statusOf(event)).end();
        if (waiting !== undefined && received.length >= waiting.count) waiting.done();
      });
    }),
  );
  const webhook: Webhook = buildWebhookSchema("crawl").parse({
    url: `http://127.0.0.1:${readPort(server)}/hook`,
    metadata: { mine: 1 },
  });
  const take = async (count: number): Promise<Received[]> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting = { count, done: resolve };
    if (received.length < count) await promise;
    return received;
  };
  return { webhook, received, take };
}

describeDatabases("webhooks", (configure) => {
  let store: Store;
  /** The first account, whose deliveries are signed with the configured secret. */
  let accountId: string;
  beforeAll(async () => {
    store = await openStore(await configure(), log);
    accountId = await store.keys.ensureAccount();
  });
  afterAll(() => store.close());

  function open({ shared = true } = {}) {
    const config = createTestConfig({
      egressAllow: ["127.0.0.1"],
      webhookSecret: new Secret(SECRET),
    });
    const metrics = createMetrics();
    const egress = createEgress(config, { metrics });
    const webhooks = createWebhooks({ store, egress, config, shared, log, metrics });
    closers.push(async () => {
      await webhooks.close();
      await egress.close();
    });
    return webhooks;
  }

  /** Runs a crawl of two pages and one failing page to its end. */
  async function runJob(webhook: Webhook): Promise<NewJob> {
    const job = buildJob({ webhook, accountId });
    await store.jobs.create(
      job,
      [1, 2, 3].map((identity) => buildFound(identity, { depth: 0, source: "start" })),
    );
    const pages = await store.frontier.claim({
      worker: "w",
      max: 3,
      leaseMs: 1_000,
      jobs: [job.id],
    });
    for (const [index, page] of pages.entries()) {
      const finished = index === 2 ? buildFinished(page, [], FAILED) : buildFinished(page);
      await store.finish(job.id, "w", [finished]);
    }
    return job;
  }

  const logOf = (job: NewJob) => store.deliveries.log(job.id, { skip: 0, limit: 100 });

  it("each event arrives once and signed: start, one per page, end", async () => {
    const receiver = await openReceiver();
    const webhooks = open();
    webhooks.start();
    const job = await runJob(receiver.webhook);
    webhooks.wake();
    const received = await receiver.take(5);
    await webhooks.close();
    const types = received.map(({ event }) => event.type);
    expect(types[0]).toBe("crawl.started");
    expect(types.slice(1, 4)).toEqual(Array(3).fill("crawl.page"));
    expect(types[4]).toBe("crawl.completed");
    expect(new Set(received.map(({ event }) => event.webhookId)).size).toBe(5);
    for (const { event, body, headers } of received) {
      expect(event).toMatchObject({ id: job.id, metadata: { mine: 1 } });
      expect(headers["x-firecrawl-signature"]).toBe(signBody(body, SECRET));
      expect(headers["x-quarry-event-id"]).toBe(event.webhookId);
    }
    const results = await store.results.listPage(job.id, { skip: 0, limit: 10, maxBytes: 1e6 });
    const sent = received
      .filter(({ event }) => event.success)
      .flatMap(({ event }) => event.data as { metadata: { scrapeId: string } }[]);
    expect(sent.map(({ metadata }) => metadata.scrapeId).toSorted()).toEqual(
      results.map(({ scrapeId }) => scrapeId).toSorted(),
    );
    expect(received.filter(({ event }) => !event.success).map(({ event }) => event.error)).toEqual([
      "no such host",
    ]);
    expect((await logOf(job)).map(({ state, attempts }) => [state, attempts])).toEqual(
      Array(5).fill(["delivered", 1]),
    );
  });

  it("sends only the requested events", async () => {
    const receiver = await openReceiver();
    const webhooks = open();
    const job = await runJob({ ...receiver.webhook, events: ["completed"] });
    webhooks.start();
    const received = await receiver.take(1);
    await webhooks.close();
    expect(received.map(({ event }) => event.type)).toEqual(["crawl.completed"]);
    expect(await logOf(job)).toHaveLength(1);
  });

  it("events claimed by a dead process are sent by another with the same id", async () => {
    const receiver = await openReceiver();
    const job = await runJob(receiver.webhook);
    const long = Date.now() - 60_000;
    const [taken] = await store.deliveries.claim({
      worker: "dead",
      max: 1,
      leaseMs: 1,
      now: long,
    });
    // Due only now, so it is the only one to claim.
    expect(taken).toBeUndefined();
    const [begun] = await store.deliveries.claim({ worker: "dead", max: 1, leaseMs: 50 });
    const webhooks = open();
    webhooks.start();
    const received = await receiver.take(5);
    await webhooks.close();
    expect(received[0]?.event).toMatchObject({ webhookId: begun?.id, type: "crawl.started" });
    expect(received[0]?.headers["x-quarry-attempt"]).toBe("2");
    expect((await logOf(job)).map(({ state }) => state)).toEqual(Array(5).fill("delivered"));
  });

  it("events claimed by the only process of a database are sent at once by its successor", async () => {
    const receiver = await openReceiver();
    const job = await runJob(receiver.webhook);
    const taken = await store.deliveries.claim({ worker: "dead", max: 1, leaseMs: 3_600_000 });
    expect(taken.map(({ jobId }) => jobId)).toEqual([job.id]);
    const webhooks = open({ shared: false });
    webhooks.start();
    const received = await receiver.take(5);
    await webhooks.close();
    expect(received[0]?.event.webhookId).toBe(taken[0]?.id);
    expect((await logOf(job)).map(({ state }) => state)).toEqual(Array(5).fill("delivered"));
  });

  it("two senders on one database share the work and send nothing twice", async () => {
    const receiver = await openReceiver();
    const first = open();
    const second = open();
    const jobs = await Promise.all([1, 2, 3, 4].map(() => runJob(receiver.webhook)));
    first.start();
    second.start();
    const received = await receiver.take(20);
    await Promise.all([first.close(), second.close()]);
    expect(new Set(received.map(({ event }) => event.webhookId)).size).toBe(20);
    expect(received).toHaveLength(20);
    for (const job of jobs)
      expect((await logOf(job)).map(({ state }) => state)).toEqual(Array(5).fill("delivered"));
  });

  it("a rejected event waits for its retry and later events do not", async () => {
    const receiver = await openReceiver(({ type }) => (type === "crawl.started" ? 503 : 200));
    const webhooks = open();
    const before = Date.now();
    const job = await runJob(receiver.webhook);
    webhooks.start();
    await receiver.take(5);
    await webhooks.close();
    const [started, ...others] = await logOf(job);
    expect(started).toMatchObject({ state: "waiting", attempts: 1, statusCode: 503 });
    expect((started?.at ?? 0) - before).toBeGreaterThanOrEqual(60_000);
    expect(others.map(({ state }) => state)).toEqual(Array(4).fill("delivered"));
  });

  it("a job that is excluded is skipped, also when computing the next due time", async () => {
    const receiver = await openReceiver();
    const job = await runJob(receiver.webhook);
    const claim = { worker: "w", max: 100, leaseMs: 5_000 };
    const passed = await store.deliveries.claim({ ...claim, except: [job.id] });
    expect(passed.filter(({ jobId }) => jobId === job.id)).toEqual([]);
    const others = new Set(passed.map(({ jobId }) => jobId));
    const taken = await store.deliveries.claim(claim);
    expect(taken.map(({ jobId }) => jobId)).toEqual([job.id]);
    const leaseEnds = await store.deliveries.findNextDue([...others]);
    expect(leaseEnds).toBeGreaterThan(Date.now());
    expect(leaseEnds).toBeLessThanOrEqual(Date.now() + 5_000);
    expect((await store.deliveries.findNextDue([job.id, ...others])) ?? Infinity).toBeGreaterThan(
      Date.now() + 5_000,
    );
  });
});

describe("webhook address", () => {
  it("a forbidden webhook address is rejected at the request", async () => {
    const config = createTestConfig({ webhookUrl: "http://127.0.0.1:9/{jobId}" });
    const egress = createEgress(config, { metrics: createMetrics() });
    const store = {} as Store;
    const metrics = createMetrics();
    const webhooks = createWebhooks({ store, egress, config, shared: false, log, metrics });
    const given = buildWebhookSchema("crawl").parse("http://10.0.0.1/hook");
    await expect(webhooks.resolve(given, "job")).rejects.toMatchObject({ code: "BAD_REQUEST" });
    // The operator's own address does not concern the caller.
    expect(await webhooks.resolve(null, "job")).toMatchObject({ url: "http://127.0.0.1:9/job" });
    await egress.close();
  });
});
