import { describe, expect, it } from "vitest";
import { WordCounts, type WordPage } from "../../bench/eval/learn-words.ts";
import { visitTokens } from "../../src/html/main-content/features/evidence.ts";
import { analyzePage } from "../../src/html/main-content/features/page-view.ts";
import { unpackTables } from "../../src/html/main-content/features/word-table.ts";
import { NO_HINTS } from "../../src/html/evidence/page-hints.ts";
import { parseHtml } from "../../src/html/parse/parse.ts";

const PARTS = 5;
const partOf = (domain: string): number => Number(domain) % PARTS;

/** A page of two blocks, of which the first is main content. */
function page(domain: number, html: string): WordPage {
  const { signs } = analyzePage(parseHtml(html), { url: "https://example.com/", hints: NO_HINTS });
  const targets = Float32Array.of(1, 0);
  return { domain: String(domain), signs, targets, weights: Float32Array.of(100, 100) };
}

const pages = [0, 1, 2, 3, 4, 5].map((domain) => page(domain, "<p>river</p><p>subscribe</p>"));

/** Returns the odds in tables without the given folds for the words of a block's text. */
function told(counts: WordCounts, without: readonly number[], block: number): number[] {
  const { text } = unpackTables(counts.tables(without));
  const odds: number[] = [];
  visitTokens(pages[0]!.signs, "text", block, (hash) => odds.push(text.at(hash)));
  return odds;
}

describe("learned words", () => {
  const counts = new WordCounts(pages, PARTS, partOf);

  it("learns positive or negative odds for a word from the blocks that contain it", () => {
    for (const odds of told(counts, [], 0)) expect(odds).toBeGreaterThan(1);
    for (const odds of told(counts, [], 1)) expect(odds).toBeLessThan(-1);
  });

  it("learns a word only when five domains outside the left-out fold contain it", () => {
    expect(told(counts, [1], 0).every((odds) => !Number.isNaN(odds))).toBe(true);
    expect(told(counts, [0], 0).every(Number.isNaN)).toBe(true);
    expect(told(counts, [1, 2], 0).every(Number.isNaN)).toBe(true);
  });

  it("learns the same tables when pages come in another order", () => {
    const turned = new WordCounts(pages.toReversed(), PARTS, partOf);
    expect(turned.tables([3])).toEqual(counts.tables([3]));
  });
});
