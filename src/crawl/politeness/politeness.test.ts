import { parseRetryAfterMs } from "../../runtime/retry-after.ts";
import { describe, expect, it } from "vitest";
import type { HostStore } from "../../store/jobs/hosts.ts";
import { createPoliteness, isOwnHost, POLITENESS, type Turn } from "./politeness.ts";

/** A stopped clock. */
const NOW = 1_700_000_000_000;

/** A store that grants requests up to the cap and records its calls. */
function buildHosts(given: Partial<HostStore> = {}) {
  const backOffs: number[] = [];
  const hosts: HostStore = {
    share: async ({ want, cap, leaseMs }) => ({
      slots: Math.min(want, cap),
      until: NOW + leaseMs,
      backOffUntil: 0,
      delayMs: 0,
    }),
    takeTurns: async () => 0,
    backOff: async (_host, { until = 0 }) => void backOffs.push(until),
    getBackOffUntil: async () => 0,
    release: async () => undefined,
    ...given,
  };
  return { hosts, backOffs };
}

const signal = new AbortController().signal;
const isPending = async (promise: Promise<unknown>): Promise<boolean> =>
  (await Promise.race([promise, new Promise((resolve) => setImmediate(resolve, "pending"))])) ===
  "pending";

function build(given: Partial<HostStore> = {}, unthrottled = false, now = () => NOW) {
  const { hosts, backOffs } = buildHosts(given);
  const isUnthrottled = () => unthrottled;
  const politeness = createPoliteness({ hosts, worker: "w", isUnthrottled, now });
  return { politeness, backOffs };
}

async function enterMany(politeness: ReturnType<typeof build>["politeness"], count: number) {
  const turns: Turn[] = [];
  for (let number = 0; number < count; number++)
    turns.push(await politeness.enter("a.test", { signal }));
  return turns;
}

describe("politeness", () => {
  it("counts the hosts that asked for a pause until it ends, and reports each new pause", async () => {
    const asked: number[] = [];
    let clock = NOW;
    const politeness = createPoliteness({
      hosts: buildHosts().hosts,
      worker: "w",
      isUnthrottled: () => false,
      now: () => clock,
      onBackoff: (statusCode) => void asked.push(statusCode),
    });
    const ask = async (host: string, statusCode: number, retryAfterMs: number): Promise<void> => {
      const turn = await politeness.enter(host, { signal });
      turn.end({ ms: 10, statusCode, retryAfterMs });
    };
    expect(politeness.getPauses()).toEqual({ hosts: 0, longestMs: 0 });
    await ask("a.test", 429, 5_000);
    await ask("b.test", 503, 20_000);
    await ask("c.test", 200, 0);
    expect(politeness.getPauses()).toEqual({ hosts: 2, longestMs: 20_000 });
    clock += 6_000;
    expect(politeness.getPauses()).toEqual({ hosts: 1, longestMs: 14_000 });
    expect(asked).toEqual([429, 503]);
    await politeness.close();
  });

  it("logs when a host asks for a pause and when it answers again, with job, counts and times", async () => {
    const lines: unknown[] = [];
    const log = { info: (fields: object, text: string) => void lines.push({ text, ...fields }) };
    let clock = 1_000_000;
    const politeness = createPoliteness({
      hosts: buildHosts().hosts,
      worker: "w",
      isUnthrottled: () => false,
      now: () => clock,
      log,
    });
    const ask = async (statusCode: number, retryAfterMs?: number): Promise<void> => {
      const turn = await politeness.enter("a.test", { jobId: "j", signal });
      turn.end({ ms: 10, statusCode, retryAfterMs });
    };
    await ask(200);
    expect(lines).toEqual([]);
    await ask(429, 5_000);
    clock += 6_000;
    await ask(503, 5_000);
    clock += 6_000;
    await ask(200);
    await ask(200);
    const asked = { jobId: "j", host: "a.test", since: new Date(1_000_000).toISOString() };
    expect(lines).toEqual([
      {
        text: "backing off from host",
        ...asked,
        statusCode: 429,
        times: 1,
        until: new Date(1_005_000).toISOString(),
      },
      {
        text: "backing off from host",
        ...asked,
        statusCode: 503,
        times: 2,
        until: new Date(1_011_000).toISOString(),
      },
      { text: "host recovered", ...asked, times: 2, ms: 12_000 },
    ]);
  });

  it("admits the first pages of a host and queues the next until a turn is released", async () => {
    const { politeness } = build();
    const turns = await enterMany(politeness, POLITENESS.first);
    const next = politeness.enter("a.test", { signal });
    expect(await isPending(next)).toBe(true);
    expect(politeness.isBusy("a.test")).toBe(true);
    expect(politeness.isBusy("b.test")).toBe(false);
    turns[0]?.end({ ms: 10, statusCode: 200 });
    await expect(next).resolves.toBeDefined();
  });

  it("never admits more pages than the store's share", async () => {
    const { politeness } = build({
      share: async () => ({ slots: 1, until: NOW + 60_000, backOffUntil: 0, delayMs: 0 }),
    });
    await enterMany(politeness, 1);
    expect(await isPending(politeness.enter("a.test", { signal }))).toBe(true);
  });

  it.each([429, 503])(
    "pauses a host after a %i for as long as the host asks",
    async (statusCode) => {
      const { politeness, backOffs } = build();
      const [turn] = await enterMany(politeness, 1);
      turn?.end({ ms: 10, statusCode, retryAfterMs: 5_000 });
      expect(backOffs[0]).toBe(NOW + 5_000);
      expect(await isPending(politeness.enter("a.test", { signal }))).toBe(true);
    },
  );

  it('backs off when a host keeps answering "retry later" with a Retry-After of zero', async () => {
    let at = NOW;
    const { politeness, backOffs } = build({}, false, () => at);
    const pauses: number[] = [];
    for (let time = 0; time < 9; time++) {
      const turn = await politeness.enter("a.test", { signal });
      turn.end({ ms: 10, statusCode: 429, retryAfterMs: 0 });
      const until = backOffs.at(-1) ?? at;
      pauses.push(until - at);
      at = until + 1;
    }
    expect(pauses).toEqual([15.625, 31.25, 62.5, 125, 250, 500, 937.5, 937.5, 937.5]);
  });

  it("caps Retry-After at the maximum", async () => {
    const { politeness, backOffs } = build();
    const [turn] = await enterMany(politeness, 1);
    turn?.end({ ms: 10, statusCode: 429, retryAfterMs: 86_400_000 });
    expect(backOffs[0]).toBe(NOW + POLITENESS.maxRetryAfterMs);
  });

  it("reduces concurrency after slow answers", async () => {
    let time = NOW;
    const { politeness } = build({}, false, () => time);
    for (let number = 0; number < 30; number++) {
      const [turn] = await enterMany(politeness, 1);
      turn?.end({ ms: 100, statusCode: 200 });
    }
    // The share of the store is requested again by then.
    time += 10_000;
    const quick = await enterMany(politeness, POLITENESS.first + 1);
    for (const turn of quick) turn.end({ ms: 60_000, statusCode: 200 });
    await enterMany(politeness, 1);
    expect(await isPending(politeness.enter("a.test", { signal }))).toBe(true);
  });

  it("does not throttle a loopback host except for a requested delay", async () => {
    const turnsTaken: string[] = [];
    const { politeness } = build(
      {
        share: async () => {
          throw new Error("asked");
        },
        takeTurns: async ({ host }) => {
          turnsTaken.push(host);
          return 0;
        },
      },
      true,
    );
    await enterMany(politeness, 100);
    expect(turnsTaken).toEqual([]);
    await politeness.enter("a.test", { delayMs: 5, paceKey: "job 1", signal });
    expect(turnsTaken).toEqual(["job 1"]);
  });

  describe("loopback host that answers 429 or 503", () => {
    const noShare = { share: () => Promise.reject(new Error("asked")) };

    it.each([429, 503])(
      "pauses a loopback host after a %i and tells the other workers",
      async (statusCode) => {
        const { politeness, backOffs } = build({}, true);
        const turns = await enterMany(politeness, 40);
        turns[0]?.end({ ms: 10, statusCode, retryAfterMs: 5_000 });
        expect(backOffs[0]).toBe(NOW + 5_000);
        expect(politeness.isBusy("a.test")).toBe(true);
        expect(await isPending(politeness.enter("a.test", { signal }))).toBe(true);
      },
    );

    it("ramps up slowly after the pause of a loopback host and removes the limit minutes later", async () => {
      let time = 1_000_000;
      const { politeness } = build({}, true, () => time);
      const [turn] = await enterMany(politeness, 1);
      turn?.end({ ms: 10, statusCode: 429, retryAfterMs: 5_000 });
      time += 5_001;
      await enterMany(politeness, 1);
      expect(await isPending(politeness.enter("a.test", { signal }))).toBe(true);
      time += POLITENESS.recoveryMs;
      await enterMany(politeness, 100);
    });

    it("polls whether another process was told to pause a loopback host", async () => {
      let time = 1_000_000;
      let until = 0;
      let looks = 0;
      const getBackOffUntil = async () => ((looks += 1), until);
      const { politeness } = build({ ...noShare, getBackOffUntil }, true, () => time);
      await enterMany(politeness, 100);
      expect(looks).toBe(1);
      until = time + 30_000;
      time += 5_000;
      expect(await isPending(politeness.enter("a.test", { signal }))).toBe(true);
      expect(looks).toBe(2);
    });
  });

  it("counts the refusals of one burst as one and does not double the pause for each", async () => {
    let time = 1_000_000;
    const { politeness, backOffs } = build({}, false, () => time);
    for (const turn of await enterMany(politeness, POLITENESS.first))
      turn.end({ ms: 10, statusCode: 503 });
    expect(backOffs).toEqual([time + POLITENESS.backOffMs]);
    time += POLITENESS.backOffMs;
    const [next] = await enterMany(politeness, 1);
    next?.end({ ms: 10, statusCode: 503 });
    expect(backOffs[1]).toBe(time + POLITENESS.backOffMs * 2);
  });

  it("gives up a host that serves nothing for long, and admits only start pages", async () => {
    let time = 1_000_000;
    const { politeness } = build({}, false, () => time);
    const later = (turn: Turn | undefined, url: string): void =>
      turn?.end({ url, ms: 10, statusCode: 503 });
    const turns = await enterMany(politeness, POLITENESS.first);
    const began = time;
    for (const [index, turn] of turns.entries()) later(turn, `/${index}`);
    expect(politeness.isRefusing("a.test")).toBe(true);
    time += 60_000;
    later((await enterMany(politeness, 1))[0], "/0");
    time += 60_000;
    const [last] = await enterMany(politeness, 1);
    const waiting = politeness.enter("a.test", { signal });
    time = began + POLITENESS.patienceMs;
    later(last, "/1");
    await expect(waiting).rejects.toMatchObject({
      code: "SCRAPE_RETRY_LIMIT",
      message: expect.stringMatching(/^a\.test served none of 6 requests .* within 300 s/),
      since: began,
    });
    await expect(enterMany(politeness, 1)).rejects.toThrow("given up");
    time += 10_000;
    // Even a start page must end.
    expect(politeness.isRefusing("a.test")).toBe(false);
    const [forced] = [await politeness.enter("a.test", { ignoresBreaker: true, signal })];
    forced?.end({ ms: 10, statusCode: 200 });
    expect(politeness.isRefusing("a.test")).toBe(false);
    await enterMany(politeness, 1);
  });

  it("does not give up a host that served another worker", async () => {
    let time = 1_000_000;
    const { politeness } = build({}, true, () => time);
    for (const waited of [0, 100_000, 100_000, 100_000]) {
      time += waited;
      (await enterMany(politeness, 1))[0]?.end({ ms: 10, statusCode: 503 });
    }
    await expect(enterMany(politeness, 1)).rejects.toThrow("given up");
    politeness.hasHost("a.test");
    time += 10_000;
    await enterMany(politeness, 1);
  });

  it("throttles a loopback host that does not answer", async () => {
    let time = 1_000_000;
    const { politeness } = build({}, true, () => time);
    const turns = await enterMany(politeness, 30);
    for (const turn of turns) turn.end({ ms: 0, statusCode: undefined, isSilent: true });
    await enterMany(politeness, 1);
    expect(await isPending(politeness.enter("a.test", { signal }))).toBe(true);
    time += POLITENESS.recoveryMs;
    await enterMany(politeness, 30);
  });

  it("stops waiting for a host when the signal aborts", async () => {
    const { politeness } = build();
    await enterMany(politeness, POLITENESS.first);
    const controller = new AbortController();
    const waiting = politeness.enter("a.test", { signal: controller.signal });
    controller.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
  });
});

describe("host classification", () => {
  it.each([
    ["5", 5_000],
    ["Wed, 21 Oct 2026 07:28:05 GMT", 5_000],
    ["Wed, 21 Oct 2020 07:28:00 GMT", 0],
    ["soon", undefined],
    [undefined, undefined],
  ])("parses Retry-After %s", (header, ms) => {
    expect(parseRetryAfterMs(header, Date.parse("2026-10-21T07:28:00Z"))).toBe(ms);
  });

  it.each([
    ["127.0.0.1:8080", true],
    ["[::1]:80", true],
    ["localhost", true],
    ["10.0.0.1", false],
    ["example.com:8080", false],
  ])("classifies %s as a loopback host: %s", (host, own) => {
    expect(isOwnHost(host)).toBe(own);
  });
});
