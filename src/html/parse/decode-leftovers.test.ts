import { describe, expect, it } from "vitest";
import { decodeLeftovers } from "./decode-leftovers.ts";

describe("decodeLeftovers", () => {
  it.each([
    ["L&amp;#8217;atelier", "L’atelier"],
    ["Python, SQL &#x26; AI", "Python, SQL & AI"],
    ["TFC8&reg; cream", "TFC8® cream"],
    ["Caf&eacute;&nbsp;&quot;Bar&quot;", 'Café "Bar"'],
    ["Tom &amp; Jerry", "Tom & Jerry"],
  ])("decodes %s", (text, decoded) => {
    expect(decodeLeftovers(text)).toBe(decoded);
  });

  it("leaves other text with ampersands, and folds whitespace", () => {
    expect(decodeLeftovers("AT&T, Q&A; R&D")).toBe("AT&T, Q&A; R&D");
    expect(decodeLeftovers(" a \n b ")).toBe("a b");
  });
});
