import { describe, expect, it } from "vitest";
import { parseHtml } from "../../parse/parse.ts";
import { buildKnownText } from "../blocks/block-text.ts";
import { blockText, segmentPage } from "../blocks/blocks.ts";
import { gatherElementFacts } from "../blocks/element-facts.ts";
import { keepLists } from "./keep-lists.ts";
import { findPageParts } from "./settle-region.ts";
import { isKept, type Verdict } from "./verdict.ts";

const CUT = 0.6;

/** Returns the texts that are kept on a page of which only paragraphs and headings were kept. */
function listKept(html: string, probability = 0.3): string[] {
  const page = segmentPage(parseHtml(html), buildKnownText("", ""));
  const facts = gatherElementFacts(page);
  const verdicts: Verdict[] = page.blocks.map(({ container }) =>
    /^(?:p|h\d)$/.test(page.elements.nodes[container]?.name ?? "") ? "kept" : "dropped",
  );
  const probabilities = new Float64Array(page.blocks.length).fill(probability);
  keepLists(page, facts, {
    parts: findPageParts(page, facts, ""),
    cut: CUT,
    probabilities,
    verdicts,
  });
  return page.blocks
    .filter((_, index) => isKept(verdicts[index]))
    .map((block) => blockText(page, block));
}

const items = "<ul><li><a href=/a>Headspace</a></li><li>Breathe<ul><li>Deeply</li></ul></li></ul>";

describe("keepLists", () => {
  it("keeps the whole list below a kept line that ends in a colon", () => {
    expect(listKept(`<p>Other apps that help:</p>${items}<p>That is all.</p>`)).toEqual([
      "Other apps that help:",
      "Headspace",
      "Breathe",
      "Deeply",
      "That is all.",
    ]);
    expect(listKept(`<p>ほかのアプリ：</p><div>${items}</div>`)).toHaveLength(4);
  });

  it("keeps a list between kept texts that nearly reaches the cut, as one", () => {
    const page = `<p>The campaign offers this.</p>${items}<h2>Other offers</h2>`;
    expect(listKept(page, 0.5)).toHaveLength(5);
    expect(listKept(page, 0.4)).toHaveLength(2);
    expect(listKept(`<p>The campaign offers this.</p>${items}`, 0.5)).toHaveLength(1);
    expect(listKept(`<p>Offers.</p><ul><li>One</li></ul><p>Text.</p>`, 0.5)).toHaveLength(2);
  });

  it("leaves other lists alone", () => {
    expect(listKept(`<p>Other apps help.</p>${items}`)).toHaveLength(1);
    expect(listKept(`<div>Other apps that help:</div>${items}`)).toEqual([]);
    expect(listKept(`<p>Other apps:</p><p>None.</p>${items}`)).toHaveLength(2);
    expect(listKept(`<h2>Apps:</h2>${items}`)).toEqual(["Apps:"]);
    expect(listKept(`<p>Other apps:</p><nav>${items}</nav>`)).toEqual(["Other apps:"]);
    expect(listKept(`<p>Other apps:</p>${items}`, 0.1)).toEqual(["Other apps:"]);
  });
});
