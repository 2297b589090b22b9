import { describe, expect, it } from "vitest";
import type { AgentStep, AgentStepStore, StepEnd } from "../store/agent/agent-steps.ts";
import { QuarryError, RequestError, TargetError } from "../errors.ts";
import { CreditLimit, Journal, JournalChangedSignal } from "./journal.ts";

/** An in-memory step store for one run. */
function createSteps(): AgentStepStore & {
  readonly kept: Map<number, AgentStep>;
  /** Steps whose output was read. */
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

describe("credit limit of a run's steps", () => {
  it("does not reserve the same credits for concurrent steps", async () => {
    const steps = createSteps();
    const journal = await open(steps, 5);
    const taken = await Promise.allSettled([
      journal.runStep(call(5), costing(5)),
      journal.runStep(call(5), costing(5)),
    ]);
    expect(taken.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    expect(taken[1]).toMatchObject({ reason: expect.any(CreditLimit) });
    expect(steps.kept.size).toBe(1);
    expect(journal.spent).toBe(5);
  });

  it("starts concurrent steps one by one as credits become free", async () => {
    const journal = await open(createSteps(), 7);
    const taken = await Promise.allSettled(
      Array.from({ length: 4 }, () => journal.runStep(call(5), costing(2))),
    );
    // Each step costs less than its maximum: the second starts with 5 left; 3 are too few for the
    // third.
    expect(taken.map(({ status }) => status)).toEqual([
      "fulfilled",
      "fulfilled",
      "rejected",
      "rejected",
    ]);
    expect(journal.spent).toBe(4);
  });

  it("charges at most the remaining credits for a step that costs more than planned", async () => {
    const steps = createSteps();
    const journal = await open(steps, 10);
    await journal.runStep(call(1), costing(300));
    expect(journal.spent).toBe(10);
    expect(steps.kept.get(0)?.credits).toBe(10);
    await expect(journal.runStep(call(1), costing(1))).rejects.toThrow(CreditLimit);
  });
});

it("reports whether the next step was started before", async () => {
  const steps = createSteps();
  const first = await open(steps, 100);
  expect(first.recalls).toBe(false);
  await first.runStep(call(1), costing(1));
  await steps.begin("run", "one", { number: 1, tool: "scrape", input: {} }, 2);
  const second = await open(steps, 100);
  expect(second.recalls).toBe(true);
  await second.runStep(call(1), () => Promise.reject(new Error("It is known.")));
  expect(second.recalls).toBe(true);
  await second.runStep(call(1), costing(1));
  expect(second.recalls).toBe(false);
});

it("a recorded step's credits count at once and its output is read when the run reaches it", async () => {
  const steps = createSteps();
  const first = await open(steps, 10);
  for (let count = 0; count < 3; count += 1) await first.runStep(call(3), costing(3));
  const second = await open(steps, 10);
  expect(steps.asked).toEqual([]);
  const again = second.runStep(call(3), () => Promise.reject(new Error("It is known.")));
  expect(second.spent).toBe(3);
  expect(await again).toBe("done");
  expect(steps.asked).toEqual([0]);
});

it.each([
  new RequestError("FORBIDDEN", "Not among the pages.", { details: { url: "http://a.example/" } }),
  new TargetError("SCRAPE_SITE_ERROR", "It is gone."),
])("a recorded failure is thrown again with code $code", async (failure) => {
  const steps = createSteps();
  const first = await open(steps, 10);
  await expect(first.runStep(call(3), () => Promise.reject(failure))).rejects.toBe(failure);
  const second = await open(steps, 10);
  const [again] = await Promise.allSettled([second.runStep(call(3), costing(3))]);
  const { reason } = again as PromiseRejectedResult;
  expect(reason).toBeInstanceOf(QuarryError);
  expect(reason).toMatchObject({ ...failure.toRecord(), status: failure.status });
  expect(second.spent).toBe(0);
});

it("a step that differs from the journal throws JournalChangedSignal", async () => {
  const steps = createSteps();
  await (await open(steps, 10)).runStep(call(3), costing(3));
  const second = await open(steps, 10);
  const other = { tool: "scrape", input: { url: "http://a.example/" }, maxCredits: 3 };
  await expect(second.runStep(other, costing(3))).rejects.toBeInstanceOf(JournalChangedSignal);
});
