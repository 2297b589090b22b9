import { describe, expect, it } from "vitest";
import { NO_HINTS } from "../evidence/page-hints.ts";
import { parseHtml } from "../parse/parse.ts";
import { findElement, readText } from "../parse/tree.ts";
import { addProductFacts } from "./add-product-facts.ts";
import { buildKnownText } from "./blocks/block-text.ts";
import { segmentPage } from "./blocks/blocks.ts";

const lamp = {
  name: "Deck lamp",
  facts: [
    { label: "Brand", value: "Harbour Works" },
    { label: "Price", value: "1299.00 EUR" },
  ],
};

function add(html: string, products = [lamp], title = "Deck lamp - Harbour shop") {
  const root = parseHtml(html);
  const hints = { ...NO_HINTS, title, products };
  const added = addProductFacts(root, segmentPage(root, buildKnownText("", "")), hints);
  return { added: added.map(({ label }) => label), text: readText(root) };
}

describe("addProductFacts", () => {
  it("adds product facts that are missing from the page's text", () => {
    const { added, text } = add("<body><h1>Deck lamp</h1><p>By Harbour Works.</p></body>");
    expect(added).toEqual(["Price"]);
    expect(text).toContain("Price: 1299.00 EUR");
    expect(text).not.toContain("Brand");
  });

  it.each(["€ 1.299,00", "1,299 EUR", "1299.00", "£1 299.00"])(
    "finds a price written as %s in the text",
    (price) => {
      expect(add(`<p>Harbour Works</p><p>${price}</p>`).added).toEqual([]);
    },
  );

  it("does not mistake part of another number for the price", () => {
    expect(add("<p>Harbour Works</p><p>No. 12990, 11299 pieces</p>").added).toEqual(["Price"]);
  });

  it("does not mistake a whole number for a price with cents", () => {
    const cheap = { name: "Deck lamp", facts: [{ label: "Price", value: "2.25 CHF" }] };
    expect(add("<p>33 x 2 cm</p>", [cheap]).added).toEqual(["Price"]);
    expect(add("<p>statt 4.50 CHF 2,25</p>", [cheap]).added).toEqual([]);
  });

  it("adds the price if only dropped text states it", () => {
    const root = parseHtml("<body><h1>Deck lamp</h1><p>Harbour Works</p><b>€ 1.299,00</b></body>");
    const page = segmentPage(root, buildKnownText("", ""));
    const price = findElement(root, ({ name }) => name === "b")!;
    price.children.length = 0;
    const hints = { ...NO_HINTS, title: "Deck lamp", products: [lamp] };
    expect(addProductFacts(root, page, hints).map(({ label }) => label)).toEqual(["Price"]);
  });

  it("uses the product that the title names, and none if the title names none of several", () => {
    const other = { name: "Spare glass", facts: [{ label: "Price", value: "12 EUR" }] };
    expect(add("<p>Harbour Works</p>", [other, lamp]).text).toContain("1299.00");
    expect(add("<p>Harbour Works</p>", [other, lamp], "Lamps").added).toEqual([]);
  });
});
