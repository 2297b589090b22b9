// The frontier on both databases against a small model, and with racing workers.
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createLogger } from "../../src/logger.ts";
import type { LeasedPage } from "../../src/store/jobs/frontier.ts";
import type { NewJob } from "../../src/store/jobs/job-record.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { MAX_ATTEMPTS } from "../../src/store/jobs/frontier-claims.ts";
import { describeDatabases } from "../databases.ts";
import { buildFinished, buildFound, buildJob, buildOutcome, FAILED } from "../jobs.ts";

const log = createLogger("silent");
const LEASE_MS = 30_000;

describeDatabases("frontier", (configure) => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore(await configure(), log);
  });
  afterAll(() => store.close());

  async function startJob(overrides: Partial<NewJob> = {}, identities: number[] = [0]) {
    const job = buildJob(overrides);
    await store.jobs.create(
      job,
      identities.map((identity) => buildFound(identity, { depth: 0, source: "start" })),
    );
    return job;
  }
  const claim = (job: NewJob, more: { worker?: string; max?: number; now?: number } = {}) =>
    store.frontier.claim({ worker: "w", max: 20, leaseMs: LEASE_MS, jobs: [job.id], ...more });
  it(
    "the frontier agrees with a small model for any sequence of operations",
    { timeout: 120_000 },
    async () => {
      type Step =
        | { do: "add"; found: { identity: number; depth: number; refused: boolean }[] }
        | { do: "claim"; worker: string; most: number }
        | { do: "finish"; worker: string; kinds: ("document" | "failed" | "same")[] }
        | { do: "pass"; ms: number };
      const worker = fc.constantFrom("a", "b");
      const step: fc.Arbitrary<Step> = fc.oneof(
        fc.record({
          do: fc.constant("add" as const),
          found: fc.array(
            fc.record({ identity: fc.nat(40), depth: fc.nat(3), refused: fc.boolean() }),
            { maxLength: 12 },
          ),
        }),
        fc.record({
          do: fc.constant("claim" as const),
          worker,
          most: fc.integer({ min: 1, max: 6 }),
        }),
        fc.record({
          do: fc.constant("finish" as const),
          worker,
          kinds: fc.array(fc.constantFrom("document", "failed", "same"), { maxLength: 5 }),
        }),
        fc.record({ do: fc.constant("pass" as const), ms: fc.constantFrom(1_000, LEASE_MS) }),
      );
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: 12 }),
          fc.integer({ min: 1, max: 8 }),
          fc.array(step, { minLength: 5, maxLength: 30 }),
          async (limit, maxConcurrency, steps) => {
            const job = await startJob({ limit, maxConcurrency, seeding: true }, []);
            type Row = {
              depth: number;
              order: number;
              state: string;
              until: number;
              holder: string;
              attempt: number;
            };
            const model = new Map<number, Row>();
            const held: LeasedPage[] = [];
            let now = Date.now();
            let documents = 0;
            const rowOf = (identity: number): Row => {
              const row = model.get(identity);
              if (row === undefined) throw new Error(`unknown ${identity}`);
              return row;
            };
            const inOrder = (states: string[]) =>
              [...model]
                .filter(([, row]) => states.includes(row.state))
                .sort(([, one], [, other]) => one.depth - other.depth || one.order - other.order);
            const used = () => inOrder(["ready", "leased"]).length + documents;
            const promote = () => {
              for (const [, row] of inOrder(["held"])) if (used() < limit) row.state = "ready";
            };
            for (const current of steps) {
              if (current.do === "pass") now += current.ms;
              else if (current.do === "add") {
                for (const { identity, depth, refused } of current.found)
                  if (!model.has(identity))
                    model.set(identity, {
                      depth,
                      order: model.size,
                      state: refused ? "trap" : used() < limit ? "ready" : "held",
                      until: 0,
                      holder: "",
                      attempt: 0,
                    });
                await store.frontier.add(
                  job.id,
                  current.found.map(({ identity, depth, refused }) =>
                    buildFound(identity, {
                      depth,
                      ...(refused ? { refused: { fate: "trap", reason: undefined } } : {}),
                    }),
                  ),
                );
              } else if (current.do === "claim") {
                const isFree = (row: Row) => row.state === "ready" || row.until <= now;
                const live = inOrder(["leased"]).filter(([, row]) => row.until > now).length;
                const most = Math.max(0, Math.min(current.most, maxConcurrency - live));
                const expected = inOrder(["ready", "leased"])
                  .filter(([, row]) => isFree(row))
                  .slice(0, most);
                for (const [, row] of expected) {
                  row.attempt += 1;
                  row.state = row.attempt > MAX_ATTEMPTS ? "error" : "leased";
                  row.until = now + LEASE_MS;
                  row.holder = current.worker;
                }
                promote();
                const pages = await claim(job, { worker: current.worker, max: current.most, now });
                expect(pages.map(({ identity }) => Number(identity))).toEqual(
                  expected
                    .filter(([, row]) => row.state === "leased")
                    .map(([identity]) => identity),
                );
                held.push(...pages);
              } else {
                const pages = held.splice(0, current.kinds.length);
                const report = await store.finish(
                  job.id,
                  current.worker,
                  pages.map((page, index) => {
                    const kind = current.kinds[index];
                    const same = { content: kind === "same" ? -1n : page.identity };
                    return buildFinished(
                      page,
                      [],
                      kind === "failed" ? FAILED : buildOutcome(page, { same }),
                    );
                  }),
                );
                const outcomes = pages.map((page, index) => {
                  const row = rowOf(Number(page.identity));
                  const isMine =
                    row.state === "leased" &&
                    row.holder === current.worker &&
                    row.attempt === page.attempt;
                  if (!isMine) return "lost";
                  const kind = current.kinds[index];
                  const first = ![...model.values()].some(({ state }) => state === "fetched-same");
                  row.state =
                    kind === "failed"
                      ? "error"
                      : kind === "same"
                        ? first
                          ? "fetched-same"
                          : "duplicate"
                        : "fetched";
                  if (row.state.startsWith("fetched")) documents += 1;
                  return kind === "failed" ? "failed" : row.state.replace("-same", "");
                });
                promote();
                expect(report.pages).toEqual(outcomes);
                expect(report.counters.pending + report.counters.completed).toBeLessThanOrEqual(
                  limit,
                );
              }
            }
            const sums: Record<string, number> = {};
            const names: Record<string, string> = {
              ready: "pending",
              leased: "working",
              held: "limit",
              "fetched-same": "fetched",
            };
            for (const { state } of model.values()) {
              const name = names[state] ?? state;
              sums[name] = (sums[name] ?? 0) + 1;
            }
            expect(await store.jobLedger.sumOutcomes(job.id)).toEqual(sums);
            expect(await store.jobs.load(job.id)).toMatchObject({
              pending: inOrder(["ready", "leased"]).length,
              completed: documents,
              held: inOrder(["held"]).length,
              discovered: model.size,
            });
            await store.runs.end(job.id, { state: "cancelled" }, now);
          },
        ),
        { numRuns: 60 },
      );
    },
  );

  it(
    "the frontier survives four racing workers without duplicates and with exact counters",
    { timeout: 60_000 },
    async () => {
      const PAGES = 400;
      const job = await startJob({ limit: PAGES - 50, maxConcurrency: 60 });
      let ends = 0;
      const fetched: string[] = [];
      const work = async (worker: string): Promise<void> => {
        for (;;) {
          const pages = await claim(job, { worker, max: 1 + Math.floor(Math.random() * 12) });
          if (pages.length === 0) {
            if ((await store.jobs.load(job.id))?.state !== "scraping") return;
            continue;
          }
          const report = await store.finish(
            job.id,
            worker,
            pages.map((page) => {
              const number = Number(page.identity);
              const links = [1, 2, 3, 40, 41]
                .map((step) => (number * 3 + step) % PAGES)
                .map((identity) => buildFound(identity, { depth: page.depth + 1 }));
              return buildFinished(page, links, number % 11 === 5 ? FAILED : buildOutcome(page));
            }),
          );
          fetched.push(...pages.map(({ url }) => url));
          if (report.ended) ends += 1;
        }
      };
      await Promise.all(["a", "b", "c", "d"].map(work));
      expect(ends).toBe(1);
      expect(new Set(fetched).size).toBe(fetched.length);
      const job2 = await store.jobs.load(job.id);
      const sums = await store.jobLedger.sumOutcomes(job.id);
      expect(job2).toMatchObject({
        state: "completed",
        pending: 0,
        completed: sums.fetched,
        failed: sums.error,
        held: sums.limit ?? 0,
        discovered: PAGES,
      });
      expect(job2?.completed).toBe(PAGES - 50);
      const documents = await store.results.listPage(job.id, {
        skip: 0,
        limit: 1_000,
        maxBytes: 1e9,
      });
      expect(documents.map(({ sequence }) => sequence)).toEqual(
        Array.from({ length: PAGES - 50 }, (_, index) => index + 1),
      );
    },
  );
});
