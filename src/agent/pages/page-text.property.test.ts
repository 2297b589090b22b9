import fc from "fast-check";
import { expect, it } from "vitest";
import { cutPiece, splitSections } from "./page-text.ts";

const markdown = fc
  .array(
    fc.oneof(fc.string(), fc.constant("\n"), fc.constant("\n## Title\n"), fc.constant("# A\n")),
  )
  .map((parts) => parts.join(""));

it("sections are contiguous and cover the whole page", () => {
  fc.assert(
    fc.property(markdown, (text) => {
      const sections = splitSections(text);
      expect(sections.map(({ start, end }) => text.slice(start, end)).join("")).toBe(text);
    }),
  );
});

it("reading a page piece by piece returns all of it once, within the requested size", () => {
  fc.assert(
    fc.property(markdown, fc.integer({ min: 1, max: 50 }), (text, max) => {
      let read = "";
      let next: number | undefined = 0;
      while (next !== undefined) {
        const piece = cutPiece(text, next, max, text.length);
        expect(piece.text.length).toBeLessThanOrEqual(max);
        read += piece.text;
        next = piece.next;
      }
      expect(read).toBe(text);
    }),
  );
});
