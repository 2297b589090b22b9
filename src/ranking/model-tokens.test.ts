import { describe, expect, it } from "vitest";
import { countTokens, takeTokens } from "./model-tokens.ts";

const TEXTS = {
  "a short page": "The harbour office answers every call with a list of free berths. ".repeat(12),
  "text without spaces": "港湾事務所は毎日空いている停泊場所の一覧を答えます。".repeat(12),
  "one long word": "x".repeat(3_000),
  "surrogate pairs": "🚢".repeat(600),
};

describe("texts within a budget of tokens", () => {
  it.each(Object.entries(TEXTS))("keeps a small budget for %s", (_, text) => {
    for (const budget of [16, 50, 100]) {
      const { text: taken, next } = takeTokens(text, budget);
      expect(countTokens(taken)).toBeLessThanOrEqual(budget);
      expect(taken.length).toBeGreaterThan(0);
      expect(next).toBe(taken.length);
    }
  });

  it.each(Object.entries(TEXTS))(
    "returns each part of %s once, also without a budget",
    (_, text) => {
      for (const budget of [-5, 0, 40, 1_000]) {
        const parts: string[] = [];
        for (let from: number | undefined = 0; from !== undefined;) {
          const taken = takeTokens(text, budget, from);
          parts.push(taken.text);
          from = taken.next;
        }
        expect(parts.join("")).toBe(text);
        expect(parts.every((part) => part.isWellFormed())).toBe(true);
      }
    },
  );
});
