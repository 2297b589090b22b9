import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InlineRun } from "./inline.ts";
import { NO_MARKS, withMark } from "./marks.ts";

describe("InlineRun", () => {
  it("writes the same line whether or not its texts were recognized as plain", () => {
    const unit = fc.constantFrom("a", ".", " ", "\n", "\t", "\u00a0", "é", "*", "_", "[");
    const text = fc.string({ unit, maxLength: 5 });
    const marks = fc.constantFrom(NO_MARKS, withMark(NO_MARKS, "em"));
    fc.assert(
      fc.property(fc.array(fc.tuple(text, marks), { maxLength: 6 }), (texts) => {
        const asked = new InlineRun();
        const unasked = new InlineRun();
        for (const [written, around] of texts) {
          asked.text(written, around);
          unasked.text(written, around, false);
        }
        expect(asked.take("hard")).toBe(unasked.take("hard"));
      }),
    );
  });

  it("writes one space for whitespace between texts, and none before the first", () => {
    const text = fc.constantFrom("", "a", " b", "c ", "*d*");
    fc.assert(
      fc.property(fc.array(text, { maxLength: 6 }), (texts) => {
        const asBlank = new InlineRun();
        const asText = new InlineRun();
        for (const written of texts) {
          asBlank.blank(NO_MARKS);
          asText.text("\n\t", NO_MARKS);
          asBlank.text(written, NO_MARKS);
          asText.text(written, NO_MARKS);
        }
        expect(asBlank.take("hard")).toBe(asText.take("hard"));
      }),
    );
  });
});
