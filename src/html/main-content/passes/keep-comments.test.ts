import { describe, expect, it } from "vitest";
import { parseHtml } from "../../parse/parse.ts";
import { buildKnownText } from "../blocks/block-text.ts";
import { segmentPage } from "../blocks/blocks.ts";
import { gatherElementFacts } from "../blocks/element-facts.ts";
import { keepComments } from "./keep-comments.ts";

const SAID = "That does not hold for harbours with a double high water, I fear.";
const POST = "<div class=answer><p>Use the rule of twelfths.</p>";

/**
 * Returns the kept blocks when only the first was kept and all others have the given probability.
 */
function listKept(html: string, probability: number): boolean[] {
  const page = segmentPage(parseHtml(html), buildKnownText("", ""));
  const verdicts = page.blocks.map((_, at) =>
    at === 0 ? ("kept" as const) : ("dropped" as const),
  );
  const probabilities = new Float64Array(page.blocks.length).fill(probability);
  keepComments(page, gatherElementFacts(page), probabilities, 0.5, verdicts);
  return verdicts.map((verdict) => verdict === "kept");
}

describe("keepComments", () => {
  const thread = `${POST}<ul><li class=comment>${SAID}<li class=comment>Share<li class=comment><a href=/x>${SAID}</a></ul><p>${SAID}</p></div>`;

  it("keeps likely comments below a post, but no buttons, links or other text", () => {
    expect(listKept(thread, 0.4)).toEqual([true, true, false, false, false]);
  });

  it("drops unlikely comments, and comments that follow no kept text", () => {
    expect(listKept(thread, 0.3)).toEqual([true, false, false, false, false]);
    const page = segmentPage(parseHtml(`<p class=comment>${SAID}</p>`), buildKnownText("", ""));
    const verdicts = ["dropped" as const];
    keepComments(page, gatherElementFacts(page), Float64Array.of(0.9), 0.5, verdicts);
    expect(verdicts).toEqual(["dropped"]);
  });
});
