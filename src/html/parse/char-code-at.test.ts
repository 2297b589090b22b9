import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { startsWithCode, readCharCode, endsWithCode, measureLength } from "./char-code-at.ts";

describe("readCharCode, measureLength, startsWithCode and endsWith", () => {
  const unit = fc.constantFrom("a", " ", "é", "\u2009", "\ud83d");

  it("returns length and characters of sliced and concatenated texts", () => {
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 40 }), fc.nat(20), (page, start) => {
        for (const text of [page, page.slice(start), `${page}<${page}`]) {
          expect(measureLength(text)).toBe(text.length);
          for (let at = 0; at < text.length; at++)
            expect(readCharCode(text, at)).toBe(text.charCodeAt(at));
        }
      }),
    );
  });

  it("tests the first and last character, and returns false for an empty text", () => {
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 3 }), (text) => {
        expect(startsWithCode(text, 32)).toBe(text.startsWith(" "));
        expect(endsWithCode(text, 32)).toBe(text.endsWith(" "));
      }),
    );
  });
});
