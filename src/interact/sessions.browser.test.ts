// Ways in which sessions end: inactivity, age, page crash or process exit. Uses a real page and
// records in memory.
import { v7 } from "uuid";
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { launchTestBrowser } from "../../test/browser/launch.ts";
import { createFreeCredits } from "../account/credits.ts";
import { ANONYMOUS_IDENTITY } from "../account/identity.ts";
import { BrowserGoneSignal } from "../browser/chromium/browser-end.ts";
import type { BrowserPool } from "../browser/pool.ts";
import { Deadline } from "../deadline.ts";
import { createLogger } from "../logger.ts";
import type { BrowserSessionRecord, EndReason } from "../store/sessions/browser-sessions.ts";
import type { LiveSession } from "./session.ts";
import { Sessions, type OpenRequest } from "./sessions.ts";

let browser: Browser;
let sessions: Sessions;
const ends = new Map<string, EndReason>();
const records = new Map<string, BrowserSessionRecord>();
const saved: string[] = [];

/** A pool without an egress gate, because nothing is loaded. */
const pool = {
  async open() {
    const context = await browser.newContext();
    const page = await context.newPage();
    const { promise: gone, reject } = Promise.withResolvers<never>();
    gone.catch(() => undefined);
    page.on("crash", () => reject(new BrowserGoneSignal("crashed", "page")));
    const close = () => context.close();
    return { context, page, gone, close, lane: undefined as never, [Symbol.asyncDispose]: close };
  },
} as unknown as BrowserPool;

const store = {
  database: { kind: "pglite" as const },
  browserSessions: {
    open: async (session: BrowserSessionRecord) => {
      records.set(session.id, { ...session, endedAt: null, endReason: null });
      return { kind: "opened" as const };
    },
    find: async (id: string) => records.get(id),
    findOfScrape: async () => undefined,
    list: async () => [...records.values()],
    keepAlive: async () => undefined,
    end: async (id: string, reason: EndReason) => {
      ends.set(id, reason);
      const record = records.get(id);
      if (record !== undefined)
        records.set(id, { ...record, endedAt: Date.now(), endReason: reason });
    },
    endForeign: async () => undefined,
  },
  profiles: {
    borrow: async () => ({
      state: undefined,
      saves: true,
      save: async (state: string) => void saved.push(state),
      extend: async () => undefined,
      close: async () => undefined,
      [Symbol.asyncDispose]: async () => undefined,
    }),
    remove: async () => true,
  },
};

beforeAll(async () => {
  browser = await launchTestBrowser();
});
afterAll(() => browser.close());
beforeEach(() => {
  sessions = new Sessions({
    pool: async () => pool,
    store: async () => store as never,
    credits: async () => createFreeCredits(),
    log: createLogger("silent"),
    reviewMs: 20,
  });
});
afterEach(() => sessions.close());

async function open(overrides: Partial<OpenRequest> = {}): Promise<LiveSession> {
  using deadline = Deadline.start(30_000);
  const request: OpenRequest = {
    identity: ANONYMOUS_IDENTITY,
    ttlMs: 60_000,
    activityTtlMs: 60_000,
    streamWebView: true,
    profile: undefined,
    scrapeId: null,
    context: {} as never,
    ...overrides,
  };
  return await sessions.open(request, deadline, async () => undefined);
}

const end = (session: LiveSession): Promise<EndReason> =>
  expect
    .poll(() => ends.get(session.facts.id))
    .toBeDefined()
    .then(() => ends.get(session.facts.id) as EndReason);

test("ends a session after inactivity, but not while it is used", async () => {
  const session = await open({ activityTtlMs: 400 });
  await session.run("await page.waitForTimeout(900)", 5_000);
  expect(session.ended).toBe(false);
  expect(await end(session)).toBe("expired");
  await expect(session.run("1", 1_000)).rejects.toMatchObject({ code: "GONE" });
  await expect(sessions.find(session.facts.id, ANONYMOUS_IDENTITY)).rejects.toMatchObject({
    code: "GONE",
  });
});

test("ends a session at its maximum age together with its running code", async () => {
  const session = await open({ ttlMs: 500 });
  const outcome = await session.run("for (;;) await page.waitForTimeout(10)", 20_000);
  expect(outcome).toMatchObject({ killed: true, error: "The session was ended." });
  expect(await end(session)).toBe("expired");
});

test("ends a session whose page crashes", async () => {
  const session = await open();
  await session.lease.page.goto("chrome://crash", { timeout: 2_000 }).catch(() => undefined);
  expect(await end(session)).toBe("failed");
  await expect(sessions.find(session.facts.id, ANONYMOUS_IDENTITY)).rejects.toThrow(/crashed/);
});

test("ends every session and saves its profile when the process shuts down", async () => {
  const profile = { name: "p", saveChanges: true };
  const session = await open({ profile });
  await session.run(
    `await context.addCookies([{ name: "a", value: "kept", url: "http://x.example" }])`,
    5_000,
  );
  await sessions.close();
  expect(ends.get(session.facts.id)).toBe("lost");
  expect(saved.at(-1)).toContain("kept");
  await expect(open()).rejects.toMatchObject({ code: "UNAVAILABLE" });
});

test("rejects code that waits too long in the session's queue", async () => {
  const session = await open();
  const long = session.run("await page.waitForTimeout(1500)", 5_000);
  await expect(session.run("1", 100)).rejects.toMatchObject({ code: "CONCURRENCY_QUEUE_TIMEOUT" });
  expect((await long).exitCode).toBe(0);
  expect((await session.run("2", 2_000)).result).toBe("2");
});

test("does not find another account's session", async () => {
  const session = await open();
  const stranger = { ...ANONYMOUS_IDENTITY, accountId: v7() };
  await expect(sessions.find(session.facts.id, stranger)).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  await expect(sessions.find("../../etc", stranger)).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(sessions.findByToken("x".repeat(43), "view")).toBeUndefined();
  expect(sessions.findByToken(session.tokens.view, "control")).toBeUndefined();
  expect(sessions.findByToken(session.tokens.control, "view")).toBe(session);
});
