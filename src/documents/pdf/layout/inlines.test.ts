import { describe, expect, it } from "vitest";
import { buildWords } from "../../../../test/documents/pdf-page.ts";
import { toInlines } from "./inlines.ts";
import type { LinkArea } from "../page-text.ts";

const HREF = "https://www.gnu.org/software/hurd";
/** A character is 5 points wide. */
const area = (x0: number, x1: number, y: number): LinkArea => ({
  href: HREF,
  x0,
  x1,
  y0: y - 10,
  y1: y,
});
const read = (lines: readonly string[], links: readonly LinkArea[]): (string | undefined)[][] =>
  toInlines(
    lines.map((text, at) => buildWords([{ x: 0, y: 100 + 12 * at, text }])),
    { links },
  ).map(({ text, href }) => [text, href]);

describe("toInlines links", () => {
  it("ends a link before the punctuation after it", () => {
    expect(read(["see gnu), and"], [area(20, 35, 100)])).toEqual([
      ["see ", undefined],
      ["gnu", HREF],
      ["), and", undefined],
    ]);
  });

  it("includes punctuation inside the link area", () => {
    expect(read(["see gnu. And"], [area(20, 40, 100)])[1]).toEqual(["gnu. ", HREF]);
  });

  it("joins an address that continues on the next line into one link", () => {
    const links = [area(0, 130, 100), area(0, 65, 112)];
    expect(read(["https://www.gnu.org/", "software/hurd, and"], links)).toEqual([
      [HREF, HREF],
      [", and", undefined],
    ]);
    expect(read(["the kernel", "of GNU"], [area(0, 130, 100), area(0, 65, 112)])).toEqual([
      ["the kernel of GNU", HREF],
    ]);
  });
});
