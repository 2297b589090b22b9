import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import { TurnBudget } from "./turn-budget.ts";

function work(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

it("long work lets timers run between its pieces", async () => {
  const budget = new TurnBudget(5);
  let timers = 0;
  const timer = setInterval(() => (timers += 1), 1);
  for (let piece = 0; piece < 20; piece += 1) {
    await budget.yieldWhenSpent();
    work(10);
  }
  clearInterval(timer);
  expect(timers).toBeGreaterThanOrEqual(5);
});

it("fast work does not yield to the event loop", async () => {
  await nextTurn();
  const budget = new TurnBudget(60_000);
  let turns = 0;
  setImmediate(() => (turns += 1));
  for (let piece = 0; piece < 100; piece += 1) await budget.yieldWhenSpent();
  expect(turns).toBe(0);
});
