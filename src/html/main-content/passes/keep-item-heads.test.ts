import { describe, expect, it } from "vitest";
import { parseHtml } from "../../parse/parse.ts";
import { buildKnownText } from "../blocks/block-text.ts";
import { blockText, segmentPage } from "../blocks/blocks.ts";
import { gatherElementFacts } from "../blocks/element-facts.ts";
import { findRepetition } from "../features/repetition.ts";
import { keepItemHeads } from "./keep-item-heads.ts";
import { findPageParts } from "./settle-region.ts";
import { isKept, type Verdict } from "./verdict.ts";

/** Returns the texts that are kept on a page of which only paragraphs were kept. */
function listKept(html: string, probability = 0.5): string[] {
  const page = segmentPage(parseHtml(html), buildKnownText("", ""));
  const facts = gatherElementFacts(page);
  const verdicts: Verdict[] = page.blocks.map(({ container }) =>
    page.elements.nodes[container]?.name === "p" ? "kept" : "dropped",
  );
  keepItemHeads(page, {
    card: findRepetition(page, facts).card,
    parts: findPageParts(page, facts, ""),
    cut: 0.6,
    probabilities: new Float64Array(page.blocks.length).fill(probability),
    verdicts,
  });
  return page.blocks
    .filter((_, index) => isKept(verdicts[index]))
    .map((block) => blockText(page, block));
}

const about = "<p>The amount of the payment in the smallest unit of its currency.</p>";
const item = `<li><div>amount integer</div>${about}</li>`;

describe("keepItemHeads", () => {
  it("keeps the short lines above the text of a list item", () => {
    expect(listKept(`<ul>${item}</ul>`)[0]).toBe("amount integer");
    const lines = `<li><div>amount</div><div>integer, required</div>${about}</li>`;
    expect(listKept(`<ul>${lines}</ul>`)).toHaveLength(3);
  });

  it("keeps the names of cards", () => {
    const card = (name: string): string => `<div class=card><a href=/x>${name}</a>${about}</div>`;
    expect(listKept(["Quiz", "Mail", "Shop"].map(card).join(""))).toHaveLength(6);
    expect(listKept(card("Quiz"))).toHaveLength(1);
  });

  it("leaves unlikely, long and many lines, buttons, and lines in menus", () => {
    const kept = (head: string): number => listKept(`<ul><li>${head}${about}</li></ul>`).length;
    expect(listKept(`<ul>${item}</ul>`, 0.2)).toHaveLength(1);
    expect(kept(`<div>${"word ".repeat(20)}</div>`)).toBe(1);
    expect(kept("<div>one</div><div>two</div><div>three</div><div>four</div>")).toBe(1);
    expect(kept("<button>Copy</button>")).toBe(1);
    expect(listKept(`<nav><ul>${item}</ul></nav>`)).toHaveLength(1);
  });

  it("leaves lines that repeat the text below them", () => {
    const name = "<p>Deck lamp of brass</p>";
    expect(listKept(`<ul><li><div>View Deck lamp of brass</div>${name}</li></ul>`)).toHaveLength(1);
    expect(listKept(`<ul><li><div>Sale</div>${name}</li></ul>`)).toHaveLength(2);
  });

  it("leaves items of which little is kept, and lines below the text", () => {
    const rest = `<div>${"word ".repeat(40)}</div>`;
    expect(listKept(`<ul><li><div>amount</div>${about}${rest}</li></ul>`)).toHaveLength(1);
    expect(listKept(`<ul><li>${about}<div>amount</div></li></ul>`)).toHaveLength(1);
  });
});
