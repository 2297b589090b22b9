import { describe, expect, it } from "vitest";
import type { AgentStep, AgentStepStore, StepEnd } from "../store/agent/agent-steps.ts";
import { QuarryError, RequestError, TargetError } from "../errors.ts";
import { CreditLimit, Journal, JournalChanged } from "./journal.ts";

/** The steps of one run in memory. */
function createSteps(): AgentStepStore & {
  readonly kept: Map<number, AgentStep>;
  /** Steps whose output was looked up. */
  readonly asked: number[];
} {
  const kept = new Map<number, AgentStep>();
  const asked: number[] = [];
  return {
    kept,
    asked,
    list: async () => [...kept.values()].map((step) => ({ ...step, output: null })),
    async find(_run, number) {
      asked.push(number);
      return kept.get(number);
    },
    async begin(_run, _worker, step, now) {
      const open = { output: null, error: null, shown: null, credits: 0 };
      const ended = { endedAt: null, endedEvent: null };
      kept.set(step.number, { ...step, ...open, ...ended, beganAt: now, beganEvent: 0 });
      return true;
    },
    async end(_run, _worker, number, { output = null, error, credits }: StepEnd, now) {
      const step = kept.get(number) as AgentStep;
      const failed = error ?? null;
      kept.set(number, { ...step, output, error: failed, credits, endedAt: now, endedEvent: 1 });
      return true;
    },
  };
}

const { signal } = new AbortController();
const open = (steps: AgentStepStore, maxCredits: number): Promise<Journal> =>
  Journal.open({ steps, runId: "run", worker: "one", maxCredits, signal, now: () => 1 });
const call = (maxCredits: number) => ({ tool: "scrape", input: {}, maxCredits });
const costing = (credits: number) => async () => ({ output: "done", shown: null, credits });

describe("what the steps of a run may cost", () => {
  it("steps begun together do not count on the same credits", async () => {
    const steps = createSteps();
    const journal = await open(steps, 5);
    const taken = await Promise.allSettled([
      journal.step(call(5), costing(5)),
      journal.step(call(5), costing(5)),
    ]);
    expect(taken.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    expect(taken[1]).toMatchObject({ reason: expect.any(CreditLimit) });
    expect(steps.kept.size).toBe(1);
    expect(journal.spent).toBe(5);
  });

  it("those that wait for one another are let in one by one", async () => {
    const journal = await open(createSteps(), 7);
    const taken = await Promise.allSettled(
      Array.from({ length: 4 }, () => journal.step(call(5), costing(2))),
    );
    // Each comes cheaper than it could: the second begins with 5 left, for the third 3 are too few.
    expect(taken.map(({ status }) => status)).toEqual([
      "fulfilled",
      "fulfilled",
      "rejected",
      "rejected",
    ]);
    expect(journal.spent).toBe(4);
  });

  it("a step that turns out dearer than it was begun for costs no more than is left", async () => {
    const steps = createSteps();
    const journal = await open(steps, 10);
    await journal.step(call(1), costing(300));
    expect(journal.spent).toBe(10);
    expect(steps.kept.get(0)?.credits).toBe(10);
    await expect(journal.step(call(1), costing(1))).rejects.toThrow(CreditLimit);
  });
});

it("tells whether the next step was begun before", async () => {
  const steps = createSteps();
  const first = await open(steps, 100);
  expect(first.recalls).toBe(false);
  await first.step(call(1), costing(1));
  await steps.begin("run", "one", { number: 1, tool: "scrape", input: {} }, 2);
  const second = await open(steps, 100);
  expect(second.recalls).toBe(true);
  await second.step(call(1), () => Promise.reject(new Error("It is known.")));
  expect(second.recalls).toBe(true);
  await second.step(call(1), costing(1));
  expect(second.recalls).toBe(false);
});

it("what came of a step is looked up when the run gets there, and its credits count at once", async () => {
  const steps = createSteps();
  const first = await open(steps, 10);
  for (let count = 0; count < 3; count += 1) await first.step(call(3), costing(3));
  const second = await open(steps, 10);
  expect(steps.asked).toEqual([]);
  const again = second.step(call(3), () => Promise.reject(new Error("It is known.")));
  expect(second.spent).toBe(3);
  expect(await again).toBe("done");
  expect(steps.asked).toEqual([0]);
});

it.each([
  new RequestError("FORBIDDEN", "Not among the pages.", { details: { url: "http://a.example/" } }),
  new TargetError("SCRAPE_SITE_ERROR", "It is gone."),
])("a step that failed fails again as it did: $code", async (failure) => {
  const steps = createSteps();
  const first = await open(steps, 10);
  await expect(first.step(call(3), () => Promise.reject(failure))).rejects.toBe(failure);
  const second = await open(steps, 10);
  const [again] = await Promise.allSettled([second.step(call(3), costing(3))]);
  const { reason } = again as PromiseRejectedResult;
  expect(reason).toBeInstanceOf(QuarryError);
  expect(reason).toMatchObject({ ...failure.toRecord(), status: failure.status });
  expect(second.spent).toBe(0);
});

it("what the run decides now must be what its journal has", async () => {
  const steps = createSteps();
  await (await open(steps, 10)).step(call(3), costing(3));
  const second = await open(steps, 10);
  const other = { tool: "scrape", input: { url: "http://a.example/" }, maxCredits: 3 };
  await expect(second.step(other, costing(3))).rejects.toBeInstanceOf(JournalChanged);
});
