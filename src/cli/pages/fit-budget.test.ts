import { describe, expect, it } from "vitest";
import { countTokens } from "../../ranking/model-tokens.ts";
import { cutTexts, describeLeft, fitTexts } from "./fit-budget.ts";

const lines = Array.from({ length: 100 }, (_, at) => `https://site.test/harbour/page-${at}\n`);

describe("fitTexts", () => {
  it("takes the texts that fit and counts the rest", async () => {
    const fitted = await fitTexts(lines, 200);
    expect(fitted.texts.length).toBeGreaterThan(10);
    expect(fitted.texts.length + fitted.left).toBe(100);
    expect(countTokens(fitted.texts.join(""))).toBeLessThanOrEqual(200);
    expect(describeLeft(fitted, "URLs", 200, "more by --skip")).toBe(
      `${fitted.texts.length} of 100 URLs within 200 tokens; more by --skip\n`,
    );
  });

  it("takes one text at least, and all without a budget", async () => {
    expect((await fitTexts(lines, 1)).texts).toHaveLength(1);
    expect(await fitTexts(lines, undefined)).toEqual({ texts: lines, left: 0 });
    expect(await fitTexts([], 5)).toEqual({ texts: [], left: 0 });
  });
});

describe("cutTexts", () => {
  it("cuts long texts to an equal share and leaves short ones whole", async () => {
    const long = "The harbour is open all year. ".repeat(400);
    const cut = await cutTexts(["Short.", long, long], 600);
    expect(cut[0]).toBe("Short.");
    expect(cut[1]).toMatch(/…$/);
    expect(countTokens(cut.join(""))).toBeLessThanOrEqual(640);
    expect(countTokens(cut.join(""))).toBeGreaterThan(400);
  });
});
