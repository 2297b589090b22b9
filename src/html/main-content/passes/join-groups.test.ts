import { describe, expect, it } from "vitest";
import { parseHtml } from "../../parse/parse.ts";
import { NO_HINTS } from "../../evidence/page-hints.ts";
import { joinGroups } from "./join-groups.ts";
import { analyzePage } from "../features/page-view.ts";

function join(html: string, asked: readonly number[]): number[] {
  const view = analyzePage(parseHtml(html), { url: "https://example.org/", hints: NO_HINTS });
  expect(view.segmentation.blocks).toHaveLength(asked.length);
  const { segmentation, elements, repetition } = view;
  return [...joinGroups(segmentation, elements, repetition.card, Float64Array.from(asked))];
}

describe("joinGroups", () => {
  const card = (name: string): string =>
    `<div class="card"><h3>${name}</h3><p class="price">€ 20 a day</p></div>`;

  it("averages the scores of blocks at the same position in every card only", () => {
    const [first, price, , second, , third] = join(
      `${card("Rowing dinghy")}${card("Pilot cutter")}${card("Electric launch")}`,
      [0.9, 0.1, 0.3, 0.1, 0.9, 0.1],
    );
    expect(price).toBeCloseTo(0.1);
    expect(second).toBeCloseTo(0.1);
    expect(third).toBeCloseTo(0.1);
    expect(first).toBeLessThan(0.9);
    expect(first).toBeGreaterThan(0.5);
  });

  it("raises the score of an uncertain card to that of its certain siblings", () => {
    const joined = join(
      `${card("Rowing dinghy")}${card("Pilot cutter")}${card("Electric launch")}`,
      [0.95, 0.5, 0.95, 0.5, 0.3, 0.5],
    );
    expect(joined[4]).toBeGreaterThan(0.5);
  });

  it("leaves two similar cards, and paragraphs of one text, unchanged", () => {
    expect(join(`${card("One")}${card("Two")}`, [0.9, 0.1, 0.2, 0.3])).toEqual([
      0.9, 0.1, 0.2, 0.3,
    ]);
    expect(join("<p>One text.</p><p>Two texts.</p><p>Three texts.</p>", [0.9, 0.1, 0.5])).toEqual([
      0.9, 0.1, 0.5,
    ]);
  });

  it("returns finite probabilities for inputs of 0 and 1", () => {
    const asked = [1, 0, 0, 1, 0.5, 0.5];
    for (const value of join(`${card("a1")}${card("b2")}${card("c3")}`, asked))
      expect(value).toBeGreaterThan(0);
  });
});
