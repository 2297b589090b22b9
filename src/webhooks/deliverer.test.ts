import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { EventType, WebhookEvent } from "../contract/jobs/webhook.ts";
import { InternalError } from "../errors.ts";
import { createLogger } from "../logger.ts";
import { createMetrics } from "../metrics.ts";
import type { ResultRow } from "../store/jobs/results.ts";
import type {
  DeliveryOutcome,
  DeliveryStore,
  WebhookDelivery,
} from "../store/jobs/webhook-deliveries.ts";
import { createDeliverer, type Deliverer, type DelivererParts } from "./deliverer.ts";
import type { Attempt, Outcome } from "./send.ts";

const MINUTE_MS = 60_000;
const OK: Outcome = { statusCode: 200, error: undefined };
const REFUSED: Outcome = { statusCode: 500, error: "The receiver answered 500." };

type Row = WebhookDelivery & {
  at: number;
  leasedUntil: number;
  tried: boolean;
  outcome?: DeliveryOutcome;
};
type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** An in-memory store that follows the interface. */
function createStore() {
  const rows: Writable<Row>[] = [];
  const isPage = ({ type }: Row): boolean => type.endsWith(".page");
  const blocks = (earlier: Row, row: Row): boolean =>
    earlier.jobId === row.jobId &&
    earlier.sequence < row.sequence &&
    earlier.outcome === undefined &&
    !earlier.tried &&
    !(isPage(earlier) && isPage(row));
  const due = (now: number, except: readonly string[]) =>
    rows.filter(
      (row) =>
        (row.outcome === undefined || "at" in row.outcome) &&
        row.leasedUntil <= now &&
        row.at <= now &&
        !except.includes(row.jobId) &&
        (row.tried || !rows.some((earlier) => blocks(earlier, row))),
    );
  return {
    rows,
    add(fields: Partial<WebhookDelivery> & { readonly sequence: number }): void {
      const jobId = fields.jobId ?? "job-1";
      rows.push({
        id: `${jobId}/${fields.sequence}`,
        jobId,
        accountId: "account",
        type: "crawl.page" as EventType,
        webhook: {
          url: "https://a.example/",
          headers: { "x-a": "1" },
          metadata: { m: 1 },
          events: [],
        },
        resultSequence: fields.sequence,
        data: null,
        error: null,
        createdAt: 0,
        attempt: 0,
        at: 0,
        leasedUntil: 0,
        tried: false,
        ...fields,
      });
    },
    claim: async (claim: Parameters<DeliveryStore["claim"]>[0]) => {
      const { max, leaseMs, except = [], now = 0 } = claim;
      return due(now, except)
        .slice(0, max)
        .map((row) => {
          row.attempt += 1;
          row.leasedUntil = now + leaseMs;
          delete row.outcome;
          return { ...row };
        });
    },
    finish: async (_worker: string, { id }: WebhookDelivery, outcome: DeliveryOutcome) => {
      const row = rows.find((each) => each.id === id);
      if (row === undefined) throw new Error("unknown delivery");
      row.outcome = outcome;
      row.tried = true;
      row.leasedUntil = 0;
      if ("at" in outcome) row.at = outcome.at;
      if (outcome.type === "postponed") row.attempt -= 1;
    },
    releaseAll: async () => {
      for (const row of rows) row.leasedUntil = 0;
    },
    findNextDue: async () =>
      Math.min(...rows.filter(({ outcome }) => outcome?.type !== "delivered").map(({ at }) => at)),
  };
}

type Sent = Attempt & { readonly event: WebhookEvent };

/** A deliverer over the store above; `answer` plays the receiver. */
function build(
  answer: (sent: Sent, signal: AbortSignal | undefined) => Outcome | Promise<Outcome> = () => OK,
  parts: Partial<DelivererParts> = {},
) {
  const store = createStore();
  const clock = { now: 1_000 };
  const sent: Sent[] = [];
  let looks = 0;
  let waiting: { readonly count: number; readonly done: () => void } | undefined;
  const deliverer: Deliverer = createDeliverer({
    deliveries: {
      ...store,
      claim: async (claim) => {
        looks += 1;
        return await store.claim(claim);
      },
      finish: async (worker, delivery, outcome) => {
        await store.finish(worker, delivery, outcome);
        const finished = store.rows.filter(({ outcome }) => outcome !== undefined).length;
        if (waiting !== undefined && finished >= waiting.count) waiting.done();
      },
    },
    results: {
      load: async (_jobId, sequence) =>
        ({ sequence, document: { markdown: `page ${sequence}`, metadata: {} } }) as ResultRow,
    },
    send: async (attempt, signal) => {
      const event = JSON.parse(Buffer.from(attempt.body).toString()) as WebhookEvent;
      sent.push({ ...attempt, event });
      return await answer({ ...attempt, event }, signal);
    },
    secretOf: async () => "secret",
    log: createLogger("silent"),
    metrics: createMetrics(),
    worker: "worker-1",
    shared: true,
    now: () => clock.now,
    ...parts,
  });
  return {
    looks: () => looks,
    store,
    clock,
    sent,
    deliverer,
    /** Settles when this many rows have an outcome. */
    outcomes: async (count: number) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting = { count, done: resolve };
      deliverer.start();
      deliverer.expect();
      deliverer.wake();
      await promise;
    },
  };
}

describe("webhook deliverer", () => {
  it("sends each event once, pages between start and end", async () => {
    const { store, sent, deliverer, outcomes } = build();
    store.add({ sequence: 1, type: "crawl.started", resultSequence: null });
    store.add({ sequence: 2 });
    store.add({ sequence: 3, resultSequence: null, error: "The site did not answer." });
    store.add({ sequence: 4, type: "crawl.completed", resultSequence: null });
    await outcomes(4);
    await deliverer.close();
    const events = sent.map(({ event }) => event);
    expect(events.toSorted((one, other) => (one.webhookId < other.webhookId ? -1 : 1))).toEqual([
      expect.objectContaining({ type: "crawl.started", success: true, data: [] }),
      {
        success: true,
        type: "crawl.page",
        id: "job-1",
        webhookId: "job-1/2",
        data: [{ markdown: "page 2", metadata: {} }],
        metadata: { m: 1 },
      },
      expect.objectContaining({ success: false, error: "The site did not answer.", data: [] }),
      expect.objectContaining({ type: "crawl.completed", success: true }),
    ]);
    expect(sent[0]).toMatchObject({
      url: "https://a.example/",
      headers: { "x-a": "1" },
      attempt: 1,
    });
    expect(store.rows.map(({ outcome }) => outcome?.type)).toEqual(Array(4).fill("delivered"));
  });

  it("does not block later events when a delivery fails", async () => {
    const { store, sent, deliverer, outcomes } = build(({ event }) =>
      event.webhookId === "job-1/1" ? REFUSED : OK,
    );
    store.add({ sequence: 1 });
    store.add({ sequence: 2 });
    await outcomes(2);
    await deliverer.close();
    expect(sent.map(({ event }) => event.webhookId)).toEqual(["job-1/1", "job-1/2"]);
    expect(store.rows[0]?.outcome).toEqual({
      type: "retry",
      at: 1_000 + MINUTE_MS,
      statusCode: 500,
      error: "The receiver answered 500.",
    });
  });

  it("retries after 1, 5 and 15 minutes with the same body, then gives up", async () => {
    const { store, clock, sent, deliverer, outcomes } = build(() => REFUSED);
    store.add({ sequence: 1 });
    for (const minutes of [1, 5, 15]) {
      await outcomes(1);
      expect(store.rows[0]?.at).toBe(clock.now + minutes * MINUTE_MS);
      clock.now += minutes * MINUTE_MS;
    }
    await outcomes(1);
    await deliverer.close();
    expect(store.rows[0]?.outcome).toEqual({
      type: "failed",
      statusCode: 500,
      error: "The receiver answered 500.",
    });
    expect(sent.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4]);
    expect(new Set(sent.map(({ body }) => Buffer.from(body).toString())).size).toBe(1);
  });

  it("sends the end of a job after all pages were tried, and its start before them", async () => {
    const slow = Promise.withResolvers<Outcome>();
    const { store, sent, deliverer, outcomes } = build(({ event }) =>
      event.webhookId === "job-1/2" ? slow.promise : OK,
    );
    store.add({ sequence: 1, type: "crawl.started", resultSequence: null });
    store.add({ sequence: 2 });
    store.add({ sequence: 3 });
    store.add({ sequence: 4, type: "crawl.completed", resultSequence: null });
    await outcomes(2);
    expect(sent.map(({ event }) => event.type)).not.toContain("crawl.completed");
    slow.resolve(REFUSED);
    await outcomes(4);
    await deliverer.close();
    expect(sent[0]?.event.type).toBe("crawl.started");
    expect(sent.at(-1)?.event.type).toBe("crawl.completed");
  });

  it("a hanging receiver delays only its own job", async () => {
    const hanging = Promise.withResolvers<Outcome>();
    const { store, sent, deliverer, outcomes } = build(({ event }) =>
      event.id === "slow" ? hanging.promise : OK,
    );
    for (let sequence = 1; sequence <= 100; sequence++) store.add({ jobId: "slow", sequence });
    store.add({ jobId: "quick", sequence: 1 });
    store.add({ jobId: "quick", sequence: 2 });
    await outcomes(2);
    expect(sent.filter(({ event }) => event.id === "quick")).toHaveLength(2);
    // The claim that took the first of them may have been a full one.
    expect(sent.filter(({ event }) => event.id === "slow").length).toBeLessThanOrEqual(7);
    hanging.resolve(OK);
    await outcomes(102);
    await deliverer.close();
  });

  it("hanging receivers do not use up the slots of others", async () => {
    const hanging = Promise.withResolvers<Outcome>();
    let stuck = 0;
    const { store, sent, clock, deliverer, outcomes } = build(
      async ({ event }) => {
        if (!event.id.startsWith("slow")) return OK;
        if (event.webhookId.endsWith("/1")) {
          // The first delivery of each job uses its whole timeout.
          clock.now += 3_000;
          return REFUSED;
        }
        stuck += 1;
        return await hanging.promise;
      },
      { retryDelaysMs: [] },
    );
    const jobs = Array.from({ length: 100 }, (_, index) => `slow-${index}`);
    for (const jobId of jobs) store.add({ jobId, sequence: 1 });
    await outcomes(100);
    for (const jobId of jobs)
      for (let sequence = 2; sequence <= 9; sequence++) store.add({ jobId, sequence });
    for (let sequence = 1; sequence <= 100; sequence++) store.add({ jobId: "quick", sequence });
    await outcomes(200);
    const isQuick = ({ event }: Sent): boolean => event.id === "quick";
    expect(sent.filter(isQuick)).toHaveLength(100);
    expect(stuck).toBeGreaterThan(8);
    expect(stuck).toBeLessThanOrEqual(32);
    hanging.resolve(OK);
    await deliverer.close();
  });

  it("sends events with their own data and gives up those whose document is gone", async () => {
    const { store, sent, deliverer, outcomes } = build(() => OK, {
      results: { load: async () => undefined },
    });
    store.add({ sequence: 1, resultSequence: null, data: { markdown: "kept nowhere else" } });
    store.add({ sequence: 2 });
    await outcomes(2);
    await deliverer.close();
    expect(sent.map(({ event }) => event.data)).toEqual([[{ markdown: "kept nowhere else" }]]);
    expect(store.rows[1]?.outcome).toMatchObject({
      type: "failed",
      error: "The document of this event no longer exists.",
    });
  });

  it("counts no attempt while the signing secret is unreadable and gives up after a day", async () => {
    let isReadable = false;
    const { store, sent, clock, deliverer, outcomes } = build(() => OK, {
      secretOf: async () => {
        if (!isReadable) throw new InternalError("sealed with another key");
        return "secret";
      },
    });
    store.add({ sequence: 1 });
    for (let look = 0; look < 9; look++) {
      await outcomes(1);
      expect(store.rows[0]?.outcome).toMatchObject({ type: "postponed", at: clock.now + 15_000 });
      clock.now += 15_000;
    }
    isReadable = true;
    await outcomes(1);
    expect(sent.map(({ attempt }) => attempt)).toEqual([1]);
    expect(store.rows[0]?.outcome).toMatchObject({ type: "delivered" });
    isReadable = false;
    clock.now += 86_400_001;
    store.add({ sequence: 2 });
    await outcomes(2);
    await deliverer.close();
    expect(store.rows[1]?.outcome).toMatchObject({
      type: "failed",
      error: expect.stringContaining("QUARRY_SECRET"),
    });
  });

  it("polls for events at commits only while some are waiting", async () => {
    const { store, clock, deliverer, outcomes, looks } = build();
    store.add({ sequence: 1 });
    await outcomes(1);
    clock.now += 3_600_000;
    const before = looks();
    // A commit of a crawl without a webhook.
    for (let commit = 0; commit < 1_000; commit++) {
      deliverer.wake();
      await setImmediate();
    }
    expect(looks() - before).toBeLessThan(5);
    await deliverer.close();
  });

  it("continues after a store outage", async () => {
    let failures = 2;
    const { store, sent, deliverer, outcomes } = build(() => OK, {
      pollMs: 5,
      results: {
        load: async (_jobId, sequence) => {
          if (failures-- > 0) throw new Error("the database is away");
          return { sequence, document: {} } as ResultRow;
        },
      },
    });
    for (const sequence of [1, 2, 3]) store.add({ jobId: `job-${sequence}`, sequence });
    await outcomes(1);
    await deliverer.close();
    expect(sent).toHaveLength(1);
    // Not finished: they are claimed again when the lease expires.
    expect(store.rows.filter(({ outcome }) => outcome === undefined)).toHaveLength(2);
  });

  it("leaves an attempt that is longer than the shutdown to the next server", async () => {
    const begun = Promise.withResolvers<void>();
    const { store, deliverer } = build(
      async (_sent, signal) => {
        begun.resolve();
        const { promise, reject } = Promise.withResolvers<Outcome>();
        signal?.addEventListener("abort", () => reject(signal.reason as Error));
        return await promise;
      },
      { shutdownGraceMs: 1 },
    );
    store.add({ sequence: 1 });
    deliverer.start();
    await begun.promise;
    await deliverer.close();
    expect(store.rows[0]).toMatchObject({ attempt: 1 });
    expect(store.rows[0]?.outcome).toBeUndefined();
  });
});
