import { describe, expect, it } from "vitest";
import { parseHtml } from "../parse/parse.ts";
import { buildKnownText } from "./block-text.ts";
import { segmentPage } from "./blocks.ts";
import type { Verdict } from "./verdict.ts";
import { fillGaps } from "./fill-gaps.ts";

const buildWords = (count: number): string => "water ".repeat(count);

/**
 * Returns the verdicts after filling gaps, with the blocks at `kept` kept and the same probability
 * for all.
 */
function listFilledVerdicts(html: string, kept: readonly number[], probability: number): Verdict[] {
  const page = segmentPage(parseHtml(html), buildKnownText("", ""));
  const verdicts: Verdict[] = page.blocks.map((_, index) =>
    kept.includes(index) ? "kept" : "dropped",
  );
  fillGaps(page, [], new Float64Array(page.blocks.length).fill(probability), 0.5, verdicts);
  return verdicts;
}

describe("fillGaps", () => {
  const long = (inner: string): string =>
    `<div><p>${buildWords(1_500)}</p>${inner}<p>${buildWords(500)}</p></div>`;

  it("keeps a doubtful paragraph inside a long kept text", () => {
    expect(listFilledVerdicts(long(`<p>${buildWords(40)}</p>`), [0, 2], 0.3)).toEqual([
      "kept",
      "kept",
      "kept",
    ]);
  });

  it("leaves a gap dropped if it is unlikely, made of links, or in an aside", () => {
    expect(listFilledVerdicts(long(`<p>${buildWords(40)}</p>`), [0, 2], 0.1)[1]).toBe("dropped");
    expect(
      listFilledVerdicts(long(`<p><a href="/x">${buildWords(40)}</a></p>`), [0, 2], 0.3)[1],
    ).toBe("dropped");
    expect(
      listFilledVerdicts(long(`<aside><p>${buildWords(40)}</p></aside>`), [0, 2], 0.3)[1],
    ).toBe("dropped");
  });

  it("leaves text dropped that no kept text follows, such as author lines", () => {
    const page = `<div><p>${buildWords(1_500)}</p><p>${buildWords(40)}</p><p>${buildWords(10)}</p></div>`;
    expect(listFilledVerdicts(page, [0, 2], 0.3)[1]).toBe("dropped");
    expect(listFilledVerdicts(page, [0], 0.3)[1]).toBe("dropped");
  });

  it("does not fill a short text with paragraphs, only with its code", () => {
    const short = (inner: string): string => `<main><p>${buildWords(40)}</p>${inner}</main>`;
    expect(listFilledVerdicts(short(`<p>${buildWords(10)}</p>`), [0], 0.3)[1]).toBe("dropped");
    expect(listFilledVerdicts(short(`<pre>let tide = 1</pre>`), [0], 0.3)[1]).toBe("kept");
  });

  it("requires most of the container to be kept", () => {
    const page = `<div><p>${buildWords(1_500)}</p><p>${buildWords(900)}</p></div>`;
    expect(listFilledVerdicts(page, [0], 0.3)[1]).toBe("dropped");
  });
});
