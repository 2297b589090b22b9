import { describe, expect, it } from "vitest";
import { parseHtml } from "../parse/parse.ts";
import { buildKnownText } from "./block-text.ts";
import { segmentPage } from "./blocks.ts";
import { keepBetween } from "./keep-between.ts";
import type { Verdict } from "./verdict.ts";

/**
 * Returns the kept blocks when those with a probability of at least .5 were kept and the cut is .5.
 */
function listKept(html: string, probabilities: readonly number[]): number[] {
  const page = segmentPage(parseHtml(html), buildKnownText("", ""));
  expect(page.blocks).toHaveLength(probabilities.length);
  const verdicts = probabilities.map((of): Verdict => (of >= 0.5 ? "kept" : "dropped"));
  keepBetween(page, Float64Array.from(probabilities), 0.5, verdicts);
  return verdicts.flatMap((verdict, index) => (verdict === "kept" ? [index] : []));
}

const text = "<p>A sentence of some length about tides.</p>";

describe("keepBetween", () => {
  it("keeps a list between two kept paragraphs", () => {
    const list = "<ul><li>one plan</li><li>another plan</li></ul>";
    expect(listKept(`<main>${text}${list}${text}</main>`, [0.9, 0.2, 0.1, 0.9])).toEqual([
      0, 1, 2, 3,
    ]);
  });

  it("keeps the sentence that introduces a kept listing", () => {
    const html = "<div><p>Use a loop for it:</p><pre>for x in y</pre></div>";
    expect(listKept(html, [0.2, 0.9])).toEqual([0, 1]);
    expect(listKept(html.replaceAll("pre", "p"), [0.2, 0.9])).toEqual([1]);
  });

  it("leaves out content that is unlikely, long, made of links, or in a part of its own", () => {
    const of = (between: string): string => `<main>${text}${between}${text}</main>`;
    expect(listKept(of("<p>Sign up to our letter</p>"), [0.9, 0.05, 0.9])).toEqual([0, 2]);
    expect(listKept(of(`<p>${"more ".repeat(90)}</p>`), [0.9, 0.3, 0.9])).toEqual([0, 2]);
    expect(
      listKept(of('<p>See <a href="/x">what others say of it</a></p>'), [0.9, 0.3, 0.9]),
    ).toEqual([0, 2]);
    expect(listKept(of("<div><p>Sign up to our letter</p></div>"), [0.9, 0.3, 0.9])).toEqual([
      0, 2,
    ]);
  });

  it("leaves out content at the end, in an aside, or directly in the whole page", () => {
    expect(listKept(`<main>${text}<p>Share this page</p></main>`, [0.9, 0.3])).toEqual([0]);
    expect(
      listKept(`<aside>${text}<p>Share this page</p>${text}</aside>`, [0.9, 0.3, 0.9]),
    ).toEqual([0, 2]);
    expect(listKept(`<body>${text}<p>Share this page</p>${text}</body>`, [0.9, 0.3, 0.9])).toEqual([
      0, 2,
    ]);
  });
});
