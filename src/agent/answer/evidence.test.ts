import { describe, expect, it } from "vitest";
import { findEvidence } from "./evidence.ts";

const PAGE = String.raw`# Ada\_Marsh

Call **Ada\_Marsh** at +49 (30) 555-0100 [write](mailto:ada@x.example).
Price: € 1.299,50, was $1,499.00. Since 3 May 2024 _in stock_ now.
C\# \(New\)** *\|\_X\_| İstanbul **Şehri**`;

const textOf = (value: unknown): string | undefined => findEvidence("u", PAGE, value)?.text;

describe("findEvidence", () => {
  it.each([
    ["+49 (30) 555-0100", "+49 (30) 555-0100"],
    ["ada@x.example", "ada@x.example"],
    ["Ada_Marsh", String.raw`Ada\_Marsh`],
    ["in stock now", "in stock_ now"],
    ["IN STOCK", "in stock"],
    ["(30) 555-0100 write", "(30) 555-0100 [write"],
    ["C# (new) * |_x_|", String.raw`C\# \(New\)** *\|\_X\_|`],
    ["İstanbul şehri", "İstanbul **Şehri"],
    [1299.5, "1.299,50"],
    [1499, "1,499.00"],
    ["2024-05-03", "3 May 2024"],
  ])("finds %j on the page as %j", (value, expected) => expect(textOf(value)).toBe(expected));

  it.each([
    ["Bruno"],
    [7],
    [true],
    [null],
    [""],
    [{ a: 1 }],
    ["(unclosed ["],
    ["Ada#"],
    ["Ada_Marsh Price"],
    ["2024-05-04"],
    ["Ad"],
    ["0"],
    ["ship"],
  ])("finds no evidence for %j", (value) => expect(textOf(value)).toBeUndefined());

  it("returns a span that matches its text", () => {
    const { start = 0, end = 0, text } = findEvidence("u", PAGE, "Ada_Marsh") ?? { url: "" };
    expect(PAGE.slice(start, end)).toBe(text);
  });

  it("finds a list only when each of its entries is on the page", () => {
    expect(textOf(["in stock", 1499])).toBe("in stock");
    expect(textOf(["in stock", 1500])).toBeUndefined();
  });
});
