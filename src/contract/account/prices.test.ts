import { describe, expect, it } from "vitest";
import { computeBrowserPrice, computeSearchPrice } from "./prices.ts";

describe("other prices", () => {
  it.each([
    [0, 0],
    [1, 2],
    [10, 2],
    [11, 4],
  ])("charges a search with %i results %i credits", (results, credits) => {
    expect(computeSearchPrice(results)).toBe(credits);
  });

  it.each([
    [0, false, 2],
    [60_000, false, 2],
    [60_001, false, 4],
    [1, true, 7],
    [61_000, true, 14],
  ])(
    "charges %i ms of browser time with prompt %s %i credits",
    (durationMs, usedPrompt, credits) => {
      expect(computeBrowserPrice(durationMs, usedPrompt)).toBe(credits);
    },
  );
});
