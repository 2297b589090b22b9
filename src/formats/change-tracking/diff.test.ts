import { applyPatch } from "diff";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildDiff } from "./diff.ts";

describe("buildDiff", () => {
  it("returns the diff in the shape of the wire contract", () => {
    const { text, json } = buildDiff("# Pricing\nStarter: $9", "# Pricing\nStarter: $12");
    expect(text).toBe("@@ -1,2 +1,2 @@\n # Pricing\n-Starter: $9\n+Starter: $12");
    expect(json).toEqual({
      files: [
        {
          from: null,
          to: null,
          chunks: [
            {
              content: "@@ -1,2 +1,2 @@",
              oldStart: 1,
              oldLines: 2,
              newStart: 1,
              newLines: 2,
              changes: [
                { type: "normal", normal: true, ln1: 1, ln2: 1, content: " # Pricing" },
                { type: "del", del: true, ln: 2, content: "-Starter: $9" },
                { type: "add", add: true, ln: 2, content: "+Starter: $12" },
              ],
            },
          ],
        },
      ],
    });
  });

  it("marks changed lines that do not count as noise", () => {
    const deleted = new Set([1]);
    const added = new Set([1]);
    const { json } = buildDiff("a\n3 views", "b\n4 views", { deleted, added });
    const changes = json.files[0]?.chunks[0]?.changes ?? [];
    expect(changes.filter(({ noise }) => noise === true).map(({ content }) => content)).toEqual([
      "-3 views",
      "+4 views",
    ]);
  });

  it("builds a patch that turns the previous text into the current one", () => {
    const textOf = fc
      .array(fc.constantFrom("a", "b", "c", "", " d"), { maxLength: 40 })
      .map((lines) => lines.map((line) => `${line}\n`).join(""));
    fc.assert(
      fc.property(textOf, textOf, (previous, current) => {
        const { text } = buildDiff(previous, current);
        expect(applyPatch(previous, `--- a\n+++ b\n${text}\n`)).toBe(current);
      }),
    );
  });

  it("builds one bounded hunk that still applies for texts without a common line", () => {
    const text = (word: string): string =>
      `same\n${Array.from({ length: 20_000 }, (_, index) => `${word}${index}\n`).join("")}end\n`;
    const { text: patch, json } = buildDiff(text("a"), text("b"));
    expect(json.files[0]?.chunks).toHaveLength(1);
    expect(applyPatch(text("a"), `--- a\n+++ b\n${patch}\n`)).toBe(text("b"));
  });
});
