import fc from "fast-check";
import { expect, test } from "vitest";
import { foldSpace, isBlank } from "./tree.ts";

const PIECES = [
  "a", "é", "漢", "\ud800", " ", "  ", "\t", "\n", "\v", "\f", "\r", "\u0085", "\u00a0", "\u1680", "\u180e", "\u2000",
  "\u200a", "\u200b", "\u2019", "\u2028", "\u2029", "\u202f", "\u205f", "\u2060", "\u3000", "\u3001", "\ufeff", "\ufffe",
]; // prettier-ignore

/** Texts of letters, of everything that `\s` matches, and of neighboring characters. */
const spaced = fc
  .array(fc.constantFrom(...PIECES), { maxLength: 8 })
  .map((pieces) => pieces.join(""));

test("folds whitespace in the same way as a regular expression", () => {
  fc.assert(
    fc.property(spaced, (text) => {
      expect(foldSpace(text)).toBe(text.replace(/\s+/g, " ").trim());
    }),
    { numRuns: 2_000 },
  );
});

test("reports a text as blank only if it is all whitespace", () => {
  for (let code = 0; code <= 0xffff; code++) {
    const character = String.fromCharCode(code);
    if (isBlank(character) !== /^\s$/.test(character)) expect.fail(code.toString(16));
  }
  fc.assert(fc.property(spaced, (text) => isBlank(text) === !/\S/.test(text)));
});
