import { describe, expect, it } from "vitest";
import { TargetError } from "../errors.ts";
import type { LanguageModel } from "../models/model.ts";
import { createJudge, judgeByRules } from "./judge.ts";

const change = (added: string[], removed: string[] = []) => ({
  url: "https://town.example/",
  added,
  removed,
  diff: [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)].join("\n"),
});
const { signal } = new AbortController();

const modelThat = (answer: () => string): LanguageModel => ({
  name: "test/model",
  complete: async () => ({
    text: answer(),
    toolCalls: [],
    usage: { inputTokens: 1, outputTokens: 1 },
    finish: "stop",
  }),
});

describe("judgment by rules", () => {
  it.each([
    ["Tell me about new gardening jobs", ["Gardener wanted: job in the park"], true],
    ["Tell me about new gardening jobs", ["The pool opens at nine"], false],
    ["price changes, ignore shipping", ["Shipping price: 4.90"], false],
    ["price changes, ignore shipping", ["Shipping: 4.90", "Price: 19.90"], true],
    ["Anything that changes on the page", ["The pool opens at nine"], true],
  ])("judges for the goal %j whether the lines %j matter: %s", (goal, added, meaningful) => {
    const judgment = judgeByRules(goal, change(added));
    expect(judgment).toMatchObject({
      meaningful,
      reason: expect.stringContaining("rules") as string,
    });
    for (const { after } of judgment.meaningfulChanges) expect(added).toContain(after);
  });
});

describe("judgment by a model", () => {
  it("keeps only changes whose quotes are in the diff", async () => {
    const model = modelThat(() =>
      JSON.stringify({
        meaningful: true,
        confidence: "high",
        reason: "The price fell.",
        changes: [
          { type: "changed", before: "Price: 24.90", after: "Price: 19.90", reason: "cheaper" },
          { type: "added", before: null, after: "Free shipping for everyone", reason: "invented" },
        ],
      }),
    );
    const judge = createJudge({ model: () => model });
    expect(await judge("price", change(["Price: 19.90"], ["Price: 24.90"]), signal)).toEqual({
      meaningful: true,
      confidence: "high",
      reason: "The price fell.",
      meaningfulChanges: [
        { type: "changed", before: "Price: 24.90", after: "Price: 19.90", reason: "cheaper" },
      ],
    });
  });

  it("accepts the change, with the reason, when the model fails", async () => {
    const model = modelThat(() => {
      throw new TargetError("MODEL_FAILED", "The provider answered 500.");
    });
    const judgment = await createJudge({ model: () => model })("price", change(["x"]), signal);
    expect(judgment).toMatchObject({
      meaningful: true,
      confidence: "low",
      reason: "The goal was not judged, so the change counts: The provider answered 500.",
    });
  });
});
