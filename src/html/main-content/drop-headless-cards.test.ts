import { describe, expect, it } from "vitest";
import { parseHtml } from "../parse/parse.ts";
import { buildKnownText } from "./block-text.ts";
import { segmentPage } from "./blocks.ts";
import { dropHeadlessCards } from "./drop-headless-cards.ts";
import { gatherElementFacts } from "./element-facts.ts";
import { findRepetition } from "./repetition.ts";

const buildCard = (at: number): string =>
  `<div class=card><h3><a href=/${at}>What happened in harbour ${at}</a></h3><p>All the boats are back in it.</p></div>`;
const CARDS = [1, 2, 3, 4].map(buildCard).join("");
const TEXT = `<p>${"The harbour was closed to all but the smallest boats. ".repeat(8)}</p>`;

/** Counts the remaining blocks if those accepted by `isKept` were kept. */
function countRemaining(html: string, isKept: (text: string) => boolean): number {
  const page = segmentPage(parseHtml(html), buildKnownText("", ""));
  const facts = gatherElementFacts(page);
  const verdicts = page.blocks.map(({ textStart }) =>
    isKept(page.texts[textStart]!.data) ? ("kept" as const) : ("dropped" as const),
  );
  dropHeadlessCards(page, facts, findRepetition(page, facts).card, verdicts);
  return verdicts.filter((verdict) => verdict === "kept").length;
}

const withoutHeadlines = (text: string): boolean => !text.startsWith("What");

describe("dropHeadlessCards", () => {
  it("drops the rest of teasers below a text that lost their headlines", () => {
    expect(countRemaining(TEXT + CARDS, withoutHeadlines)).toBe(1);
  });

  it("keeps cards with headlines, and a small number of cards without", () => {
    expect(countRemaining(TEXT + CARDS, () => true)).toBe(9);
    expect(countRemaining(TEXT + CARDS, (text) => !/^What.*[12]$/.test(text))).toBe(7);
  });

  it("keeps cards that are most of the page", () => {
    expect(countRemaining(`<p>All of the news.</p>${CARDS}`, withoutHeadlines)).toBe(5);
  });
});
