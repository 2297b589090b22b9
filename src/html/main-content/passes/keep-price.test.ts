import { describe, expect, it } from "vitest";
import { parseHtml } from "../../parse/parse.ts";
import { buildKnownText } from "../blocks/block-text.ts";
import { blockText, segmentPage } from "../blocks/blocks.ts";
import { gatherElementFacts } from "../blocks/element-facts.ts";
import { keepPrice } from "./keep-price.ts";
import { findPageParts } from "./settle-region.ts";
import { isKept, type Verdict } from "./verdict.ts";

/** Returns the kept texts below the heading of a page of which headings and `b` are kept. */
function listKept(html: string): string[] {
  const page = segmentPage(parseHtml(`<h1>Deck lamp</h1>${html}`), buildKnownText("", ""));
  const facts = gatherElementFacts(page);
  const verdicts: Verdict[] = page.blocks.map(({ container }) =>
    /^(?:h\d|p)$/.test(page.elements.nodes[container]?.name ?? "") ? "kept" : "dropped",
  );
  keepPrice(page, facts, findPageParts(page, facts, "Deck lamp"), verdicts);
  return page.blocks
    .filter((_, index) => isKept(verdicts[index]))
    .map((block) => blockText(page, block).trim())
    .slice(1);
}

describe("keepPrice", () => {
  it.each(["$19.99", "74,95 €", "ab 74,95 €", "CHF 2.25", "1 290 kr", "￥1,980", "Price: £14.99"])(
    "keeps %s below the title",
    (price) => {
      expect(listKept(`<div>Rated 4.8</div><div>${price}</div>`)).toEqual([price]);
    },
  );

  it("keeps both lines of a reduced price", () => {
    expect(listKept("<div>$19.99</div><div>was $24.99</div><div>$3 shipping</div>")).toEqual([
      "$19.99",
      "was $24.99",
    ]);
  });

  it("leaves other lines with an amount, and buttons", () => {
    expect(listKept("<div>Free shipping on domestic orders over $75</div>")).toEqual([]);
    expect(listKept("<button>$19.99</button>")).toEqual([]);
    expect(listKept("<div>Lieferbar ab CHF 7.95</div>")).toEqual([]);
    expect(listKept("<div>500 pieces</div>")).toEqual([]);
  });

  it("leaves prices of other items and prices far below, and adds none to a kept one", () => {
    expect(listKept("<h2>Spare glass</h2><div>$4.99</div>")).toEqual(["Spare glass"]);
    expect(listKept(`${"<div>line</div>".repeat(15)}<div>$4.99</div>`)).toEqual([]);
    expect(listKept("<p>$19.99</p><div>$4.99</div>")).toEqual(["$19.99"]);
  });
});
