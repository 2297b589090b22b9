import { expect, it } from "vitest";
import { subtractLines } from "./outside-text.ts";

const MAIN = "# Berths\n\nBoats pay by length.\n\n- [Fees](https://a.example/fees)\n- Map";

it("keeps the lines that the main content lacks, below their headings", () => {
  const whole = `Menu\n\n${MAIN}\n\n## Contact\n\nCall 0123 456.`;
  expect(subtractLines(whole, MAIN)).toBe("Menu\n\n# Berths\n\n## Contact\n\nCall 0123 456.");
});

it("recognizes a line by its words, not by its marks and link targets", () => {
  const whole =
    "## Berths\n\n**Boats** pay by length.\n\n* Fees\n* [Map](https://a.example/)\n\nOpen all day.";
  expect(subtractLines(whole, MAIN)?.trim()).toMatch(/^## Berths\s+Open all day\.$/);
});

it("returns nothing for another version of the page", () => {
  expect(
    subtractLines("# Berths\n\nBoats pay by weight.\n\n- Prices\n- Charts", MAIN),
  ).toBeUndefined();
});
