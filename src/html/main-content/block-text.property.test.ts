import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wordHashes } from "./block-text.ts";

const text = fc
  .array(
    fc.oneof(fc.string({ unit: "binary" }), fc.string(), fc.constantFrom("\ud835", "Ab_1", " ")),
  )
  .map((parts) => parts.join(""));

describe("wordHashes", () => {
  it("splits words at everything but letters, digits and underscores", () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 4 }), (value, shortest) => {
        const words = value.split(/[^\p{L}\p{N}_]+/u).filter(({ length }) => length >= shortest);
        expect(wordHashes(value, shortest)).toEqual(words.flatMap((word) => wordHashes(word)));
        for (const word of words) expect(wordHashes(word)).toHaveLength(1);
      }),
    );
  });

  it("ignores the case of ASCII letters only", () => {
    expect(wordHashes("Read ME")).toEqual(wordHashes("read me"));
    expect(wordHashes("\u00c9t\u00e9")).not.toEqual(wordHashes("\u00e9t\u00e9"));
  });
});
