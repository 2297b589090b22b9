import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hashWords } from "./block-text.ts";

const text = fc
  .array(
    fc.oneof(fc.string({ unit: "binary" }), fc.string(), fc.constantFrom("\ud835", "Ab_1", " ")),
  )
  .map((parts) => parts.join(""));

describe("hashWords", () => {
  it("splits words at everything but letters, digits and underscores", () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 4 }), (value, shortest) => {
        const words = value.split(/[^\p{L}\p{N}_]+/u).filter(({ length }) => length >= shortest);
        expect(hashWords(value, shortest)).toEqual(words.flatMap((word) => hashWords(word)));
        for (const word of words) expect(hashWords(word)).toHaveLength(1);
      }),
    );
  });

  it("ignores the case of ASCII letters only", () => {
    expect(hashWords("Read ME")).toEqual(hashWords("read me"));
    expect(hashWords("\u00c9t\u00e9")).not.toEqual(hashWords("\u00e9t\u00e9"));
  });
});
