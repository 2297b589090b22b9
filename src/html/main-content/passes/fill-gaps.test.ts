import { describe, expect, it } from "vitest";
import { parseHtml } from "../../parse/parse.ts";
import { buildKnownText } from "../blocks/block-text.ts";
import { segmentPage } from "../blocks/blocks.ts";
import type { Verdict } from "./verdict.ts";
import { fillGaps } from "./fill-gaps.ts";

const TEXT = `<p>${"water ".repeat(40)}</p>`;
const CODE = "<pre>let tide = high + low</pre>";

/** Returns the verdict of the second block if only the first was kept. */
function fill(html: string, probability: number): Verdict | undefined {
  const page = segmentPage(parseHtml(html), buildKnownText("", ""));
  const verdicts: Verdict[] = page.blocks.map((_, index) => (index === 0 ? "kept" : "dropped"));
  fillGaps(page, [], new Float64Array(page.blocks.length).fill(probability), 0.4, verdicts);
  return verdicts[1];
}

describe("fillGaps", () => {
  it("fills in doubtful code, but no paragraph", () => {
    expect(fill(`<main>${TEXT}${CODE}</main>`, 0.3)).toBe("kept");
    expect(fill(`<main>${TEXT}<p>high and low water</p></main>`, 0.3)).toBe("dropped");
  });

  it("leaves code dropped that is unlikely or in an aside", () => {
    expect(fill(`<main>${TEXT}${CODE}</main>`, 0.11)).toBe("dropped");
    expect(fill(`<main>${TEXT}<aside>${CODE}</aside></main>`, 0.3)).toBe("dropped");
  });

  it("requires enough kept text in the container", () => {
    const other = `<p>${"tide ".repeat(200)}</p>`;
    expect(fill(`<main>${TEXT}${CODE}${other}</main>`, 0.3)).toBe("dropped");
  });
});
