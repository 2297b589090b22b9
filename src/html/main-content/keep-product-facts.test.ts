import { describe, expect, it } from "vitest";
import { parseHtml } from "../parse/parse.ts";
import { buildKnownText } from "./block-text.ts";
import { blockText, segmentPage } from "./blocks.ts";
import { gatherElementFacts } from "./element-facts.ts";
import { keepProductFacts } from "./keep-product-facts.ts";
import type { Verdict } from "./verdict.ts";

/**
 * Returns the kept texts when the first block is the name and every block has the same probability.
 */
function keep(html: string, probability = 0.2): string[] {
  const page = segmentPage(parseHtml(html), buildKnownText("", ""));
  const verdicts: Verdict[] = page.blocks.map((_, index) => (index === 0 ? "kept" : "dropped"));
  const tables = page.elements.nodes.flatMap((node, at) => (node.name === "table" ? [at] : []));
  const probabilities = new Float64Array(page.blocks.length).fill(probability);
  const facts = gatherElementFacts(page);
  keepProductFacts(page, facts, 0, tables, { probabilities, verdicts });
  return page.blocks
    .filter((_, index) => verdicts[index] === "kept")
    .map((block) => blockText(page, block));
}

describe("keepProductFacts", () => {
  it("keeps the first price below the product name", () => {
    expect(keep("<h1>Lamp</h1><p>In stock</p><p>€ 89.00</p><p>€ 12.00</p>")).toEqual([
      "Lamp",
      "€ 89.00",
    ]);
    expect(keep("<h1>Lamp</h1><p>€ 89.00</p>", 0.02)).toEqual(["Lamp"]);
  });

  it("keeps tables and lists of product attributes", () => {
    const table =
      "<table><tr><th>Weight</th><td>640 g</td></tr><tr><th>Height</th><td>14 cm</td></tr></table>";
    expect(keep(`<h1>Lamp</h1>${table}`)).toEqual(["Lamp", "Weight", "640 g", "Height", "14 cm"]);
    const list = "<dl><dt>Body</dt><dd>Brass</dd><dt>Glass</dt><dd>Clear</dd></dl>";
    expect(keep(`<h1>Lamp</h1>${list}`)).toHaveLength(5);
  });

  it("keeps no list of links, and nothing inside a form or the page footer", () => {
    const list = "<dl><dt>Body</dt><dd>Brass</dd><dt>Glass</dt><dd>Clear</dd></dl>";
    expect(keep(`<h1>Lamp</h1><footer>${list}</footer>`)).toEqual(["Lamp"]);
    const links = list
      .replaceAll("<dd>", '<dd><a href="/x">')
      .replaceAll("<dt>", '<dt><a href="/y">');
    expect(keep(`<h1>Lamp</h1>${links}`)).toEqual(["Lamp"]);
  });
});
