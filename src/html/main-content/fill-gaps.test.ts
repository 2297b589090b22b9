import { describe, expect, it } from "vitest";
import { parseHtml } from "../parse/parse.ts";
import { knownText } from "./block-text.ts";
import { segment } from "./blocks.ts";
import type { Verdict } from "./verdict.ts";
import { fillGaps } from "./fill-gaps.ts";

const words = (count: number): string => "water ".repeat(count);

/**
 * Returns the verdicts after filling gaps, with the blocks at `kept` kept and the same probability
 * for all.
 */
function filled(html: string, kept: readonly number[], probability: number): Verdict[] {
  const page = segment(parseHtml(html), knownText("", ""));
  const verdicts: Verdict[] = page.blocks.map((_, index) =>
    kept.includes(index) ? "kept" : "dropped",
  );
  fillGaps(page, [], new Float64Array(page.blocks.length).fill(probability), 0.5, verdicts);
  return verdicts;
}

describe("fillGaps", () => {
  const long = (inner: string): string =>
    `<div><p>${words(1_500)}</p>${inner}<p>${words(500)}</p></div>`;

  it("keeps a doubtful paragraph inside a long kept text", () => {
    expect(filled(long(`<p>${words(40)}</p>`), [0, 2], 0.3)).toEqual(["kept", "kept", "kept"]);
  });

  it("leaves a gap dropped if it is unlikely, made of links, or in an aside", () => {
    expect(filled(long(`<p>${words(40)}</p>`), [0, 2], 0.1)[1]).toBe("dropped");
    expect(filled(long(`<p><a href="/x">${words(40)}</a></p>`), [0, 2], 0.3)[1]).toBe("dropped");
    expect(filled(long(`<aside><p>${words(40)}</p></aside>`), [0, 2], 0.3)[1]).toBe("dropped");
  });

  it("leaves text dropped that no kept text follows, such as author lines", () => {
    const page = `<div><p>${words(1_500)}</p><p>${words(40)}</p><p>${words(10)}</p></div>`;
    expect(filled(page, [0, 2], 0.3)[1]).toBe("dropped");
    expect(filled(page, [0], 0.3)[1]).toBe("dropped");
  });

  it("does not fill a short text with paragraphs, only with its code", () => {
    const short = (inner: string): string => `<main><p>${words(40)}</p>${inner}</main>`;
    expect(filled(short(`<p>${words(10)}</p>`), [0], 0.3)[1]).toBe("dropped");
    expect(filled(short(`<pre>let tide = 1</pre>`), [0], 0.3)[1]).toBe("kept");
  });

  it("requires most of the container to be kept", () => {
    const page = `<div><p>${words(1_500)}</p><p>${words(900)}</p></div>`;
    expect(filled(page, [0], 0.3)[1]).toBe("dropped");
  });
});
