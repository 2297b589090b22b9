// Agent runs on both databases: a killed run resumes from its journal at any point, and nothing is
// paid twice.
import { v7 } from "uuid";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createExecuteRun } from "../../src/agent/execute-run.ts";
import { createAgentKind } from "../../src/agent/agent-kind.ts";
import { UNLIMITED } from "../../src/account/identity.ts";
import { buildJobIdentity } from "../../src/jobs/caller.ts";
import { RunLostSignal } from "../../src/jobs/kind.ts";
import { createLogger } from "../../src/logger.ts";
import type { LanguageModel } from "../../src/models/model.ts";
import type { AgentStepStore } from "../../src/store/agent/agent-steps.ts";
import type { NewJob } from "../../src/store/jobs/job-record.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import {
  createCountingReader,
  DIRECTORY_CREDITS,
  EXPECTED_STAFF,
  HOME,
  type CountingReader,
} from "../agent-reader.ts";
import { describeDatabases } from "../databases.ts";
import { createScriptedModel } from "../scripted-model.ts";
import { buildJob } from "../jobs.ts";
import { PEOPLE, STAFF_SCHEMA } from "../site/agent-sites.ts";

const log = createLogger("silent");
const HOUR = 3_600_000;
/** One run per write of its journal. */
const SLOW = { timeout: 240_000 };
const WEBHOOK = {
  url: "http://a.example/",
  headers: {},
  metadata: {},
  events: ["started", "action", "completed", "failed", "cancelled"],
};

type NewRun = NewJob & { readonly threadId: string; readonly turn: number };

function buildRun(overrides: Partial<NewRun> & { readonly maxCredits?: number } = {}): NewRun {
  const { threadId = v7(), turn = 1, maxCredits = 2_500, ...job } = overrides;
  const built = buildJob({
    kind: "agent",
    url: null,
    limit: null,
    seeding: true,
    run: { dueAt: job.createdAt ?? 0 },
    options: {
      prompt: "Every member of staff with title, e-mail, phone and department",
      urls: [HOME],
      schema: STAFF_SCHEMA,
      strictConstrainToURLs: false,
      model: "spark-1-mini",
      mode: "extract",
      origin: "api",
      maxCredits,
      limits: UNLIMITED,
    },
    ...job,
  });
  return { ...built, threadId, turn };
}

/** Simulates the end of the process. */
class Killed extends Error {}

/** The journal; its `point`-th write kills, before or just after it happens. */
function killingSteps(steps: AgentStepStore, point: number): AgentStepStore {
  let writes = 0;
  const around = async <T>(write: () => Promise<T>): Promise<T> => {
    const mine = (writes += 1);
    if (mine * 2 - 1 === point) throw new Killed(`before write ${mine}`);
    const done = await write();
    if (mine * 2 === point) throw new Killed(`after write ${mine}`);
    return done;
  };
  return {
    ...steps,
    begin: (...given) => around(() => steps.begin(...given)),
    end: (...given) => around(() => steps.end(...given)),
  };
}

/** Reads two pages concurrently, keeps what they say, reads on, and finishes. */
function scriptFor() {
  const [one, two] = EXPECTED_STAFF;
  const scrape = (slug = "") => ({ name: "scrape", arguments: { url: `${HOME}people/${slug}` } });
  return [
    [
      { name: "scrape", arguments: { url: HOME } },
      { name: "scrape", arguments: { url: `${HOME}gone` } },
    ],
    [scrape(PEOPLE[0]?.slug), scrape(PEOPLE[1]?.slug)],
    [
      { name: "note", arguments: { data: { staff: [{ name: one?.name, email: one?.email }] } } },
      { name: "read", arguments: { page: "p2", from: 3 } },
    ],
    [{ name: "finish", arguments: { data: { staff: [{ name: two?.name, phone: two?.phone }] } } }],
  ];
}

describeDatabases("agent runs", (configure) => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore(await configure(), log);
  });
  afterAll(async () => {
    await store.close();
  });

  /** Number of people in each partial answer. */
  const kept: number[] = [];

  /** Lets a new process work on the run; false when it was killed. */
  async function work(
    id: string,
    reader: CountingReader,
    killAt?: number,
    model?: LanguageModel,
    now = Date.now,
  ): Promise<boolean> {
    const worker = v7();
    const job = await claim(id, { worker, leaseMs: HOUR }, Date.now());
    if (job === undefined) throw new Error("Nobody can work on the run.");
    const steps = killAt === undefined ? store.agentSteps : killingSteps(store.agentSteps, killAt);
    const models = { role: () => model, inputTokens: 24_000 };
    const executeRun = createExecuteRun({ reader, models, search: undefined, now });
    const { runner } = createAgentKind({
      steps: async () => steps,
      executeRun: async () => executeRun,
      log,
    });
    const { runs } = store;
    try {
      const end = await runner?.run({
        job,
        identity: buildJobIdentity(job),
        signal: new AbortController().signal,
        worker,
        async save(answer) {
          kept.push(staffOf(answer).length);
          if (!(await runs.save(id, worker, { progress: answer }, Date.now())))
            throw new RunLostSignal(id);
        },
        onEvent: () => undefined,
        warn: async () => undefined,
      });
      expect(end !== undefined && (await runs.end(id, end, Date.now(), worker))).toBe(true);
      return true;
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      await runs.release(id, worker, { dueAt: 0, counts: true });
      return false;
    }
  }

  const create = (run: NewRun): Promise<boolean> =>
    store.jobs.create(run, [], store.agentRuns.addTurn(run));

  async function claim(id: string, lease: { worker: string; leaseMs: number }, now: number) {
    const claimed = await store.runs.claim({ kind: "agent", max: 100 }, lease, now);
    return claimed.find((job) => job.id === id);
  }

  const cancel = async (id: string, now: number): Promise<boolean> => {
    const end = createAgentKind({} as never).cancelled?.();
    return end !== undefined && (await store.runs.end(id, end, now));
  };

  const eventsOf = async (id: string): Promise<string[]> =>
    (await store.deliveries.log(id, { skip: 0, limit: 1_000 })).map(({ type }) => type);
  const staffOf = (answer: unknown): object[] =>
    (answer as { value: { staff: object[] } }).value.staff;
  const sorted = (people: readonly object[]): string[] =>
    people.map((person) => JSON.stringify(person)).toSorted();

  it("a run over three levels returns every person once with a page per value", async () => {
    const run = buildRun();
    await create(run);
    const reader = createCountingReader();
    expect(await work(run.id, reader)).toBe(true);
    const ended = await store.agentRuns.load(run.id);
    expect(ended).toMatchObject({ state: "completed", creditsUsed: DIRECTORY_CREDITS });
    expect(sorted(staffOf(ended?.answer))).toEqual(sorted(EXPECTED_STAFF));
    const { sources } = (ended?.answer ?? {}) as { sources: Record<string, { url: string }[]> };
    const first = staffOf(ended?.answer)[0] as { name: string };
    expect(sources["/staff/0/name"]?.[0]).toMatchObject({ text: first.name });
    expect(sources["/staff/0/email"]?.[0]?.url).toMatch(/\/people\//);
    expect(ended?.warning).toContain("/gone");
  });

  it(
    "a run killed at any journal write reaches the same end and pays for no page twice",
    SLOW,
    async () => {
      const whole = buildRun();
      await create(whole);
      await work(whole.id, createCountingReader());
      const expected = (await store.agentRuns.load(whole.id))?.answer;
      const writes = 2 * (await store.agentSteps.list(whole.id)).length;
      expect(writes).toBeGreaterThan(30);
      // All points take a minute; the second database tests a sample.
      const stride = store.database.kind === "pglite" ? 1 : 7;
      for (let point = 1; point <= 2 * writes; point += stride) {
        const run = buildRun({ webhook: WEBHOOK });
        await create(run);
        const reader = createCountingReader();
        expect(await work(run.id, reader, point), `point ${point}`).toBe(false);
        expect(await work(run.id, reader), `point ${point}`).toBe(true);
        const ended = await store.agentRuns.load(run.id);
        expect(ended?.answer, `point ${point}`).toEqual(expected);
        expect(ended?.creditsUsed, `point ${point}`).toBe(DIRECTORY_CREDITS);
        const steps = await store.agentSteps.list(run.id);
        expect(steps.map(({ number }) => number)).toEqual(steps.map((_, index) => index));
        const events = await store.deliveries.log(run.id, { skip: 0, limit: 1_000 });
        const types = events.map(({ type }) => type);
        expect(types.filter((type) => type === "agent.action")).toHaveLength(steps.length);
        expect([types[0], types.at(-1)]).toEqual(["agent.started", "agent.completed"]);
        // Recorded pages are not requested again; only those in flight are.
        const twice = [...reader.reads.values()].filter((count) => count > 1).length;
        expect(twice, `point ${point}`).toBeLessThanOrEqual(4);
      }
    },
  );

  it(
    "a model run killed at any write continues its conversation and repeats no recorded answer",
    SLOW,
    async () => {
      const turns = scriptFor();
      const whole = buildRun();
      await create(whole);
      await work(whole.id, createCountingReader(), undefined, createScriptedModel(turns));
      const first = await store.agentRuns.load(whole.id);
      expect(first).toMatchObject({ state: "completed", tokensUsed: 1_000 * turns.length });
      expect(staffOf(first?.answer)).toHaveLength(2);
      const steps = (await store.agentSteps.list(whole.id)).length;
      expect(steps).toBeGreaterThan(8);
      const stride = store.database.kind === "pglite" ? 1 : 5;
      for (let point = 1; point <= 4 * steps; point += stride) {
        const run = buildRun();
        await create(run);
        const model = createScriptedModel(turns);
        const reader = createCountingReader();
        expect(await work(run.id, reader, point, model), `point ${point}`).toBe(false);
        expect(await work(run.id, reader, undefined, model), `point ${point}`).toBe(true);
        const ended = await store.agentRuns.load(run.id);
        expect(ended?.answer, `point ${point}`).toEqual(first?.answer);
        expect(ended, `point ${point}`).toMatchObject({
          creditsUsed: first?.creditsUsed,
          tokensUsed: first?.tokensUsed,
        });
        const twice = [...model.asks, ...reader.reads.values()].filter((count) => count > 1).length;
        expect(twice, `point ${point}`).toBeLessThanOrEqual(2);
      }
    },
  );

  it("a run resumed after its time limit keeps its journal and starts nothing more", async () => {
    const later = () => Date.now() + 24 * HOUR;
    const run = buildRun();
    await create(run);
    expect(await work(run.id, createCountingReader(), 40)).toBe(false);
    const before = (await store.agentSteps.list(run.id)).length;
    expect(await work(run.id, createCountingReader(), undefined, undefined, later)).toBe(true);
    const ended = await store.agentRuns.load(run.id);
    expect(staffOf(ended?.answer).length).toBeGreaterThan(0);
    expect(ended?.warning).toContain("reached its time limit");
    expect(await store.agentSteps.list(run.id)).toHaveLength(before);
    const other = buildRun();
    await create(other);
    const model = createScriptedModel(scriptFor());
    // After the note.
    expect(await work(other.id, createCountingReader(), 31, model)).toBe(false);
    expect(await work(other.id, createCountingReader(), undefined, model, later)).toBe(true);
    const told = await store.agentRuns.load(other.id);
    expect(staffOf(told?.answer)).toHaveLength(1);
    expect(told?.warning).toContain("reached its time limit");
  });

  it("the visible data of a run never shrinks when it resumes after a kill", async () => {
    const run = buildRun();
    await create(run);
    kept.length = 0;
    expect(await work(run.id, createCountingReader(), 45)).toBe(false);
    const before = Math.max(...kept);
    expect(before).toBeGreaterThan(0);
    kept.length = 0;
    expect(await work(run.id, createCountingReader())).toBe(true);
    expect(kept.length).toBeGreaterThan(0);
    expect(Math.min(...kept)).toBeGreaterThanOrEqual(before);
  });

  it("a run resumed by a server with another model fails at once with the reason", async () => {
    const run = buildRun();
    await create(run);
    expect(await work(run.id, createCountingReader(), 20)).toBe(false);
    const model = createScriptedModel(scriptFor());
    expect(await work(run.id, createCountingReader(), undefined, model)).toBe(true);
    const ended = await store.agentRuns.load(run.id);
    expect(ended).toMatchObject({ state: "failed", outcome: "failed" });
    expect(ended?.error?.message).toMatch(/changed during the run.*Start it again/);
    expect(staffOf(ended?.answer).length).toBeGreaterThan(0);
  });

  it("a run killed after every few writes still ends", async () => {
    const run = buildRun();
    await create(run);
    const reader = createCountingReader();
    let kills = 0;
    while (!(await work(run.id, reader, 5))) kills += 1;
    expect(kills).toBeGreaterThan(3);
    expect(await store.agentRuns.load(run.id)).toMatchObject({
      state: "completed",
      creditsUsed: DIRECTORY_CREDITS,
    });
  });

  it("a run stops before a step that could exceed its credits, charges nothing and keeps its data", async () => {
    const run = buildRun({ maxCredits: 24, webhook: WEBHOOK });
    await create(run);
    const reader = createCountingReader();
    await work(run.id, reader);
    const ended = await store.agentRuns.load(run.id);
    expect(ended).toMatchObject({
      state: "failed",
      outcome: "credit_limit_reached",
      creditsUsed: 0,
      error: { code: "INSUFFICIENT_CREDITS" },
    });
    expect([...reader.reads.values()].reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(
      5,
    );
    expect(staffOf(ended?.answer).length).toBeGreaterThan(0);
    expect((await eventsOf(run.id)).at(-1)).toBe("agent.failed");
  });

  it("writes of an earlier lease holder are rejected", async () => {
    const run = buildRun();
    await create(run);
    const lease = { worker: "one", leaseMs: 1_000 };
    await claim(run.id, lease, 1_000);
    expect(await claim(run.id, { ...lease, worker: "two" }, 1_500)).toBeUndefined();
    const step = { number: 0, tool: "scrape", input: {} };
    expect(await store.agentSteps.begin(run.id, "one", step, 1_500)).toBe(true);
    await claim(run.id, { ...lease, worker: "two" }, 2_500);
    expect(await store.agentSteps.end(run.id, "one", 0, { credits: 5 }, 2_600)).toBe(false);
    expect(await store.runs.renew([run.id], lease, 2_600)).toEqual([]);
    expect(await store.runs.end(run.id, { state: "completed" }, 2_600, "one")).toBe(false);
    expect(await store.agentRuns.load(run.id)).toMatchObject({
      state: "processing",
      creditsUsed: 0,
    });
  });

  it("a cancelled run stays cancelled with its data", async () => {
    const run = buildRun({ webhook: WEBHOOK });
    await create(run);
    const reader = createCountingReader();
    await work(run.id, reader, 30);
    expect(await cancel(run.id, Date.now())).toBe(true);
    expect(await store.runs.end(run.id, { state: "completed" }, Date.now())).toBe(false);
    const ended = await store.agentRuns.load(run.id);
    expect(ended).toMatchObject({ state: "failed", outcome: "cancelled" });
    expect(staffOf(ended?.answer).length).toBeGreaterThan(0);
    await expect(work(run.id, reader)).rejects.toThrow("Nobody");
    expect((await eventsOf(run.id)).at(-1)).toBe("agent.cancelled");
  });

  it("a thread has one running run, and an expired run is removed with its journal", async () => {
    const run = buildRun();
    expect(await create(run)).toBe(true);
    const { threadId, accountId } = run;
    expect(await create(buildRun({ threadId, accountId, turn: 1 }))).toBe(false);
    const now = Date.now();
    await work(run.id, createCountingReader());
    await store.jobs.markSettled(run.id);
    expect(await create(buildRun({ threadId, accountId, turn: 2 }))).toBe(true);
    expect((await store.agentRuns.loadThread(threadId)).map(({ turn }) => turn)).toEqual([1, 2]);
    expect(await store.agentRuns.load(run.id, now + 25 * HOUR)).toBeUndefined();
    await store.retention.cleanUp({ now: now + 25 * HOUR });
    expect(await store.agentSteps.list(run.id)).toEqual([]);
  });
});
